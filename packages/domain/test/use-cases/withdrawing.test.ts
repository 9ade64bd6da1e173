import { sampleNewBid } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { toUserId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  allOf,
  auctionIdOf,
  buy,
  codeOf,
  createAuction,
  keyOf,
  ledgerOf,
  newBid,
  serveAuction,
  serveContested,
  storeHiding,
  withdraw,
} from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

describe('a withdrawal', () => {
  test('restores the leader, the price and the number of bids as they were without the bidder', async () => {
    const { service, auction } = await serveContested()
    const view = unwrap(await withdraw(service, auction, 4))
    expect(view).toMatchObject({ leaderId: 2, leaderMaximumMinor: 15_000, currentPriceMinor: 11_500, bidCount: 3 })
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 4 })
    const [entry] = (await ledgerOf(service.store, auction)).slice(-1)
    expect(entry?.event).toMatchObject({ type: 'withdrawn', bidderId: 4, reason: 'Slip.', editor: 'staff' })
    // Then user 2 goes, too.
    expect(unwrap(await withdraw(service, auction, 2))).toMatchObject({ leaderId: 3, currentPriceMinor: 11_000 })
    const unbid = unwrap(await withdraw(service, auction, 3))
    expect(unbid).toMatchObject({ leaderId: undefined, currentPriceMinor: 10_000, bidCount: 0 })
  })

  test('lets the bidder bid again, unless and while the bidder is blocked', async () => {
    const { service, auction } = await serveAuction({ buyNowPrice: 900 })
    const bid = async () => codeOf(await service.placeBid(newBid(auction, 2, 100)))
    const retry = keyOf('unblock')
    await bid()
    unwrap(await withdraw(service, auction, 2))
    expect([codeOf(await withdraw(service, auction, 2)), await bid()]).toEqual(['no-bids-of-bidder', 'accepted'])
    unwrap(await withdraw(service, auction, 2, { block: true }))
    expect([await bid(), codeOf(await buy(service, auction, 2))]).toEqual(['bidder-blocked', 'bidder-blocked'])
    const value = unwrap(await withdraw(service, auction, 2, { block: false, retry }))
    const again = await withdraw(service, auction, 2, { block: false, retry })
    expect(again).toMatchObject({ value, isRepeated: true })
    expect(codeOf(await withdraw(service, auction, 2, { retry }))).toBe('idempotency-key-reused')
    unwrap(await withdraw(service, auction, 3, { block: true }))
    expect(codeOf(await buy(service, auction, 3))).toBe('bidder-blocked')
    unwrap(await buy(service, auction, 2))
    const { items } = unwrap(await service.listEvents(auction.id, { after: 0, limit: 100 }))
    const blocks = items.flatMap((event) => (event.type === 'withdrawn' ? [event.isBlocked] : []))
    expect(blocks).toEqual([undefined, true, false, true])
  })

  test('is possible after the end, until the result is recorded', async () => {
    const { service, auction } = await serveContested()
    service.clock.set('2030-02-07T12:00:01Z')
    unwrap(await withdraw(service, auction, 4))
    service.clock.set('2030-02-07T12:00:02Z')
    await service.closeDue()
    const { result } = unwrap(await service.readAuction(auction.id))
    expect(result).toMatchObject({ outcome: 'sold', winnerId: 2, priceMinor: 11_500 })
    expect(codeOf(await withdraw(service, auction, 2))).toBe('auction-ended')
  })

  test('with a key is recorded once, even if the bidder has bid again', async () => {
    const { service, auction } = await serveContested()
    const retry = keyOf('withdraw')
    unwrap(await withdraw(service, auction, 4, { retry }))
    unwrap(await service.placeBid(newBid(auction, 4, 600)))
    expect(await withdraw(service, auction, 4, { retry })).toMatchObject({ ok: true, isRepeated: true })
    for (const block of [true, false])
      expect(codeOf(await withdraw(service, auction, 4, { retry, block }))).toBe('idempotency-key-reused')
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ leaderId: 4, sequence: 5 })
  })

  test('of an unknown auction or of a user who has not bid is refused', async () => {
    const { service, auction } = await serveContested()
    expect(codeOf(await withdraw(service, { id: auctionIdOf(99) }, 2))).toBe('auction-not-found')
    expect(codeOf(await withdraw(service, auction, 5))).toBe('no-bids-of-bidder')
    expect(await ledgerOf(service.store, auction)).toHaveLength(3)
    const quiet = await createAuction(service)
    expect(codeOf(await withdraw(service, quiet, 5))).toBe('no-bids-of-bidder')
    expect(unwrap(await withdraw(service, quiet, 5, { block: true }))).toMatchObject({ bidCount: 0, repairCount: 1 })
  })

  test.each([true, undefined])('includes the bids on an auction that was just being created', async (block) => {
    const { service, auction } = await serveContested({ store: storeHiding(1) })
    expect(unwrap(await withdraw(service, auction, 4, { block }))).toMatchObject({ leaderId: 2 })
  })

  test('costs one append of one entry, and one read of each page of the ledger, if bids are withdrawn', async () => {
    const { store, calls } = createCountingStore()
    const { service, auction } = await serveContested({ store })
    calls.length = 0
    const retry = keyOf('k')
    unwrap(await withdraw(service, auction, 4, { block: true, retry }))
    expect(calls).toStrictEqual([
      ...['findAuction', 'findHeads', 'findEntriesByKey', 'listEntries', 'findHeads', 'append'],
    ])
    calls.length = 0
    unwrap(await withdraw(service, auction, 4, { block: true, retry }))
    unwrap(await withdraw(service, auction, 4, { block: false }))
    expect(codeOf(await withdraw(service, auction, 5))).toBe('no-bids-of-bidder')
    expect(calls.filter((call) => call === 'listEntries')).toHaveLength(1) // For the user without bids.
  })

  test('reads a long ledger from the first bid of the bidder', async () => {
    const { store, calls } = createCountingStore()
    const { service, auction } = await serveAuction({ startingPrice: 1, minimumBidIncrement: 0.01 }, { store })
    for (let count = 0; count < 2_000; count++)
      unwrap(await service.placeBid(newBid(auction, count < 1_500 ? 2 : 3, count + 1)))
    calls.length = 0
    unwrap(await withdraw(service, auction, 3))
    const reads = ['listBidderEntries', 'listBidderEntries', 'listEntries', 'listEntries']
    expect(calls).toStrictEqual(['findAuction', 'findHeads', ...reads, 'findHeads', 'append'])
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ leaderId: 2, bidCount: 1_500 })
    // The other bids begin with the ledger, so it is read whole.
    unwrap(await withdraw(service, auction, 2))
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ leaderId: undefined, bidCount: 0 })
    expect(codeOf(await withdraw(service, auction, 3))).toBe('no-bids-of-bidder')
  })
})

