import { expect, test } from 'vitest'
import { openAuction } from './support/client.ts'
import { serverOfFile, startServer } from './support/server.ts'

const server = await serverOfFile()

/** The paths of all reads, for an auction with a bid. */
async function readings() {
  const auction = await openAuction(server)
  const bid = (await auction.placeBid()).headers.get('location') ?? ''
  const path = `/api/Auctions/${auction.id}`
  return { auction, paths: [path, bid, '/api/Auctions', `${path}/Bids`] }
}

test('every read has the time of the server, in UTC with milliseconds', async () => {
  const { auction, paths } = await readings()
  for (const now of ['2030-02-01T00:00:00.000Z', '2030-02-01T00:00:00.007Z']) {
    server.clock.set(now)
    for (const path of paths) {
      const { body } = await auction.get(path)
      expect(Object.keys(body)).toEqual(['success', 'message', 'data', 'now'])
      expect(body.now).toBe(now)
    }
  }
})

test('the entity tag does not cover the time, and HEAD has the length of GET', async () => {
  const { auction, paths } = await readings()
  for (const path of paths) {
    const first = await auction.get(path)
    const tag = first.headers.get('etag')
    server.clock.set('2030-02-01T00:00:00.123Z')
    if (tag !== null) {
      expect((await auction.send('GET', path, { headers: { 'if-none-match': tag } })).status).toBe(304)
      expect((await auction.get(path)).headers.get('etag')).toBe(tag)
    }
    const head = await auction.send('HEAD', path)
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength((await auction.get(path)).text)))
  }
})

test('the time is read before the data, so that the data is not older', async () => {
  const late = await startServer({
    replaceInStore: (store) => ({
      async findHeads(...given) {
        late.clock.set('2030-02-08T00:00:00Z')
        return store.findHeads(...given)
      },
    }),
  })
  const auction = await openAuction(late)
  expect((await auction.get(`/api/Auctions/${auction.id}`)).body.now).toBe('2030-01-31T12:00:00.000Z')
  expect(late.clock.nowMs()).toBe(Date.parse('2030-02-08T00:00:00Z'))
})
