import { sampleCancellation, sampleCorrection } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { unwrap } from '../../src/values/result.ts'
import { createSteppedClock, everythingSettled } from '../support/clocks.ts'
import { createHeldService, storeAfterConflicts, turnMs } from '../support/held.ts'
import { amountsOf, codeOf, createAuction, createTestService, newBid, openTime } from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

test('lanes refuse bids on an auction with a full queue as overloaded, and only those', async () => {
  const { store, place, releaseUntil } = await createHeldService(2, { maxWaitingPerAuction: 2 })
  const first = place(1, 2, 100)
  const held = await store.nextAppend()
  const queued = [place(1, 2, 105), place(1, 2, 110)]
  expect(await place(1, 2, 115)).toEqual({ ok: false, refusal: { code: 'overloaded' } })
  const elsewhere = place(2, 2, 100)
  await everythingSettled()
  await held.release()
  await releaseUntil(3)
  expect((await Promise.all([first, ...queued, elsewhere])).map(codeOf)).toEqual(
    Array.from({ length: 4 }, () => 'accepted'),
  )
  const after = place(1, 2, 115)
  await releaseUntil(1)
  expect(codeOf(await after)).toBe('accepted')
})

test('lanes refuse a bid as overloaded if others keep taking its sequence', async () => {
  const { right, other, store, auction, place } = await createHeldService(1, { maxConflicts: 2 })
  const mine = place(1, 2, 1_000)
  for (const amount of [100, 200, 300]) {
    const held = await store.nextAppend()
    await other.placeBid(newBid(auction(1), 3, amount))
    expect(await held.release()).toBe(0)
  }
  expect(await mine).toEqual({ ok: false, refusal: { code: 'overloaded' } })
  expect(await amountsOf(right, auction(1))).toEqual([100, 200, 300])
})

test('lanes do not refuse a bid whose sequence a nearer process takes until that pauses', async () => {
  const { other, store, auction, place } = await createHeldService(1)
  const mine = place(1, 2, 10_000)
  for (let conflicts = 0; conflicts < 150; conflicts++) {
    const held = await store.nextAppend()
    await other.placeBid(newBid(auction(1), 3, 100 + conflicts * 5))
    expect(await held.release()).toBe(0)
  }
  expect(await (await store.nextAppend()).release()).toBe(1)
  expect(codeOf(await mine)).toBe('accepted')
})

test('lanes split waiting bids into appends of at most the given size', async () => {
  const { store, place, releaseUntil } = await createHeldService(1, { maxEntriesPerAppend: 3 })
  const placed = Array.from({ length: 9 }, (_, index) => place(1, 2, 100 + index * 5))
  const held = await store.nextAppend()
  await everythingSettled()
  await held.release()
  expect(await releaseUntil(8)).toEqual([3, 3, 2])
  expect((await Promise.all(placed)).map(codeOf)).toEqual(Array.from({ length: 9 }, () => 'accepted'))
})

test('limits apply to bids that waited during the turn of another process', async () => {
  const clock = createSteppedClock(openTime)
  const held = await createHeldService(1, { maxEntriesPerAppend: 3 }, clock)
  const { other, store, auction, place } = held
  await storeAfterConflicts(held)
  const [tooLow, ...waiting] = [390, 1_000, 1_005, 1_010, 1_015].map((amount) => place(1, 2, amount).then(codeOf))
  await other.placeBid(newBid(auction(1), 3, 400))
  const sizes: number[] = []
  while (sizes.length < 2) {
    const next = store.nextAppend()
    await clock.pass(2 * turnMs)
    const { entries, release } = await next
    sizes.push(entries.length)
    await release()
  }
  expect(await tooLow).toBe('bid-too-low')
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'accepted'))
  // The refused bid was one of the first three.
  expect(sizes).toEqual([2, 2])
})

test.each([
  ['short texts', 'x', 'x', 0],
  // Four auctions of 2,800 to 3,000 bytes each are cached.
  ['long reasons', '🏺'.repeat(499), 'x', 6],
  ['long reasons and titles', 'x'.repeat(500), '🏺'.repeat(200), 6],
])('lanes cache as many cancelled auctions with %s as their bytes allow', async (_, reason, title, readAgain) => {
  const { store, calls } = createCountingStore()
  const service = createTestService({ store, limits: { maxCachedBytes: 12_000 } })
  const auctions = await Promise.all(Array.from({ length: 10 }, () => createAuction(service)))
  for (const { id } of auctions) {
    unwrap(await service.correctAuction({ auctionId: id, correction: sampleCorrection({ title }), editor: 'staff' }))
    unwrap(await service.cancelAuction({ auctionId: id, cancellation: sampleCancellation(reason) }))
  }
  calls.length = 0
  for (const auction of auctions.toReversed()) {
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('auction-cancelled')
  }
  expect(calls.filter((call) => call === 'findHeads').length).toBe(readAgain)
})

test.each([
  { steps: 20, maxCachedBytes: 6_000, reads: 0 },
  { steps: 20, maxCachedBytes: 5_999, reads: 6 },
])(
  '$maxCachedBytes bytes for the cache make six bids on two auctions with $steps steps read $reads heads',
  async ({ steps, maxCachedBytes, reads }) => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store, limits: { maxCachedBytes } })
    const range = Array.from({ length: steps ?? 0 }, (_, index) => ({ fromPrice: 200 + index, increment: 5 }))
    const increments = steps === undefined ? {} : { incrementSteps: range }
    const auctions = [await createAuction(service, increments), await createAuction(service, increments)]
    for (const amount of [100, 105, 110]) {
      for (const auction of auctions) {
        expect(codeOf(await service.placeBid(newBid(auction, 2, amount)))).toBe('accepted')
        await everythingSettled()
      }
    }
    expect(calls.filter((call) => call === 'findHeads').length).toBe(reads)
  },
)
