import { expect, onTestFinished, test } from 'vitest'
import { parseExtension } from '../../src/public/parsing.ts'
import { createAuctionService } from '../../src/service.ts'
import { pollMs, tailMs } from '../../src/use-cases/watch-auctions.ts'
import { createSteppedClock } from '../support/clocks.ts'
import { dueTime, serveSealed, usesOf } from '../support/sealed.ts'
import { createAuction, openTime } from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

// What everyone may see of an auction whose bids are secret does not depend on the bids: also no position and no sequence.

type Served = Awaited<ReturnType<typeof serveSealed>>
type Bids = (uses: Served) => Promise<unknown>

/** A few bids, and many of which the same count. */
const few: Bids = async ({ bid }) => [await bid(2, 150), await bid(3, 120)]
const many: Bids = async ({ bid, withdrawOwn }) => {
  for (const [bidder, amount] of [
    [3, 900],
    [4, 5_000],
    [2, 101],
    [3, 120],
    [2, 150],
  ] as const)
    await bid(bidder, amount)
  return withdrawOwn(4)
}

const { value: extension } = parseExtension({ endTime: '2030-02-07T13:00:00Z', reason: 'Outage.' }) as never

/** What a reader sees of an auction with these bids, at each stage. */
async function seenWith(bids: Bids) {
  const served = await serveSealed()
  const { service, auction, clock, withdraw } = served
  const seen: unknown[] = []
  onTestFinished(service.watchAuction(auction.id, (sequence) => seen.push({ noticed: sequence })))
  service.extend({ onStored: (stored) => seen.push({ stored }) })
  const look = async () => {
    const at = (position: number) => service.readAuctionAt(auction.id, position)
    const page = (after: number, limit = 100) => service.listEvents(auction.id, { after, limit })
    seen.push(
      await Promise.all([
        service.readAuction(auction.id),
        service.listAuctions({ order: 'newest', limit: 10 }),
        service.listRepairs(auction.id),
        ...[0, 1, 2, 3, 4, 9].flatMap((position) => [at(position), page(position), page(position, 1)]),
      ]),
    )
  }
  await look()
  await bids(served)
  await look()
  await service.extendAuction({ auctionId: auction.id, extension, editor: 'staff' })
  await bids(served)
  await withdraw(7, true)
  await look()
  clock.set('2030-02-07T13:00:02Z')
  await service.closeDue()
  await look()
  // The ids of entries do not count them, because they are drawn at random; with this sealer, they are in order.
  return JSON.parse(JSON.stringify(seen, (name, value) => (['bidId', 'entryIds'].includes(name) ? undefined : value)))
}

test('auctions with other bids, of which the same count, give readers the same at each stage', async () => {
  const [one, other] = [await seenWith(few), await seenWith(many)]
  expect(other).toEqual(one)
  // It has each of the entries that everyone may see, and they count from 1.
  const all = JSON.stringify(one)
  expect(all).toContain('"result":{"outcome":"sold","winnerId":2,"priceMinor":12000,"bidderCount":2}')
  expect([...all.matchAll(/"noticed":(\d+)/g)].map(([, sequence]) => sequence)).toEqual(['1', '2', '3'])
  expect([...all.matchAll(/"stored":(\{[^}]*\})/g)].map(([, stored]) => JSON.parse(stored ?? ''))).toEqual(
    [1, 2, 3].map((sequence) => ({ auctionId: 1, first: sequence, last: sequence })),
  )
})

test('a position in time is refused until the result, and shows the auction at that time after it', async () => {
  const { service, auction, clock, bid } = await serveSealed()
  await bid(2, 150)
  const at = (iso: string) => service.readAuctionAt(auction.id, { iso, epochMs: Date.parse(iso) } as never)
  const pointer = { refusal: { errors: [{ pointer: '/at', message: expect.stringContaining('before the result') }] } }
  expect(await at(openTime)).toMatchObject(pointer)
  clock.set(dueTime)
  expect(await at(openTime)).toMatchObject(pointer)
  await service.closeDue()
  expect(await at(openTime)).toMatchObject({ value: { status: 'Active', sequence: 0, result: undefined } })
  expect(await service.readAuctionAt(auction.id, 1)).toMatchObject({ value: { status: 'Ended', sequence: 1 } })
})

