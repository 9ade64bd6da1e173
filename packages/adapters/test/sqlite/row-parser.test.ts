import { expect, test } from 'vitest'
import { createRowParser } from '../../src/sqlite/row-parser.ts'
import type { Row } from '../../src/sqlite/values.ts'

type Word = { readonly id: number; readonly text: string; readonly letters: readonly string[] }

/** A parser that counts what it parses. */
function wordParser(maxRows: number) {
  let parsed = 0
  function parse([id, text]: Row): Word {
    parsed += 1
    return { id: Number(id), text: String(text), letters: [...String(text)] }
  }
  return { ...createRowParser(parse, maxRows), parsed: () => parsed }
}

test('a row that is read again is parsed once', () => {
  const { parse, remembered, parsed } = wordParser(10)
  expect(remembered(1)).toBe(undefined)
  const first = parse([1, 'vase'])
  expect(first).toEqual({ id: 1, text: 'vase', letters: ['v', 'a', 's', 'e'] })
  expect(parse([1, 'vase'])).toBe(first)
  expect(remembered(1)).toBe(first)
  expect(parsed()).toBe(1)
})

test('another text is parsed anew, whatever is remembered', () => {
  const { parse, parsed } = wordParser(10)
  parse([1, 'vase'])
  expect(parse([1, 'desk']).text).toBe('desk')
  expect(parse([2, 'desk']).id).toBe(2)
  expect(parsed()).toBe(3)
})

test('of many rows the most recently used are remembered', () => {
  const { parse, remembered } = wordParser(3)
  for (const id of [1, 2, 3]) parse([id, 'vase'])
  parse([1, 'vase'])
  remembered(2)
  parse([4, 'vase'])
  parse([5, 'vase'])
  expect([1, 2, 3, 4, 5].filter((id) => remembered(id) !== undefined)).toEqual([2, 4, 5])
})

test('what is remembered can’t be changed by whoever gets it', () => {
  const { parse } = wordParser(10)
  const word = parse([1, 'vase'])
  expect(Reflect.set(word, 'text', 'desk')).toBe(false)
  expect(Reflect.set(word.letters, 0, 'd')).toBe(false)
})
