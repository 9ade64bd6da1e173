import { createManualClock, createMemoryStore, type ManualClock } from '@auction/adapters/memory'
import {
  type NewAuctionSample,
  sampleCancellation,
  sampleCorrection,
  sampleEarlyEnd,
  sampleEndTime,
  sampleExtension,
  sampleNewAuction,
  sampleNewBid,
  samplePurchase,
  sampleReserveReduction,
  sampleWithdrawal,
} from '@auction/testing/samples'
import type { Auction } from '../../src/auction/auction.ts'
import type { Bid } from '../../src/auction/bid.ts'
import type { CorrectionJson } from '../../src/auction/correction.ts'
import type { NewBid } from '../../src/auction/offers.ts'
import type { Limits } from '../../src/limits.ts'
import type { Observer } from '../../src/observer.ts'
import type { Sealer } from '../../src/sealer.ts'
import { type AuctionService, createAuctionService } from '../../src/service.ts'
import { isStoreUnavailable, StoreUnavailableError } from '../../src/store/errors.ts'
import type { AuctionPosition, CompleteStore, Entry, Store } from '../../src/store/store.ts'
import type { CorrectAuctionRequest } from '../../src/use-cases/correct-auction.ts'
import type { PlacedBid } from '../../src/use-cases/place-bid.ts'
import type { Checked } from '../../src/values/checked.ts'
import { toAuctionId } from '../../src/values/ids.ts'
import type { Page } from '../../src/values/page.ts'
import type { RetryKey } from '../../src/values/request-key.ts'
import { type Result, unwrap } from '../../src/values/result.ts'

export const endTime = sampleEndTime
/** An hour after auctions start. */
export const openTime = '2030-01-31T13:00:00Z'

export type TestService = AuctionService & { readonly store: Store; readonly clock: ManualClock }

type TestServiceParts = {
  readonly store?: Store
  readonly clock?: ManualClock
  readonly limits?: Partial<Limits>
  readonly observer?: Observer
  readonly sealer?: Sealer
}

/** The service of one process over a store, with a clock that stands still while auctions are open. */
export function createTestService({
  store = createMemoryStore(),
  clock = createManualClock(openTime),
  limits = {},
  observer,
  sealer,
}: TestServiceParts = {}): TestService {
  const parts = { store, clock, limits, ...(observer && { observer }), ...(sealer && { sealer }) }
  return { ...createAuctionService(parts), store, clock }
}

/** A store in memory with some operations replaced. */
export function storeWith(replaced: (right: CompleteStore) => Partial<Store>): Store {
  const right = createMemoryStore()
  return { ...right, ...replaced(right) }
}

/** A store in which the first reads of an auction find nothing, as if it were still being created. */
export const storeHiding = (reads: number): Store =>
  storeWith((right) => {
    let left = reads
    return { findAuction: async (id) => (left-- > 0 ? undefined : right.findAuction(id)) }
  })

export const newAuction = sampleNewAuction

export const createAuction = async (service: AuctionService, sample: NewAuctionSample = {}) =>
  unwrap(await service.createAuction(newAuction(sample)))

/** A service with an auction. */
export async function serveAuction(sample: NewAuctionSample = {}, parts: TestServiceParts = {}) {
  const service = createTestService(parts)
  return { service, auction: await createAuction(service, sample) }
}

export const newBid = ({ id }: Pick<Auction, 'id'>, bidderId: number, amount: number): Checked<NewBid> =>
  sampleNewBid({ auctionId: id, bidderId, amount })

type Identified = Pick<Auction, 'id'>

export const buy = ({ buyNow }: AuctionService, { id: auctionId }: Identified, buyerId = 2, retry?: RetryKey) =>
  buyNow({ auctionId, purchase: samplePurchase(buyerId) }, retry)

export const cancel = (
  { cancelAuction }: AuctionService,
  { id: auctionId }: Identified,
  reason?: string,
  retry?: RetryKey,
) => cancelAuction({ auctionId, cancellation: sampleCancellation(reason) }, retry)

type CorrectOptions = { readonly retry?: RetryKey; readonly isExpected?: CorrectAuctionRequest['isExpected'] }

