import type { MemoryStore } from '@auction/adapters/memory'
import { StoreUnavailableError } from '@auction/domain/ports/store-unavailable'
import { expect, test } from 'vitest'
import type { Store } from '../src/server/store.ts'
import { clientOf, problem } from './support/client.ts'
import { startServer } from './support/server.ts'

const planted = 'mongodb://admin:hunter2@db.internal/auctions refused at /srv/app/ledger.ts:12'

const failing = (error: Error) => async (): Promise<never> => {
  throw error
}
const unavailable = failing(new StoreUnavailableError('the store did not answer', { cause: new Error(planted) }))

/** The operations of a part of the store, which work until the test breaks them. */
function breakable<Part extends object>(part: Part, names: readonly (keyof Part)[], isBroken: () => boolean): Part {
  return new Proxy(part, {
    get: (target, name, receiver) =>
      isBroken() && names.some((known) => known === name) ? unavailable : Reflect.get(target, name, receiver),
  })
}

async function serverThatBreaks(replace: (store: MemoryStore, isBroken: () => boolean) => Partial<Store>) {
  let broken = false
  const server = await startServer({ replaceInStore: (store) => replace(store, () => broken) })
  await clientOf(server).createAuction()
  broken = true
  return { server, anna: clientOf(server) }
}

const nothingChanged = /nothing was changed/
const unknown = /unknown/

test.each<
  [
    what: string,
    replace: (store: MemoryStore, isBroken: () => boolean) => Partial<Store>,
    headers: Readonly<Record<string, string>>,
    message: RegExp,
  ]
>([
  [
    'before its auction was found',
    ({ auctions }, is) => ({ auctions: breakable(auctions, ['find'], is) }),
    {},
    nothingChanged,
  ],
  ['before its head was read', ({ ledger }, is) => ({ ledger: breakable(ledger, ['head'], is) }), {}, nothingChanged],
  ['before it had an id', ({ bidIds }, is) => ({ bidIds: breakable(bidIds, ['next'], is) }), {}, nothingChanged],
  [
    'before its key was known',
    ({ idempotencyKeys }, is) => ({ idempotencyKeys: breakable(idempotencyKeys, ['latest'], is) }),
    { 'idempotency-key': 'one' },
    // An earlier try with the key may have changed something.
    /nothing was changed by this request.*same Idempotency-Key/,
  ],
  ['in its append', ({ ledger }, is) => ({ ledger: breakable(ledger, ['append', 'find'], is) }), {}, /unknown.*look/],
  [
    'in its append, with a key',
    ({ ledger }, is) => ({ ledger: breakable(ledger, ['append', 'find'], is) }),
    { 'idempotency-key': 'one' },
    /unknown.*same Idempotency-Key/,
  ],
])('a bid that the store fails %s is 503, which says what became of it', async (_what, replace, headers, message) => {
  const { server, anna } = await serverThatBreaks(replace)
  const failed = await anna.placeBid({}, headers)
  expect(failed).toMatchObject(problem(503, 'store-unavailable'))
  expect(failed.body.message).toMatch(message)
  expect(failed.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(failed.text).not.toMatch(/mongodb|hunter2|\.ts/)
  // The cause is in the log, under the id that the answer carries.
  const logged = server.log.find((line) => line.includes('hunter2'))
  expect(logged).toContain(failed.headers.get('x-request-id'))
})

test('an auction whose insert is lost is 503 with its outcome unknown', async () => {
  const { anna } = await serverThatBreaks(({ auctions }, is) => ({ auctions: breakable(auctions, ['insert'], is) }))
  const failed = await anna.createAuction()
  expect(failed).toMatchObject(problem(503, 'store-unavailable'))
  expect(failed.body.message).toMatch(unknown)
})

test.each(['/api/Auctions', '/api/Auctions/1', '/api/Bids/1', '/api/Auctions/1/Bids'])(
  'reading %s while the store does not answer is 503, and changed nothing',
  async (path) => {
    const { anna } = await serverThatBreaks(({ auctions, ledger }, is) => ({
      auctions: breakable(auctions, ['find', 'list'], is),
      ledger: breakable(ledger, ['find', 'head', 'page'], is),
    }))
    const failed = await anna.get(path)
    expect(failed).toMatchObject(problem(503, 'store-unavailable'))
    expect(failed.body.message).toMatch(nothingChanged)
  },
)

test.each([
  ['an error', new Error(planted)],
  ['an error that claims a status', Object.assign(new Error(planted), { statusCode: 404 })],
  ['an error with headers', Object.assign(new Error(planted), { headers: { 'x-leak': planted } })],
])('§7: %s from inside is 500, and nothing of it leaks', async (_what, error) => {
  const server = await startServer({
    replaceInStore: ({ auctions }) => ({ auctions: { ...auctions, find: failing(error) } }),
  })
  const failed = await clientOf(server).get('/api/Auctions/1')
  expect(failed).toMatchObject(problem(500, 'internal'))
  expect(failed.body.requestId).toBe(failed.headers.get('x-request-id'))
  expect(failed.text + [...failed.headers].join()).not.toMatch(/mongodb|hunter2|\.ts/)
  expect(server.log.find((line) => line.includes('hunter2'))).toContain(failed.body.requestId)
})
