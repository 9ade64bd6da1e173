import { createMemoryStore } from '@auction/adapters/memory'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { Store } from '@auction/domain/store'
import { expect, test } from 'vitest'
import { type ApiResponse, type Client, clientOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'

const planted = 'mongodb://admin:hunter2@db.internal/auctions refused at /srv/app/ledger.ts:12'

const failing = (error: Error) => async (): Promise<never> => {
  throw error
}
const unavailable = failing(new StoreUnavailableError('the store did not respond', { cause: new Error(planted) }))

/** A server whose store fails in these operations. Another server created its auction, so it is not cached. */
async function serverThatBreaks(operations: readonly (keyof Store)[]) {
  let isBroken = false
  const other = await startServer()
  await clientOf(other).createAuction({ reservePrice: 300, buyNowPrice: 500, cancellableUntilEnd: true })
  const broken = operations.map((name) => {
    const operation = other.store[name] as (...values: unknown[]) => unknown // The arguments fit any operation.
    return [name, (...values: unknown[]) => (isBroken ? unavailable() : operation(...values))]
  })
  const server = await startServer({
    environment: { LOG_LEVEL: 'debug' },
    replaceInStore: () => ({ ...other.store, ...Object.fromEntries(broken) }),
  })
  const anna = clientOf(server)
  const setBroken = (broken: boolean) => {
    isBroken = broken
  }
  setBroken(true)
  return { server, anna, setBroken }
}

const nothingChanged = /this request changed nothing/
const unknown = /unknown/
const key = { 'idempotency-key': 'one' }

// The tests of the domain, in `use-cases`, cover which outcomes of each command are known.
test.each<{
  readonly when: string
  readonly operations: readonly (keyof Store)[]
  readonly headers?: Readonly<Record<string, string>>
  readonly message: RegExp
}>([
  { when: 'before its auction was found', operations: ['findAuction'], message: nothingChanged },
  { when: 'before its head was read', operations: ['findHeads'], message: nothingChanged },
  { when: 'before it had an id', operations: ['claimNextIdBlock'], message: nothingChanged },
  {
    when: 'before its auction was found, with a key',
    ...{ operations: ['findAuction'], headers: key },
    // An earlier try with the key may have changed something.
    message: /this request changed nothing.*same Idempotency-Key/,
  },
  { when: 'in its append', operations: ['append', 'findEntries'], message: /unknown.*Check/ },
  {
    when: 'in its append, with a key',
    ...{ operations: ['append', 'findEntries'], headers: key },
    message: /unknown.*same Idempotency-Key/,
  },
])('a bid for which the store fails $when is 503 with the outcome', async ({ operations, headers, message }) => {
  const { server, anna } = await serverThatBreaks(operations)
  const failed = await anna.placeBid({}, headers)
  expect(failed).toMatchObject(problem(503, 'store-unavailable'))
  expect(failed.body.message).toMatch(message)
  expect(failed.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(failed.text).not.toMatch(/mongodb|hunter2|\.ts/)
  // The cause is in the log, at level `debug`, with the request id of the response.
  const [outage, ...logged] = server.log.filter((line) => line.includes('hunter2'))
  expect(JSON.parse(outage ?? '')).toMatchObject({ level: 40 })
  expect(logged).toEqual([expect.stringContaining(`"requestId":"${failed.headers.get('x-request-id')}"`)])
})

test.each<{ readonly name: string; send(client: Client): Promise<ApiResponse> }>([
  { name: 'a purchase', send: (client) => client.buyNow({}, key) },
  { name: 'a cancellation', send: (client) => client.cancelAuction({}, key) },
])('$name that is stored, but cannot be read back, is 503, and its key returns it', async ({ send }) => {
  const { anna, setBroken } = await serverThatBreaks(['findAuction'])
  setBroken(false)
  // This caches the terms of the auction.
  await anna.placeBid()
  setBroken(true)
  const failed = await send(anna)
  expect(failed.status).toBe(503)
  expect(failed.body.message).toMatch(/unknown.*same Idempotency-Key/)
  setBroken(false)
  const settled = await send(anna)
  expect(settled.status).toBe(201)
  expect(settled.body.data).toEqual((await anna.get('/api/Auctions/1')).body.data)
})

test('a lost insert of an auction is 503 with an unknown outcome', async () => {
  const { anna } = await serverThatBreaks(['insertAuction'])
  const failed = await anna.createAuction()
  expect(failed).toMatchObject(problem(503, 'store-unavailable'))
  expect(failed.body.message).toMatch(unknown)
})

test.each(['/api/Auctions', '/api/Auctions/1', '/api/Bids/1', '/api/Auctions/1/Bids'])(
  'reading %s while the store does not respond is 503',
  async (path) => {
    const { anna } = await serverThatBreaks(['findAuction', 'listAuctions', 'findEntries', 'findHeads', 'listEntries'])
    const failed = await anna.get(path)
    expect(failed).toMatchObject(problem(503, 'store-unavailable'))
    expect(failed.body.message).toMatch(nothingChanged)
  },
)

test.each(['/api/Auctions?q=desk', '/api/Bids?bidderId=2'])(
  '%s is 501 if the store does not support it, and other lists work',
  async (path) => {
    const { addTitleWords: _, listBidderEntries: __, ...store } = createMemoryStore()
    const server = await startServer({ store })
    const anna = clientOf(server)
    expect(await anna.get(path)).toMatchObject(
      problem(501, 'unsupported', { message: 'This service cannot do that, because its store does not support it.' }),
    )
    expect(await anna.get('/api/Auctions')).toMatchObject({ status: 200 })
    expect(await anna.get('/readyz')).toMatchObject({ status: 200 })
    expect(server.log.filter((line) => line.includes('"level":50'))).toEqual([])
  },
)

test.each([
  ['an error', new Error(planted)],
  ['an error that claims a status', Object.assign(new Error(planted), { statusCode: 404 })],
  ['an error with headers', Object.assign(new Error(planted), { headers: { 'x-leak': planted } })],
])('§7: %s in the server is 500, and the response does not show it', async (_what, error) => {
  const server = await startServer({ replaceInStore: () => ({ findAuction: failing(error) }) })
  const failed = await clientOf(server).get('/api/Auctions/1')
  expect(failed).toMatchObject(problem(500, 'internal'))
  expect(failed.body.requestId).toBe(failed.headers.get('x-request-id'))
  expect(failed.text + [...failed.headers].join()).not.toMatch(/mongodb|hunter2|\.ts/)
  expect(server.log.find((line) => line.includes('hunter2'))).toContain(failed.body.requestId)
})
