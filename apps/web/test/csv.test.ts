import { expect, test } from 'vitest'
import { partsOf } from '../page/views/registers/csv.js'

const columns = ['bidderId', ['bidderId', 'paddle']] as const

test('a table is cut into parts of 100 rows with its header, whose lines are those of the file', () => {
  const rows = Array.from({ length: 101 }, (_, index) => `${index + 1};admitted;"a\r\nb"\r\n`)
  const { parts, count, isAdmitting } = partsOf(`\r\nbidderId;status;paddle\r\n\r\n${rows.join('')}`, ...columns)
  expect([parts.map((part) => part.count), count, isAdmitting]).toEqual([[100, 1], 101, true])
  expect(parts[1]?.text).toBe('\r\nbidderId;status;paddle\r\n101;admitted;"a\r\nb"\r\n')
  // The first row is on line 4, and each has two lines.
  expect(parts.map(({ lineOf }) => [lineOf(2), lineOf(3)])).toEqual([
    [2, 3],
    [2, 204],
  ])
  expect(parts[1]?.lines.get('101')).toBe(204)
})

test('a bidder or a paddle that occurs twice is found in all parts', () => {
  const { repetitions, isAdmitting } = partsOf(
    'status,bidderId,paddle\nadmitted,7,12\nrefused,7,\npending,8,"12"',
    ...columns,
  )
  expect(repetitions).toEqual([
    { line: 3, column: 'bidderId', first: 2 },
    { line: 4, column: 'paddle', first: 2 },
  ])
  expect(isAdmitting).toBe(false)
})
