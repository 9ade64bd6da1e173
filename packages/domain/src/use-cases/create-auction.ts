import type { Auction, NewAuction, SoftClose } from '../auction/auction.ts'
import { checkedAuction } from '../auction/checked-auction.ts'
import { faultOfPastEnd } from '../auction/past-end.ts'
import type { Clock } from '../clock.ts'
import type { AuctionId } from '../ids.ts'
import type { IdSource } from '../ids-from-blocks.ts'
import type { Limits } from '../limits.ts'
import { type AmountMinor, type Currency, toDecimal } from '../money.ts'
import type { SafeObserver } from '../observer.ts'
import { type KeyReused, type RequestKey, type RetryKey, requestKeyOf } from '../request-key.ts'
import { accepted, type Result, refused } from '../result.ts'
import type { Store, StoredAuction } from '../store.ts'
import { isStoreUnavailable, type Outcome, StoreUnavailableError, withOutcome } from '../store-unavailable.ts'
import { type ValidationFailed, validationFailed } from '../validation.ts'
import { withinDeadline } from '../within-deadline.ts'

export type CreateAuctionParts = {
  readonly store: Pick<Store, 'insertAuction' | 'findAuction' | 'findAuctionByKey'>
  readonly clock: Clock
  readonly ids: IdSource<AuctionId>
  readonly limits: Limits
  /** Is told of each auction that was created. */
  readonly onCreated: (auction: Auction) => void
  readonly observer?: SafeObserver | undefined
}

export type CreateAuctionResult = Result<Auction, ValidationFailed | KeyReused>
export type CreateAuction = (fields: NewAuction, retry?: RetryKey) => Promise<CreateAuctionResult>

/**
 * Creates auctions: what it returns is stored.
 * @throws InvalidValueError that names a field of the auction which can't be stored; nothing was changed
 * @throws StoreUnavailableError whose `outcome` tells whether the auction may be stored
 */
export function createAuctionUseCase(parts: CreateAuctionParts): CreateAuction {
  const { store, clock, ids, limits, observer } = parts

  async function create(
    fields: NewAuction,
    key: RequestKey | undefined,
    attempt: Attempt,
  ): Promise<CreateAuctionResult> {
    const late = faultOfPastEnd(fields.endTime, clock.nowMs())
    if (late !== undefined) {
      // A retry may come after the end of what its first try has made.
      const made = key && (await store.findAuctionByKey(key))
      return made === undefined ? refused(validationFailed(late)) : replay(made, fields)
    }
    const id = await ids.next()
    if (attempt.isOver) throw new StoreUnavailableError('no id came in time')
    const auction: Auction = { ...fields, id, createdAtMs: clock.nowMs() }
    attempt.outcome = 'unknown'
    if ((await insertSettled({ ...auction, ...(key && { requestKey: key }) })) === 'inserted') {
      parts.onCreated(auction)
      return accepted(auction)
    }
    const made = key && (await store.findAuctionByKey(key))
    if (made !== undefined) return replay(made, fields)
    throw new StoreUnavailableError('what took the key or the id of an auction could not be read')
  }

  /** An insert whose answer was lost is looked for, and sent again as it was: late or not, it is stored once. */
  async function insertSettled(auction: StoredAuction): Promise<'inserted' | 'taken'> {
    for (let tries = 1; ; tries++) {
      try {
        if ((await store.insertAuction(auction)) === 'inserted') return 'inserted'
        // What took the key may be this very auction, sent twice.
        return isItself(await store.findAuction(auction.id), auction) ? 'inserted' : 'taken'
      } catch (error) {
        const isFound = await isStored(auction)
        const isGivenUp = !isStoreUnavailable(error) || tries >= limits.maxTries
        const settled = isFound ? 'found' : isGivenUp ? 'given-up' : 'sent-again'
        observer?.onUnknownOutcome({ what: 'auction', settled, count: 1 })
        if (isFound) return 'inserted'
        if (isGivenUp) throw unknown(error)
      }
    }
  }

  async function isStored(auction: Auction): Promise<boolean> {
    try {
      return isItself(await store.findAuction(auction.id), auction)
    } catch {
      return false // The error of the insert is the one to tell.
    }
  }

  return async (given, retry) => {
    const fields = checkedAuction(given)
    const key = retry === undefined ? undefined : requestKeyOf('create-auction', retry)
    const attempt: Attempt = { outcome: 'nothing-changed', isOver: false }
    const giveUp = () => {
      attempt.isOver = true
      observer?.onDeadline(attempt.outcome)
      return attempt.outcome
    }
    try {
      return await withinDeadline(clock, limits.deadlineMs, create(fields, key, attempt), giveUp)
    } catch (error) {
      throw withOutcome(error, attempt.outcome)
    }
  }
}

/** What is known of the auction if the use case ends now, and whether it has: nothing may be written then that was not before. */
type Attempt = { outcome: Outcome; isOver: boolean }

/** An error that nobody expects, in the midst of a write, leaves the outcome as unknown as an expected one. */
const unknown = (error: unknown): unknown =>
  isStoreUnavailable(error) ? error : new StoreUnavailableError('an auction could not be stored', { cause: error })

const replay = (made: Auction, fields: NewAuction): CreateAuctionResult =>
  isSameRequest(made, fields) ? accepted(made) : refused({ code: 'idempotency-key-reused' })

/** An id should be nobody else's, but an auction that is not as it was sent must not be answered, whatever went wrong with ids. */
const isItself = (found: Auction | undefined, auction: Auction): boolean =>
  found !== undefined && found.createdAtMs === auction.createdAtMs && isSameRequest(found, auction)

const isSameRequest = (made: Auction, fields: NewAuction): boolean =>
  made.productId === fields.productId &&
  made.ownerId === fields.ownerId &&
  made.title === fields.title &&
  made.description === fields.description &&
  made.currency.code === fields.currency.code &&
  isSameAmount(made.startingPriceMinor, made.currency, fields.startingPriceMinor, fields.currency) &&
  isSameAmount(made.minimumBidIncrementMinor, made.currency, fields.minimumBidIncrementMinor, fields.currency) &&
  made.startTime.iso === fields.startTime.iso &&
  made.endTime.iso === fields.endTime.iso &&
  isSameSoftClose(made.softClose, fields.softClose) &&
  isSameAmount(made.reservePriceMinor, made.currency, fields.reservePriceMinor, fields.currency) &&
  isSameAmount(made.buyNowPriceMinor, made.currency, fields.buyNowPriceMinor, fields.currency) &&
  made.cancellableUntilEnd === fields.cancellableUntilEnd

const isSameSoftClose = (a: SoftClose | undefined, b: SoftClose | undefined): boolean =>
  a?.windowSeconds === b?.windowSeconds &&
  a?.extensionSeconds === b?.extensionSeconds &&
  a?.latestEndTime.iso === b?.latestEndTime.iso

type MaybeAmount = AmountMinor | undefined

// By their decimals, as they were sent: the currency may have got other minor units since.
const isSameAmount = (a: MaybeAmount, currencyOfA: Currency, b: MaybeAmount, currencyOfB: Currency): boolean =>
  a === undefined || b === undefined ? a === b : toDecimal(a, currencyOfA) === toDecimal(b, currencyOfB)
