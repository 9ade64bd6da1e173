import { type Auction, type NewAuction, termsOf } from '../auction/auction.ts'
import { pastEndError } from '../auction/auction-rules.ts'
import type { Clock } from '../clock.ts'
import type { Hooks } from '../hooks.ts'
import type { Lanes } from '../ledger/lanes.ts'
import { sendUntilSettled } from '../ledger/settled-write.ts'
import type { FixedLimits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import { isStoreUnavailable, StoreUnavailableError, type WriteOutcome, withOutcome } from '../store/errors.ts'
import type { IdSource } from '../store/ids-from-blocks.ts'
import type { CallSignal, Store, StoredAuction } from '../store/store.ts'
import { type TimeLimit, withinTime } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { defined } from '../values/defined.ts'
import type { AuctionId } from '../values/ids.ts'
import { type Currency, toDecimal } from '../values/money.ts'
import { type KeyReused, type RequestKey, type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { accepted, type Result, refused, repeated } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import { arrivalOf } from './check-arguments.ts'

type CreateAuctionParts = {
  readonly store: Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctions'>
  readonly clock: Clock
  readonly ids: Pick<IdSource<AuctionId>, 'next'>
  readonly lanes: Pick<Lanes, 'remember'>
  readonly limits: Pick<FixedLimits, 'maxTries'>
  /** The limit from request to response. */
  readonly limit: TimeLimit
  readonly observer?: SafeObserver | undefined
  readonly onStored?: Hooks['onStored']
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

type Creation = {
  readonly arrivedAtMs: number
  /** The outcome if it fails now. */
  outcome: WriteOutcome
}

/**
 * Creates auctions: a returned auction is stored.
 * @throws InvalidValueError if the arrival is invalid or the auction is not of `parseNewAuction`; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the auction may be stored
 */
export function createAuctionUseCase(parts: CreateAuctionParts): CreateAuction {
  const { store, clock, ids, lanes, limits, limit, observer, onStored } = parts

  async function create(
    fields: NewAuction,
    requestKey: RequestKey | undefined,
    creation: Creation,
    signal: CallSignal,
  ): Promise<CreateAuctionResult> {
    const late = pastEndError(fields.endTime, creation.arrivedAtMs)
    if (late !== undefined) {
      // A retry may arrive after the end of the auction that its first try created.
      const made = requestKey && (await findByKey(requestKey))
      return made === undefined ? refused(validationFailed(late)) : replay(made, fields)
    }
    const id = await ids.next()
    // A command that timed out in the meantime must not be written.
    if (signal.aborted) throw new StoreUnavailableError('no id was claimed in time')
    const auction: Auction = { ...fields, id, createdAtMs: clock.nowMs() }
    creation.outcome = 'unknown'
    if (await isInserted(defined({ ...auction, requestKey }), signal)) {
      lanes.remember(termsOf(auction))
      onStored?.({ auctionId: id, first: 0, last: 0 })
      return accepted(auction)
    }
    const made = requestKey && (await findByKey(requestKey))
    if (made !== undefined) return replay(made, fields)
    throw new StoreUnavailableError('the auction with the same key or id could not be read')
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
    if (settled.outcome === 'withdrawn') throw new StoreUnavailableError('the caller no longer waits for the auction')
    return settled.outcome === 'stored'
  }

  return async (fields, retry, arrivedAtMs) => {
    requireChecked(fields, 'a new auction', 'parseNewAuction')
    const atMs = arrivalOf(arrivedAtMs, clock)
    const key = retry === undefined ? undefined : requestKeyOf('create-auction', retry)
    const creation: Creation = { arrivedAtMs: atMs, outcome: 'nothing-changed' }
    const lateError = () => {
      observer?.onDeadline(creation.outcome)
      return new StoreUnavailableError(`the store did not finish within ${limit.ms} ms`)
    }
    try {
      return await withinTime(limit, (signal) => create(fields, key, creation, signal), lateError)
    } catch (error) {
      throw withOutcome(error, creation.outcome)
    }
  }
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

/** The request, without fields that the service adds. */
function requestOf(auction: NewAuction): string {
  const {
    id: _,
    createdAtMs: __,
    requestKey: ___,
    metadata = {},
    ...fields
  }: NewAuction & Partial<StoredAuction> = auction
  return JSON.stringify([canonicalForm(fields, auction.currency), Object.entries(metadata).toSorted(byName)])
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)

/** Members are sorted by name. Decimals are as sent: the minor units of the currency may have changed since. */
function canonicalForm(fields: object, currency: Currency): unknown {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .toSorted(byName)
    .map(([name, value]) => {
      if (name === 'currency') return [name, currency.code]
      if (name.endsWith('Minor')) return [name, toDecimal(value, currency)]
      return [name, typeof value === 'object' ? canonicalForm(value, currency) : value]
    })
}