test('bids on another server wake no follower, and what follows them does', async () => {
  const clock = createSteppedClock(openTime)
  const one = await serveSealed({ clock })
  const other = usesOf(createAuctionService({ store: one.store, clock, sealer: one.sealer }), one.auction.id)
  const seen: number[] = []
  onTestFinished(one.service.watchAuction(one.auction.id, (sequence) => seen.push(sequence)))
  await other.withdraw(7, true)
  await clock.pass(2 * tailMs)
  await other.bid(2, 150)
  await other.bid(3, 160)
  await clock.pass(40 * tailMs)
  expect(seen).toEqual([1])
  await other.withdraw(8, true)
  await clock.pass(40 * tailMs)
  expect(seen).toEqual([1, 2])
})

/** A server that watches the sealed auction of another one, and has watched another auction for some time. */
async function serveWatching({ hasEntry, isTold }: { readonly hasEntry: boolean; readonly isTold: boolean }) {
  const clock = createSteppedClock(openTime)
  const one = await serveSealed({ clock })
  const { appendedSince, ...silent } = one.store
  const { store, calls } = createCountingStore({
    ...silent,
    ...(isTold && { appendedSince }),
    async findHeads(ids) {
      // The pause after a read depends on the time that it took.
      clock.advance(5)
      return one.store.findHeads(ids)
    },
  })
  const service = createAuctionService({ store, clock, sealer: one.sealer })
  if (hasEntry) await one.withdraw(7, true)
  onTestFinished(service.watchAuction((await createAuction(one.service)).id, () => undefined))
  await clock.pass(8 * pollMs)
  calls.length = 0
  const seen: { readonly sequence: number; readonly atMs: number }[] = []
  onTestFinished(service.watchAuction(one.auction.id, (sequence) => seen.push({ sequence, atMs: clock.nowMs() })))
  return { one, uses: usesOf(service, one.auction.id), clock, seen, calls }
}

type Watch = { readonly hasEntry: boolean; readonly isTold: boolean; readonly extendedAfterMs: number }

/** What a watching server notices, when, and its calls of the store until then, if there are such bids elsewhere. */
async function noticedWith(bids: Bids, { extendedAfterMs, ...watch }: Watch) {
  const { one, clock, seen, calls } = await serveWatching(watch)
  const startMs = clock.nowMs()
  await bids(one)
  await clock.pass(extendedAfterMs / 2)
  await bids(one)
  await clock.pass(extendedAfterMs / 2)
  await one.service.extendAuction({ auctionId: one.auction.id, extension, editor: 'staff' })
  for (let passed = 0; passed < 4 * pollMs; passed += tailMs) {
    await clock.pass(tailMs)
    await bids(one)
  }
  await clock.pass(60_000)
  return { seen: seen.map(({ sequence, atMs }) => ({ sequence, delayMs: atMs - startMs })), calls }
}

const watches: readonly Watch[] = [true, false].flatMap((isTold) =>
  [true, false].flatMap((hasEntry) =>
    [0, 2, 2 * tailMs, 2_000].map((extendedAfterMs) => ({ isTold, hasEntry, extendedAfterMs })),
  ),
)

test.each(watches)('bids elsewhere change neither what is noticed, nor when, nor what is read: %j', async (watch) => {
  const without = await noticedWith(async () => undefined, watch)
  expect(await noticedWith(({ bid }) => bid(2, 150), watch)).toEqual(without)
  expect(await noticedWith(few, watch)).toEqual(without)
  expect(without.seen.at(-1)?.sequence).toBe(watch.hasEntry ? 2 : 1)
  expect(without.seen.at(-1)?.delayMs).toBeLessThan(watch.extendedAfterMs + 2 * pollMs)
})

test('a bid on the watching server tells nothing, either', async () => {
  const { one, uses, clock, seen } = await serveWatching({ hasEntry: true, isTold: true })
  await uses.bid(2, 150)
  expect(seen).toEqual([])
  await clock.pass(2 * pollMs)
  expect(seen.map(({ sequence }) => sequence)).toEqual([1])
  await one.withdraw(8, true)
  // It meets a conflict, and so reads the entry of the other server.
  await uses.bid(3, 150)
  expect(seen.length).toBe(1)
  await uses.withdraw(9, true)
  expect(seen.at(-1)?.sequence).toBe(3)
})
