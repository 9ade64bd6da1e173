import { expect, test } from 'vitest'
import { createAuctionClient, orThrow, pages } from '../src/client.ts'
import { failed, scriptedFetch, succeeded } from './support/scripted-fetch.ts'

test('a list is read page by page, while the loop needs it', async () => {
  const { fetch, requests } = scriptedFetch(
    succeeded({ items: [{ id: 3 }, { id: 2 }], nextCursor: 'c 2' }),
    succeeded({ items: [{ id: 1 }], nextCursor: null }),
  )
  const client = createAuctionClient({ baseUrl: 'http://service', fetch })
  const seen: number[][] = []
  for await (const bids of pages((cursor) => client.listBids(7, { limit: 2, cursor }))) {
    seen.push(bids.map(({ id }) => id))
    expect(requests).toHaveLength(seen.length)
  }
  expect(seen).toEqual([[3, 2], [1]])
  expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?limit=2', '?limit=2&cursor=c+2'])
})

test('a page that is refused fails, as a result does by orThrow', async () => {
  const { fetch } = scriptedFetch(failed(404, 'auction-not-found'))
  const client = createAuctionClient({ baseUrl: 'http://service', fetch })
  const refused = await client.readAuction(7)
  expect(() => orThrow(refused)).toThrow(expect.objectContaining({ code: 'auction-not-found', status: 404 }))
  const reading = pages((cursor) => client.listBids(7, { cursor })).next()
  await expect(reading).rejects.toMatchObject({ code: 'auction-not-found', status: 404 })
})
