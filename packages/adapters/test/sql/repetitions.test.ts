import { sampleAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { createSqlStore } from '../../src/sql/sql-store.ts'

test('a write that transactions of others are in the way of waits until these have ended', async () => {
  let isBusy = true
  setTimeout(() => {
    isBusy = false
  }, 20)
  const { addTitleWords } = createSqlStore({ name: 'a database', query: async () => [], tryWrite: async () => !isBusy })
  await addTitleWords?.(sampleAuction().id, ['desk'])
  expect(isBusy).toBe(false)
})
