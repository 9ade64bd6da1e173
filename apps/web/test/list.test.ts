import { expect, test } from 'vitest'
import type { Auction } from '../page/client.js'
import type { Known } from '../page/known.js'
import { createList } from '../page/list.js'
import { auction } from './sample.ts'

test('what ended and what was cancelled is listed together, the latest first', async () => {
  const all = Array.from({ length: 24 }, (_, at): Auction => {
    const endedAt = new Date(Date.UTC(2030, 0, 1, 12, 24 - at)).toISOString()
    return { ...auction, id: at, status: at % 4 === 0 ? 'Cancelled' : 'Ended', endedAt }
  })
  const watched: (readonly number[])[] = []
  const known: Pick<Known, 'attempt' | 'readAuctions'> & { connection: Pick<Known['connection'], 'watch'> } = {
    attempt: async (_place, step) => void (await step()),
    async readAuctions({ status, limit = 0, cursor }) {
      const items = all.filter((each) => each.status === status)
      const from = Number(cursor ?? 0)
      return {
        items: items.slice(from, from + limit),
        nextCursor: from + limit < items.length ? `${from + limit}` : null,
      }
    },
    connection: { watch: (ids) => void watched.push(ids) },
  }
  const list = createList(known as Known, { name: 'ended', query: new URLSearchParams() })
  const ids = all.map(({ id }) => id)
  await list.load()
  expect(list).toMatchObject({ ids: ids.slice(0, 20), nextCursor: 'more', isLoaded: true })
  await list.load()
  expect(list).toMatchObject({ ids, nextCursor: null })
  expect(watched).toEqual([ids.slice(0, 20), ids])
})