describe('bids of a bidder after a withdrawal', () => {
  test('stay readable, marked as withdrawn like the automatic bids that replied to them', async () => {
    const { service, auction } = await serveContested()
    unwrap(await withdraw(service, auction, 3))
    unwrap(await service.placeBid(newBid(auction, 3, 600)))
    const { items } = unwrap(await service.listBids(auction.id, { limit: 10 }))
    const marked = items.map(({ bidderId, amountMinor, isWithdrawn }) => [bidderId, amountMinor / 100, isWithdrawn])
    expect(marked).toStrictEqual([
      ...[
        [3, 600, undefined],
        [4, 500, undefined],
      ],
      ...[
        [2, 115, true],
        [3, 110, true],
        [2, 100, undefined],
      ],
    ])
    for (const bid of items) expect(unwrap(await service.readBid(bid.id)).isWithdrawn).toBe(bid.isWithdrawn)
    const own = unwrap(await service.listBidsOfBidder(toUserId(3), { limit: 10 })).items
    expect(own.map(({ bid, standing }) => [bid.isWithdrawn, standing])).toStrictEqual([
      ...[
        [undefined, 'leading'],
        [true, 'leading'],
      ],
    ])
  })

  test('leave no automatic bid above the price that counts, but that of the leader', async () => {
    const { service, auction } = await serveAuction()
    for (const [bidderId, amount, maximumAmount] of [
      [2, 100, 250],
      [3, 150, 280],
    ] as const)
      unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId, amount, maximumAmount })))
    expect(unwrap(await withdraw(service, auction, 2))).toMatchObject({ currentPriceMinor: 15_000, bidCount: 1 })
    const { items } = unwrap(await service.listBids(auction.id, { limit: 10 }))
    const marked = items.map(({ amountMinor, isWithdrawn }) => [amountMinor / 100, isWithdrawn])
    expect(marked).toStrictEqual([
      ...[
        [255, true],
        [150, undefined],
        [100, true],
      ],
    ])
    for (const bid of items) expect(unwrap(await service.readBid(bid.id)).isWithdrawn).toBe(bid.isWithdrawn)
  })

  test('stay in the list, whatever raised maximums follow the withdrawal', async () => {
    const { service, auction } = await serveContested()
    unwrap(await withdraw(service, auction, 4))
    for (let maximumAmount = 151; maximumAmount < 160; maximumAmount++)
      unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 2, amount: 1, maximumAmount })))
    const bids = await allOf((before?: number) => service.listBids(auction.id, { limit: 1, before }))
    expect(bids.map(({ amountMinor }) => amountMinor / 100)).toStrictEqual([500, 115, 110, 100])
  })
})
