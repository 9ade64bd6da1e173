import { createAuctionClient, type StreamOptions } from '@auction/client'
import { expect, test } from 'vitest'
import { longTest } from '../../../../../tools/vitest/long-test.ts'
import { clientOf, newCaller, openAuction, runningNow } from '../../support/client.ts'
import { startServer } from '../../support/server.ts'
import { startServerProcess, temporaryFolder } from '../../support/server-process.ts'
import { secret } from '../../support/tokens.ts'

longTest('the client gets each event once while the server is killed and starts again', async () => {
  const environment = { JWT_SECRET: secret, SQLITE_FILE: 'auctions.sqlite' }
  const folder = temporaryFolder()
  const token = newCaller()
  const first = await startServerProcess(environment, { folder })
  const { id } = await openAuction(first, runningNow(), token)
  const seen: (readonly [string, number | undefined])[] = []
  const { promise: sawBid, resolve } = Promise.withResolvers<void>()
  const following = (async () => {
    for await (const event of createAuctionClient({ baseUrl: first.url, token }).events(id)) {
      seen.push([event.type, 'sequence' in event ? event.sequence : undefined])
      if (event.type === 'bid') resolve()
    }
  })()
  await expect.poll(() => seen).toEqual([['snapshot', 0]])
  await clientOf(first, token, id).placeBid({ auctionId: id, amount: 100 })
  await sawBid
  await first.kill()

  const { port } = new URL(first.url)
  const second = await startServerProcess({ ...environment, PORT: port }, { folder })
  const client = clientOf(second, token, id)
  await client.placeBid({ bidderId: 3, amount: 110 })
  await client.placeBid({ bidderId: 2, amount: 120 })
  await client.cancelAuction()
  await following
  expect(seen).toEqual([
    ['snapshot', 0],
    ['bid', 1],
    ['bid', 2],
    ['bid', 3],
    ['ended', 4],
  ])
})

test('the client continues after a position, and gets a reset for one that the auction does not have', async () => {
  const server = await startServer()
  const auction = await openAuction(server, { cancellableUntilEnd: true })
  await auction.placeBid()
  await auction.cancelAuction()
  const client = createAuctionClient({ baseUrl: server.url, token: newCaller() })
  const typesAfter = async (after: number) => {
    const types: string[] = []
    for await (const { type } of client.events(auction.id, { after })) types.push(type)
    return types
  }
  expect(await typesAfter(0)).toEqual(['bid', 'ended'])
  expect(await typesAfter(1)).toEqual(['ended'])
  expect(await typesAfter(2)).toEqual([])
  expect(await typesAfter(9)).toEqual(['reset', 'snapshot'])
})

test('the client leaves a stream when the loop ends, and connects to it with a new token when the old one has expired', async () => {
  const server = await startServer()
  const { id } = await openAuction(server)
  const expired = newCaller({ exp: Math.floor(server.clock.nowMs() / 1_000) - 600 })
  const token = (isExpired: boolean) => (isExpired ? newCaller() : expired)
  for await (const event of createAuctionClient({ baseUrl: server.url, token }).events(id)) {
    expect(event).toMatchObject({ type: 'snapshot', sequence: 0, auction: { id } })
    break
  }
  await server.logged(/"path":"\/api\/Auctions\/1\/Events","status":200.*"unseen":true/)
})

test('the client follows several auctions until all are over', async () => {
  const server = await startServer()
  const auctions = [
    await openAuction(server, { cancellableUntilEnd: true }),
    await openAuction(server, { cancellableUntilEnd: true }),
  ]
  const states: string[] = []
  const onState: StreamOptions['onState'] = (state) => void (state !== states.at(-1) && states.push(state))
  const seen: unknown[] = []
  for await (const event of createAuctionClient({ baseUrl: server.url, token: newCaller() }).follow([2, 1, 9], {
    onState,
  })) {
    seen.push(event.type === 'auction' ? [event.auction.id, event.auction.status] : event)
    if (seen.length === 3) for (const auction of auctions) await auction.cancelAuction()
  }
  expect(seen.slice(0, 3)).toEqual([{ type: 'missing', ids: [9] }, [2, 'Active'], [1, 'Active']])
  expect(new Set(seen.slice(3))).toEqual(
    new Set([
      [1, 'Cancelled'],
      [2, 'Cancelled'],
    ]),
  )
  expect(states).toEqual(['connecting', 'live'])
})
