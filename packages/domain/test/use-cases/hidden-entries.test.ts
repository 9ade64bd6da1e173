import { expect, onTestFinished, test } from 'vitest'
import { parseExtension } from '../../src/public/parsing.ts'
import { createAuctionService } from '../../src/service.ts'
import { tailMs } from '../../src/use-cases/watch-auctions.ts'
import { createSteppedClock } from '../support/clocks.ts'
import { dueTime, serveSealed, usesOf } from '../support/sealed.ts'
import { openTime } from '../support/service.ts'

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
  const { value: extension } = parseExtension({ endTime: '2030-02-07T13:00:00Z', reason: 'Outage.' }) as never
  await service.extendAuction({ auctionId: auction.id, extension, editor: 'staff' })
  await bids(served)
  await withdraw(7, true)
  await look()
  clock.set('2030-02-07T13:00:02Z')
  await service.closeDue()
  await look()
  // The ids of entries tell little of their number, because bids skip some; with this sealer they skip none.
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
