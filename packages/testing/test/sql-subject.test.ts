import { expect, test } from 'vitest'
import { createSqlFaults, sqlFaults } from '../src/sql-subject.ts'

test('the functions of a database fail once, before or after their statement, or until it is repaired', async () => {
  const { wrap, failNext, breakStore } = createSqlFaults()
  const run: string[] = []
  const { query, tryWrite } = wrap({
    query: async (_: object) => [run.push('query')].map(() => ({})),
    tryWrite: async (_: object) => run.push('write') > 0,
  })
  const [before = '', after = ''] = Object.keys(sqlFaults)
  const write = () => tryWrite({})

  await failNext(before)
  await expect(write()).rejects.toThrow('the test lets this statement fail')
  expect(run).toEqual([])
  await failNext(after)
  await expect(write()).rejects.toThrow('the test lets the response')
  expect(run).toEqual(['write'])
  const repair = await breakStore()
  await expect(write()).rejects.toThrow('the test lets')
  await expect(query({})).rejects.toThrow('the test lets')
  await repair()
  expect([await write(), await query({}), run]).toEqual([true, [{}], ['write', 'write', 'query']])
})
