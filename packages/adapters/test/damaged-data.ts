import { inspect } from 'node:util'
import { type AuctionService, createAuctionService, type Observer } from '@auction/domain'
import { type AuctionId, toAuctionId, toUserId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import type { AuctionPosition, Store } from '@auction/domain/store'
import { sampleEndTime, sampleNewAuction, sampleNewBid } from '@auction/testing/samples'
import { expect } from 'vitest'
import { createManualClock } from '../src/memory/index.ts'

/** Damages the stored data of a store. */
export type Damage = {
  /** For these auctions: each gets one of several kinds of damage, by its index. */
  readonly auctions: (ids: readonly number[]) => Promise<void>
  /** The entries of an auction. */
  readonly entriesOf: (auctionId: number) => Promise<void>
  /** Opens another handle on the data, without a cache. */
  readonly open: () => Promise<Store>
}

const openTime = '2030-01-31T13:00:00Z'
/** A reserve and a maximum, which must not appear in errors. */
const secret = 5133.33

async function fill(store: Store, count: number): Promise<void> {
  const service = createAuctionService({ store, clock: createManualClock(openTime) })
  for (let id = 1; id <= count; id++) unwrap(await service.createAuction(sampleNewAuction({ reservePrice: secret })))
  for (let id = 1; id <= count; id++) {
    unwrap(await service.placeBid(sampleNewBid({ auctionId: id, maximumAmount: secret })))
  }
}

/** The ids of all pages, in order. */
async function listed(service: AuctionService, order: 'newest' | 'agenda', limit: number) {
  const ids: number[] = []
  let after: AuctionPosition | undefined
  for (let pages = 0; pages < 100; pages++) {
    const query = { order, limit, ...(after && { after }), status: 'Active' } as const
    const page = unwrap(await service.listAuctions(query))
    ids.push(...page.items.map(({ auction }) => auction.id))
    if (page.next === undefined) return ids
    after = page.next
  }
  throw new Error('the list has no end')
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { returned: await call }
  } catch (error) {
    return error
  }
}

/** The text of an error in the log, with its causes. */
const shown = (error: unknown): string => inspect(error, { depth: 10 })

/** Unreadable auctions and heads block nothing else, are reported once, and fail when they are read alone. */
export async function expectSteppedOver(store: Store, damage: Damage): Promise<void> {
  await fill(store, 9)
  await damage.auctions([2, 4, 6])
  await damage.entriesOf(8)
  const clock = createManualClock(openTime)
  const reports: unknown[] = []
  const observer: Observer = { onUnreadable: (error) => reports.push(error) }
  const service = createAuctionService({ store: await damage.open(), clock, observer })

  for (const limit of [1, 2, 3, 100]) {
    expect(await listed(service, 'newest', limit)).toEqual([9, 7, 5, 3, 1])
    expect(await listed(service, 'agenda', limit)).toEqual([1, 3, 5, 7, 9])
  }
  for (const id of [2, 4, 6, 8] as readonly number[]) await expectFailing(service, toAuctionId(id))
  const placed = [1, 3, 5].map((auctionId) =>
    service.placeBid(sampleNewBid({ auctionId, bidderId: 3, amount: 6_000, maximumAmount: 9_000 })),
  )
  expect((await Promise.all(placed)).map(({ ok }) => ok)).toEqual([true, true, true])

  clock.set(sampleEndTime)
  clock.advance(60_000)
  expect(await service.closeDue()).toEqual({ closed: 5, left: 0 })
  clock.advance(120_000)
  expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
  for (const id of [1, 3, 5, 7, 9] as readonly number[]) {
    expect(unwrap(await service.readAuction(toAuctionId(id))).result).toBeDefined()
  }
  expect(reports.map(String).toSorted()).toEqual([
    expect.stringContaining('the stored auction 2 has an invalid field'),
    expect.stringContaining('the stored auction 4 has an invalid field'),
    expect.stringContaining('the stored auction 6 has an invalid field'),
    expect.stringMatching(/the stored entry \d+ of auction 8 has an invalid field/),
  ])
  expect(reports.map(shown).join()).not.toContain('5133')
}

async function expectFailing(service: AuctionService, id: AuctionId): Promise<void> {
  const calls = {
    read: service.readAuction(id),
    bid: service.placeBid(sampleNewBid({ auctionId: id, bidderId: 3, amount: 200 })),
    purchase: service.buyNow({ auctionId: id, buyerId: toUserId(3) }),
    cancellation: service.cancelAuction({ auctionId: id }),
    bids: service.listBids(id, { limit: 10 }),
  }
  for (const call of Object.values(calls)) {
    const error = shown(await errorOf(call))
    expect(error).toMatch(new RegExp(`auction ${id}\\b.* has an invalid field`))
    expect(error).not.toContain('5133')
  }
}

/** More auctions than one page of the closer are skipped, and later ones are closed. */
export async function expectManySteppedOver(store: Store, damage: Damage): Promise<void> {
  const count = 60
  await fill(store, count)
  await damage.auctions(Array.from({ length: count - 1 }, (_, index) => index + 1))
  const clock = createManualClock(openTime)
  const service = createAuctionService({ store: await damage.open(), clock })
  clock.set(sampleEndTime)
  clock.advance(60_000)
  expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  expect(unwrap(await service.readAuction(toAuctionId(count))).result).toMatchObject({ outcome: 'sold' })
}
