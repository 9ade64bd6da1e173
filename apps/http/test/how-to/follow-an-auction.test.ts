import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { clientOf, newCaller, openAuction, runningNow } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret } from '../support/tokens.ts'
// @ts-expect-error: plain JavaScript, as the page has it
import { followAuction as untyped } from './scripts/follow-auction.js'

type Follow = (
  url: string,
  token: string,
  onEvent: (event: string, data: { readonly sequence: number }) => void,
  position?: number,
) => Promise<void>
const followAuction: Follow = untyped

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const eventsOf = (url: string, id: number) => `${url}/api/Auctions/${id}/Events`

test('the script of the page gets each event once while the server is killed and starts again', async () => {
  const environment = { JWT_SECRET: secret, SQLITE_FILE: 'auctions.sqlite' }
  const folder = temporaryFolder()
  const token = newCaller()
  const first = await startServerProcess(environment, { folder })
  const { id } = await openAuction(first, runningNow(), token)
  const seen: (readonly [string, number])[] = []
  const { promise: sawBid, resolve } = Promise.withResolvers<void>()
  const following = followAuction(eventsOf(first.url, id), token, (event, { sequence }) => {
    seen.push([event, sequence])
    if (event === 'bid') resolve()
  })
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

test('the script of the page fails for an auction that does not exist, and does not try again', async () => {
  const server = await startServer()
  const following = followAuction(eventsOf(server.url, 9), newCaller(), () => undefined)
  await expect(following).rejects.toThrow('auction-not-found')
})

test('the script of the page fails with the errors of its callback, of any type, and leaves', async () => {
  const server = await startServer()
  const { id } = await openAuction(server)
  for (const error of [new Error('wrong'), new TypeError('wrong')]) {
    const following = followAuction(eventsOf(server.url, id), newCaller(), () => {
      // The script must still end its request.
      collectGarbage()
      throw error
    })
    await expect(following).rejects.toBe(error)
  }
  await server.logged(/"path":"\/api\/Auctions\/1\/Events","status":200.*"unseen":true/, 2)
  await expect(followAuction('http://', newCaller(), () => undefined)).rejects.toThrow(TypeError)
})

test('the script of the page follows several auctions until all are over', async () => {
  const server = await startServer()
  const auctions = [
    await openAuction(server, { cancellableUntilEnd: true }),
    await openAuction(server, { cancellableUntilEnd: true }),
  ]
  const seen: string[] = []
  const url = `${server.url}/api/Auctions/Events?ids=${auctions.map(({ id }) => id)}`
  const following = followAuction(url, newCaller(), (event) => void seen.push(event))
  await expect.poll(() => seen).toEqual(['auction', 'auction'])
  for (const auction of auctions) await auction.cancelAuction()
  await following
  expect(seen).toEqual(['auction', 'auction', 'auction', 'auction', 'bye'])
})
