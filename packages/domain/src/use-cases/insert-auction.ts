import { type Auction, type NewAuction, termsOf } from '../auction/auction.ts'
import type { AuctionLanes } from '../auction/auction-ledger.ts'
import { formatOf } from '../auction/formats/formats.ts'
import type { Clock } from '../clock.ts'
import type { Hooks } from '../hooks.ts'
import { sendUntilSettled } from '../ledger/settled-write.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import type { Sealer } from '../sealer.ts'
import { isStoreUnavailable, StoreUnavailableError, UnsupportedByStoreError } from '../store/errors.ts'
import type { IdSource } from '../store/ids-from-blocks.ts'
import type { CallSignal, Store, StoredAuction } from '../store/store.ts'
import { canonicalJson } from '../values/canonical-json.ts'
import type { AuctionId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import type { Progress } from './within-deadline.ts'

export type InsertionParts = {
  readonly store: Pick<Store, 'insertAuction' | 'findAuction' | 'listBidderEntries'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly ids: Pick<IdSource<AuctionId>, 'next'>
  readonly lanes: Pick<AuctionLanes, 'remember'>
  readonly limits: Pick<Limits, 'maxTries'>
  readonly observer?: SafeObserver | undefined
  readonly onStored: NonNullable<Hooks['onStored']>
  readonly sealer: Pick<Sealer, 'fingerprint'>
}

/**
 * Stores a new auction. Undefined if another auction has its key.
 * @param id that of a lot, which only one auction can be, so that one with this id is the same
 */
export type InsertAuction = (
  fields: NewAuction,
  requestKey: RequestKey | undefined,
  progress: Pick<Progress, 'signal' | 'submitting'>,
  id?: AuctionId,
) => Promise<Result<Auction, ValidationFailed> | undefined>

/** @throws StoreUnavailableError, and UnsupportedByStoreError, as the use cases that create auctions do */
export function createInsertion(parts: InsertionParts): InsertAuction {
  const { store, clock, ids, lanes, limits, observer, onStored } = parts

  /** Whether the auction is stored; if not, another auction has its id or its key. */
  async function isInserted(auction: StoredAuction, signal: CallSignal): Promise<boolean> {
    const settled = await sendUntilSettled(
      { maxTries: limits.maxTries, observer },
      {
        what: 'auction',
        count: 1,
        send: async () => ((await store.insertAuction(auction)) === 'inserted' ? 1 : 0),
        findOwn: async () => (isItself(await store.findAuction(auction.id), auction) ? 1 : 0),
        signal,
      },
    )
    if (settled.outcome === 'unknown') throw unknown(settled.error)
    if (settled.outcome === 'abandoned') throw new StoreUnavailableError('the caller no longer waits for the auction')
    return settled.outcome === 'stored'
  }

  return async (fields, requestKey, { signal, submitting }, lotId) => {
    const sealable = asSealable(parts, fields)
    if (!sealable.ok) return sealable
    const keyed = sealable.value
    const id = lotId ?? (await ids.next())
    const auction: Auction = { ...keyed, id, createdAtMs: clock.nowMs() }
    submitting()
    if (!(await isInserted(requestKey === undefined ? auction : { ...auction, requestKey }, signal))) return undefined
    lanes.remember(termsOf(auction))
    onStored({ auctionId: id, first: 0, last: 0 })
    return accepted(auction)
  }
}

/**
 * A new auction, with the key that seals its bids, if its format has one.
 * @throws UnsupportedByStoreError if bidders could not find their sealed bids
 */
export function asSealable(
  { store, sealer }: Pick<InsertionParts, 'sealer'> & { readonly store: Pick<Store, 'listBidderEntries'> },
  fields: NewAuction,
): Result<NewAuction, ValidationFailed> {
  const keyed = withKey(fields, sealer)
  if (keyed === undefined) return refused(validationFailed(keyNeeded))
  if (formatOf(keyed).keepsBidsApart && store.listBidderEntries === undefined)
    throw new UnsupportedByStoreError('bidders could not find their own bids: the store has no listBidderEntries')
  return accepted(keyed)
}

const keyNeeded = { pointer: '/format', message: 'sealed auctions need a key of sealed bids' }

/** The auction with the key that seals its bids, if its format has one; undefined without a key. */
function withKey(fields: NewAuction, { fingerprint }: Pick<Sealer, 'fingerprint'>): NewAuction | undefined {
  const format = formatOf(fields)
  if (format.withKey === undefined) return fields
  // The cast: a format adds only the key.
  return fingerprint === undefined ? undefined : (format.withKey(fields, fingerprint) as NewAuction)
}

/** An unexpected error during a write leaves the outcome unknown, like an expected one. */
const unknown = (error: unknown): unknown =>
  isStoreUnavailable(error) ? error : new StoreUnavailableError('an auction could not be stored', { cause: error })

/** Ids are unique, but even if that fails, the caller must not receive a different auction. */
const isItself = (stored: Auction | undefined, auction: Auction): boolean =>
  stored !== undefined && stored.createdAtMs === auction.createdAtMs && isSameRequest(stored, auction)

export const isSameRequest = (made: Auction, fields: NewAuction): boolean => requestOf(made) === requestOf(fields)

/**
 * The request, without what the service adds. Decimals are as sent: the minor units of the currency may have changed
 * since.
 */
function requestOf(auction: NewAuction): string {
  const {
    id: _,
    createdAtMs: __,
    requestKey: ___,
    registerAdmits: ____,
    saleSequence: _____,
    ...sent
  }: NewAuction & Partial<StoredAuction> = auction
  const { metadata = {}, ...fields } = formatOf(sent).toFields(sent)
  return canonicalJson({ ...fields, metadata, currency: sent.currency.code })
}
