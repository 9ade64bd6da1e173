import { StoreUnavailableError } from '@auction/domain/errors'
import type { Store } from '@auction/domain/store'
import { describe, expect, test } from 'vitest'
import { type Answer, type Client, clientOf, problem } from './support/client.ts'
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

type Send = (client: Client, headers: Readonly<Record<string, string>>) => Promise<Answer>

const commands: readonly (readonly [what: string, send: Send])[] = [
  ['a bid', (client, headers) => client.placeBid({}, headers)],
  ['a purchase', (client, headers) => client.buyNow({}, headers)],
  ['a cancellation', (client, headers) => client.cancelAuction({}, headers)],
]

const nothingChanged = /this request changed nothing/
const unknown = /unknown/

describe.each(commands)('%s', (_command, send) => {
  test.each<
    [what: string, operations: readonly (keyof Store)[], headers: Readonly<Record<string, string>>, message: RegExp]
  >([
    ['before its auction was found', ['findAuction'], {}, nothingChanged],
    ['before its head was read', ['findHeads'], {}, nothingChanged],
    ['before it had an id', ['claimIdBlock'], {}, nothingChanged],
    [
      'before its auction was found, with a key',
      ['findAuction'],
      { 'idempotency-key': 'one' },
      // An earlier try with the key may have changed something.
      /this request changed nothing.*same Idempotency-Key/,
    ],
    ['in its append', ['append', 'findEntries'], {}, /unknown.*Check/],
    [
      'in its append, with a key',
      ['append', 'findEntries'],
      { 'idempotency-key': 'one' },
      /unknown.*same Idempotency-Key/,
    ],
  ])('a failure of the store %s is 503 with the outcome', async (_what, operations, headers, message) => {
    const { server, anna } = await serverThatBreaks(operations)
    const failed = await send(anna, headers)
    expect(failed).toMatchObject(problem(503, 'store-unavailable'))
    expect(failed.body.message).toMatch(message)
    expect(failed.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(failed.text).not.toMatch(/mongodb|hunter2|\.ts/)
    // The cause is in the log, at level `debug`, with the request id of the response.
    const [outage, ...logged] = server.log.filter((line) => line.includes('hunter2'))
    expect(JSON.parse(outage ?? '')).toMatchObject({ level: 40 })
    expect(logged).toEqual([expect.stringContaining(`"requestId":"${failed.headers.get('x-request-id')}"`)])
  })
})

test.each(commands.slice(1))(
  '%s that is stored, but cannot be read back, is 503 with an unknown outcome, and its key returns it',
  async (_what, send) => {
    const { anna, setBroken } = await serverThatBreaks(['findAuction'])
    setBroken(false)
    // This caches the terms of the auction.
    await anna.placeBid()
    setBroken(true)
    const key = { 'idempotency-key': 'one' }
    const failed = await send(anna, key)
    expect(failed).toMatchObject(problem(503, 'store-unavailable'))
    expect(failed.body.message).toMatch(/unknown.*same Idempotency-Key/)
    setBroken(false)
    const settled = await send(anna, key)
    expect(settled.status).toBe(201)
    expect(settled.body.data).toEqual((await anna.get('/api/Auctions/1')).body.data)
  },
)

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

test.each([
  ['an error', new Error(planted)],
  ['an error that claims a status', Object.assign(new Error(planted), { statusCode: 404 })],
  ['an error with headers', Object.assign(new Error(planted), { headers: { 'x-leak': planted } })],
])('§7: %s in the server is 500, and the response does not show it', async (_what, error) => {
  const server = await startServer({
    replaceInStore: () => ({ findAuction: failing(error) }),
  })
  const failed = await clientOf(server).get('/api/Auctions/1')
  expect(failed).toMatchObject(problem(500, 'internal'))
  expect(failed.body.requestId).toBe(failed.headers.get('x-request-id'))
  expect(failed.text + [...failed.headers].join()).not.toMatch(/mongodb|hunter2|\.ts/)
  expect(server.log.find((line) => line.includes('hunter2'))).toContain(failed.body.requestId)
})
