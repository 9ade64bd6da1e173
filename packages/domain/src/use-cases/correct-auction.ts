import { termsOf } from '../auction/auction.ts'
import type { CorrectCommand } from '../auction/commands.ts'
import { missingTexts, type NewCorrection } from '../auction/correction-fields.ts'
import { decide } from '../auction/decide.ts'
import { Description, Title } from '../auction/new-auction.ts'
import type { CorrectRefusal as RuleRefusal } from '../auction/refusals.ts'
import { initialState } from '../auction/state.ts'
import { wordsOf } from '../auction/title-words.ts'
import { type AuctionView, viewOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import type { CallSignal, Store } from '../store/store.ts'
import { type Outcome, StoreUnavailableError, withOutcome } from '../store/store-unavailable.ts'
import { type TimeLimit, withinTime } from '../time-limit.ts'
import type { AuctionId } from '../values/ids.ts'
import { InvalidValueError } from '../values/invalid-value.ts'
import { type RequestKey, type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { textUpTo } from '../values/text.ts'
import { checkedValue } from '../values/validation.ts'
import { arrivalOf, requireCommand, requireId } from './check-command.ts'
import { describedAuction } from './described-auction.ts'

/** A correction of the title, the description or both. Null removes one; an absent one is kept. */
export type Correction = NewCorrection & {
  readonly auctionId: AuctionId
  /** Who corrects: 1 to 100 characters, stored with the correction. */
  readonly editor: string
  /**
   * Whether the auction is as the caller expects. If it is not, or if it changes until the correction is recorded, the correction is
   * refused with `precondition-failed`. If omitted, the caller expects nothing.
   */
  readonly isExpected?: (view: AuctionView) => boolean
}
/** The reasons for a refusal. */
export type CorrectAuctionRefusal = RuleRefusal | CommonRefusal
/** Returns the corrected auction. Repeated with the same `retry`, the correction is made once. `arrivedAtMs` is as for `PlaceBid`. */
export type CorrectAuction = (
  correction: Correction,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, CorrectAuctionRefusal>>

export type CorrectAuctionParts = {
  readonly lanes: Pick<Lanes, 'submit'>
  readonly store: Pick<Store, 'findAuction' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'addTitleWords'>
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
}

const Editor = textUpTo(100)

/** The texts of a correction, its key and arrival, and the outcome if it fails now. */
type Attempt = {
  readonly texts: NewCorrection
  readonly key: RequestKey | undefined
  readonly arrivedAtMs: number
  outcome: Outcome
}

/**
 * Corrects the title or the description of an auction, until its first bid and its end. Each correction is kept in the ledger.
 * @throws InvalidValueError that names the arrival, or a field of the correction, with an invalid value; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the correction may be stored
 */
export function correctAuctionUseCase({ lanes, store, clock, limit }: CorrectAuctionParts): CorrectAuction {
  async function correct(
    { auctionId, editor, isExpected }: Correction,
    attempt: Attempt,
    signal: CallSignal,
  ): Promise<Awaited<ReturnType<CorrectAuction>>> {
    const { texts, key, arrivedAtMs } = attempt
    const nowMs = clock.nowMs() // First, because entries may be added during the read.
    const [auction, [head]] = await Promise.all([store.findAuction(auctionId), store.findHeads([auctionId])])
    const before = head?.state ?? initialState
    const command: CorrectCommand = { type: 'correct', ...texts, editor }

    /** Whether the correction would be recorded now. Only then does the index get its words, so refused ones do not fill it. */
    async function isPossible(): Promise<boolean> {
      if (auction === undefined || !decide(termsOf(auction), before, command, arrivedAtMs).ok) return false
      if (key !== undefined && (await store.findEntriesByKey([key])).length > 0) return false
      return isExpected?.(viewOf(await describedAuction(store, auction, before), before, nowMs)) ?? true
    }

    const canBeRecorded = await isPossible()
    const { title } = texts
    // Before the title is recorded, so that searches always find it. Lists check the words again, so unrecorded ones have no effect.
    if (title != null && canBeRecorded) await store.addTitleWords(auctionId, wordsOf(title))
    // A command that timed out in the meantime must not be written.
    if (signal.aborted) throw new StoreUnavailableError('the auction was not read in time')
    attempt.outcome = 'unknown'
    // The lane finds the reason of a refusal, or the result of an earlier request with the same key.
    const count = before.corrections?.count ?? 0
    const expected = canBeRecorded ? isExpected && { expectedCorrections: count } : { expectedCorrections: null }
    const corrected = await lanes.submit(auctionId, { ...command, ...expected }, key, arrivedAtMs)
    if (!corrected.ok) return refused(corrected.refusal)
    const { state } = corrected.value
    try {
      if (auction === undefined) throw new Error(`auction ${auctionId} is not stored`)
      const described = await describedAuction(store, auction, state, corrected.value)
      return { ...corrected, value: viewOf(described, state, state.atMs) }
    } catch (cause) {
      throw new StoreUnavailableError('the auction could not be read', { cause, outcome: 'unknown' })
    }
  }

  return async (correction, retry, arrivedAtMs) => {
    requireCommand(correction, 'a correction')
    const { auctionId, editor } = correction
    requireId(auctionId, 'auctionId of a correction')
    checkedValue(Editor, editor, 'the editor of a correction')
    const atMs = arrivalOf(arrivedAtMs, clock)
    const texts = checkedTexts(correction)
    const key = retry === undefined ? undefined : requestKeyOf('correct-auction', retry)
    const attempt: Attempt = {
      texts,
      key,
      arrivedAtMs: atMs,
      outcome: 'nothing-changed',
    }
    const lateError = () => new StoreUnavailableError(`the store did not finish within ${limit.ms} ms`, attempt)
    try {
      return await withinTime(limit, (signal) => correct(correction, attempt, signal), lateError)
    } catch (error) {
      // Later errors have their own outcome.
      throw attempt.outcome === 'nothing-changed' ? withOutcome(error, attempt.outcome) : error
    }
  }
}

function checkedTexts({ title, description }: Correction): NewCorrection {
  if (title === undefined && description === undefined) throw new InvalidValueError(`a correction ${missingTexts}`)
  if (title != null) checkedValue(Title, title, 'the title of a correction')
  if (description != null) checkedValue(Description, description, 'the description of a correction')
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
}