/** A correction by staff. */
export const correct = (
  { correctAuction }: AuctionService,
  { id: auctionId }: Identified,
  fields: CorrectionJson,
  { retry, isExpected }: CorrectOptions = {},
) =>
  correctAuction(
    { auctionId, correction: sampleCorrection(fields), editor: 'staff', ...(isExpected && { isExpected }) },
    retry,
  )

/** Repairs by staff. */
export const extend = (
  { extendAuction }: AuctionService,
  { id: auctionId }: Identified,
  endTime: string,
  retry?: RetryKey,
) => extendAuction({ auctionId, extension: sampleExtension(endTime), editor: 'staff' }, retry)

export const endAuction = (service: AuctionService, { id: auctionId }: Identified, retry?: RetryKey) =>
  service.endAuction({ auctionId, earlyEnd: sampleEarlyEnd(), editor: 'staff' }, retry)

export const withdraw = (
  { withdrawBidder }: Pick<AuctionService, 'withdrawBidder'>,
  { id: auctionId }: Identified,
  bidderId: number,
  { retry, ...options }: { readonly block?: boolean | undefined; readonly retry?: RetryKey } = {},
) => withdrawBidder({ auctionId, withdrawal: sampleWithdrawal(bidderId, options), editor: 'staff' }, retry)

export const lower = (
  { lowerReserve }: AuctionService,
  { id: auctionId }: Identified,
  reserve: number,
  retry?: RetryKey,
) => lowerReserve({ auctionId, reduction: sampleReserveReduction(reserve, 'Agreed.'), editor: 'staff' }, retry)

/** A service with an auction on which user 2 bids 100 with a maximum of 150, user 3 bids 110, and user 4 bids 500. */
export async function serveContested(parts: TestServiceParts = {}) {
  const { service, auction } = await serveAuction({}, parts)
  const bids = [{ amount: 100, maximumAmount: 150 }, { amount: 110 }, { amount: 500 }]
  for (const [index, bid] of bids.entries())
    unwrap(await service.placeBid(sampleNewBid({ auctionId: auction.id, bidderId: 2 + index, ...bid })))
  return { service, auction }
}

export const auctionIdOf = toAuctionId

export const keyOf = (key: string, caller = 'user-2'): RetryKey => ({ caller, key })

/** The result of a use case: `accepted`, or the code of the refusal. */
export const codeOf = (result: Result<unknown, { readonly code: string }>): string =>
  result.ok ? 'accepted' : result.refusal.code

/** The result of a use case, or the outcome of its error. */
export async function outcomeOf(promise: Promise<Result<unknown, { readonly code: string }>>): Promise<string> {
  try {
    return codeOf(await promise)
  } catch (error) {
    if (isStoreUnavailable(error)) return error.outcome
    return String(error)
  }
}

/** The items of all pages of a list. */
export async function allOf<Item, Position>(
  readPage: (after: Position | undefined) => Promise<Result<Page<Item, Position>, unknown>>,
): Promise<readonly Item[]> {
  const items: Item[] = []
  let after: Position | undefined
  do {
    const page = unwrap(await readPage(after))
    items.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return items
}

/** The ids of all pages of a list of auctions. */
export async function idsIn({ listAuctions }: AuctionService, query: Parameters<AuctionService['listAuctions']>[0]) {
  const views = await allOf((after?: AuctionPosition) => listAuctions({ ...query, after }))
  return views.map(({ auction }) => Number(auction.id))
}

/** All entries of an auction, oldest first. */
export const ledgerOf = async (store: Store, { id }: Pick<Auction, 'id'>): Promise<readonly Entry[]> =>
  (await store.listEntries(id, { limit: 10_000 })).toReversed()

/** The amounts of the bids of an auction, in whole units, oldest first. */
export const amountsOf = async (store: Store, auction: Pick<Auction, 'id'>): Promise<readonly number[]> =>
  (await ledgerOf(store, auction)).flatMap(({ event }) =>
    event.type === 'bid-placed' ? [event.amountMinor / 100] : [],
  )

export const noResponse = () => new StoreUnavailableError('no response', { cause: new Error('connection closed') })

/** A placed bid without the leader, as it is read and listed. */
export function bidIn({ leaderId: _, leaderMaximumMinor: __, ...bid }: PlacedBid): Bid {
  return bid
}
