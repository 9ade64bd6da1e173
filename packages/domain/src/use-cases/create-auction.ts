import { type Auction, type NewAuction, termsOf } from '../auction/auction.ts'
import type { AuctionLanes } from '../auction/auction-ledger.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { pastEndError } from '../auction/rules.ts'
import type { Clock } from '../clock.ts'
import type { Hooks } from '../hooks.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import { sendUntilSettled } from '../ledger/settled-write.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import type { Register } from '../register/bidder-list.ts'
import type { Sealer } from '../sealer.ts'
import { isStoreUnavailable, StoreUnavailableError, UnsupportedByStoreError } from '../store/errors.ts'
import type { IdSource } from '../store/ids-from-blocks.ts'
import type { CallSignal, Store, StoredAuction } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import { canonicalJson } from '../values/canonical-json.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { AuctionId, RegisterId } from '../values/ids.ts'
import { isSameCurrency } from '../values/money.ts'
import { type KeyReused, type RequestKey, type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { accepted, type Result, refused, repeated } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import { type Progress, withinDeadline } from './within-deadline.ts'

type CreateAuctionParts = {
  readonly store: Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctions' | 'listBidderEntries'>
  readonly clock: Clock
  readonly ids: Pick<IdSource<AuctionId>, 'next'>
  readonly lanes: Pick<AuctionLanes, 'remember'>
  readonly limits: Pick<Limits, 'maxTries'>
  /** The limit from request to response. */
  readonly limit: TimeLimit
  readonly observer?: SafeObserver | undefined
  readonly onStored: NonNullable<Hooks['onStored']>
  readonly sealer: Pick<Sealer, 'fingerprint'>
  readonly findRegister: (id: RegisterId) => Promise<Register | undefined>
}

export type CreateAuctionResult = Result<Auction, ValidationFailed | KeyReused>
/**
 * `arrivedAtMs` is as for `PlaceBid`: an auction whose end is later is created, even if creating it takes until after
 * its end.
 */
export type CreateAuction = (
  fields: Checked<NewAuction>,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<CreateAuctionResult>

/**
 * Creates auctions: a returned auction is stored.
 * @throws InvalidValueError if the arrival is invalid or the auction is not of `parseNewAuction`; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the auction may be stored
 * @throws UnsupportedByStoreError for a sealed auction if the store has no `listBidderEntries`
 */
export function createAuctionUseCase(parts: CreateAuctionParts): CreateAuction {
  const { store, clock, ids, lanes, limits, limit, observer, onStored, sealer, findRegister } = parts

  async function create(
    fields: NewAuction,
    requestKey: RequestKey | undefined,
    arrivedAtMs: number,
    { signal, submitting }: Progress,
  ): Promise<CreateAuctionResult> {
    const late = pastEndError(fields.endTime, arrivedAtMs)
    if (late !== undefined) {
      // A retry may arrive after the end of the auction that its first try created.
      const made = requestKey && (await findByKey(requestKey))
      return made === undefined ? refused(validationFailed(late)) : replay(made, fields)
    }
    const keyed = withKey(fields, sealer)
    if (keyed === undefined) return refused(validationFailed(keyNeeded))
    const admitting = await admittingOf(fields)
    if (!admitting.ok) return admitting
    if (formatOf(keyed).keepsBidsApart && store.listBidderEntries === undefined)
      throw new UnsupportedByStoreError('bidders could not find their own bids: the store has no listBidderEntries')
    const id = await ids.next()
    const auction: Auction = { ...keyed, ...admitting.value, id, createdAtMs: clock.nowMs() }
    submitting()
    if (await isInserted(requestKey === undefined ? auction : { ...auction, requestKey }, signal)) {
      lanes.remember(termsOf(auction))
      onStored({ auctionId: id, first: 0, last: 0 })
      return accepted(auction)
    }
    const made = requestKey && (await findByKey(requestKey))
    if (made !== undefined) return replay(made, fields)
    throw new StoreUnavailableError('the auction with the same key or id could not be read')
  }

  /** What an auction copies of its register. */
  async function admittingOf({ registerId, currency }: NewAuction) {
    if (registerId === undefined) return accepted({})
    const register = await findRegister(registerId)
    const isSame = register !== undefined && isSameCurrency(register.currency, currency)
    if (isSame) return accepted({ registerAdmits: register.admits })
    const message =
      register === undefined
        ? 'must be the id of a register'
        : `must be a register with the currency of the auction; that of this one is ${register.currency.code}`
    return refused(validationFailed({ pointer: '/registerId', message }))
  }

  async function findByKey(requestKey: RequestKey): Promise<Auction | undefined> {
    const [made] = await store.findAuctions({ keys: [requestKey] })
    return made && (await store.findAuction(made.auction.id)) // With its description.
  }

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

  return async (fields, retry, arrivedAtMs) => {
    requireChecked(fields, 'a new auction', 'parseNewAuction')
    const atMs = arrivalOf(arrivedAtMs, clock)
    const key = retry === undefined ? undefined : requestKeyOf('create-auction', retry)
    return withinDeadline(limit, (progress) => create(fields, key, atMs, progress), observer?.onDeadline)
  }
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

const replay = (made: Auction, fields: NewAuction): CreateAuctionResult =>
  isSameRequest(made, fields) ? repeated(made) : refused({ code: 'idempotency-key-reused' })

/** Ids are unique, but even if that fails, the caller must not receive a different auction. */
const isItself = (stored: Auction | undefined, auction: Auction): boolean =>
  stored !== undefined && stored.createdAtMs === auction.createdAtMs && isSameRequest(stored, auction)

const isSameRequest = (made: Auction, fields: NewAuction): boolean => requestOf(made) === requestOf(fields)

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
    ...sent
  }: NewAuction & Partial<StoredAuction> = auction
  const { metadata = {}, ...fields } = formatOf(sent).toFields(sent)
  return canonicalJson({ ...fields, metadata, currency: sent.currency.code })
}
