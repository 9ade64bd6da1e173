import { type Auction, termsOf } from '../auction/auction.ts'
import type { CorrectCommand, Correction } from '../auction/commands.ts'
import { decide } from '../auction/decide.ts'
import type { Entry } from '../auction/entry.ts'
import type { CorrectRefusal as RuleRefusal } from '../auction/refusals.ts'
import { type AuctionState, initialState } from '../auction/state.ts'
import { wordsOf } from '../auction/title-words.ts'
import { type AuctionView, viewOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import { StoreUnavailableError, type WriteOutcome, withOutcome } from '../store/errors.ts'
import type { CallSignal, Store } from '../store/store.ts'
import { type TimeLimit, withinTime } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { checkedValue } from '../values/parsing.ts'
import { textUpTo } from '../values/primitives.ts'
import { type RequestKey, type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { arrivalOf, requireId, requireObject } from './check-arguments.ts'
import { describedAuction } from './read-auction.ts'

export type CorrectAuctionRequest = {
  readonly auctionId: AuctionId
  readonly correction: Checked<Correction>
  /** Who corrects: 1 to 100 characters, stored with the correction. */
  readonly editor: string
  /**
   * Whether the auction is as the caller expects. If it is not, or if it changes until the correction is recorded, the
   * correction is refused with `precondition-failed`. If omitted, the caller expects nothing.
   */
  readonly isExpected?: (view: AuctionView) => boolean
}
export type CorrectAuctionRefusal = RuleRefusal | CommonRefusal
/** Returns the corrected auction. The same `retry` corrects it once. `arrivedAtMs` is as for `PlaceBid`. */
export type CorrectAuction = (
  request: CorrectAuctionRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, CorrectAuctionRefusal>>

type CorrectAuctionParts = {
  readonly lanes: Pick<Lanes, 'submit'>
  readonly store: Pick<Store, 'findAuction' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'addTitleWords'>
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
}

const Editor = textUpTo(100)

/**
 * Corrects the title or the description of an auction, until its first bid and its end. The ledger keeps corrections.
 * @throws InvalidValueError that names an invalid arrival, auction id, correction or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the correction may be stored
 */
export function correctAuctionUseCase(parts: CorrectAuctionParts): CorrectAuction {
  const { clock, limit } = parts
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a correction')
    const { auctionId, correction, editor, isExpected } = request
    requireId(auctionId, 'auctionId of a correction')
    requireChecked(correction, 'a correction', 'parseCorrection')
    checkedValue(Editor, editor, 'the editor of a correction')
    const asked: Asked = {
      auctionId,
      command: { type: 'correct', ...correction, editor },
      isExpected,
      key: retry === undefined ? undefined : requestKeyOf('correct-auction', retry),
      arrivedAtMs: arrivalOf(arrivedAtMs, clock),
      outcome: 'nothing-changed',
    }
    const lateError = () => new StoreUnavailableError(`the store did not finish within ${limit.ms} ms`, asked)
    try {
      return await withinTime(limit, (signal) => correct(parts, asked, signal), lateError)
    } catch (error) {
      // Later errors have their own outcome.
      throw asked.outcome === 'nothing-changed' ? withOutcome(error, asked.outcome) : error
    }
  }
}

type Asked = Pick<CorrectAuctionRequest, 'auctionId'> & {
  readonly command: CorrectCommand
  readonly isExpected: CorrectAuctionRequest['isExpected'] | undefined
  readonly key: RequestKey | undefined
  readonly arrivedAtMs: number
  /** The outcome if it fails now. */
  outcome: WriteOutcome
}

/** The auction before the correction, by the clock before it was read. */
type Before = { readonly auction: Auction | undefined; readonly state: AuctionState; readonly nowMs: number }

async function correct(
  { lanes, store, clock }: CorrectAuctionParts,
  asked: Asked,
  signal: CallSignal,
): Promise<Awaited<ReturnType<CorrectAuction>>> {
  const { auctionId, command, key, arrivedAtMs } = asked
  const before = await readBefore(store, clock, auctionId)
  const isPossible = await mayBeRecorded(store, asked, before)
  // Words are added before the title is recorded, so that searches always find it. Lists check the words again, so
  // unrecorded ones have no effect. A correction that would be refused adds none, so that it does not fill the index.
  if (isPossible && command.title != null) await store.addTitleWords(auctionId, wordsOf(command.title))
  // A command that timed out in the meantime must not be written.
  if (signal.aborted) throw new StoreUnavailableError('the auction was not read in time')
  asked.outcome = 'unknown'
  // The lane finds the reason of a refusal, or the result of an earlier request with the same key.
  const corrected = await lanes.submit(auctionId, withExpectation(asked, before, isPossible), key, arrivedAtMs)
  if (!corrected.ok) return refused(corrected.refusal)
  return { ...corrected, value: await viewAfter(store, before, corrected.value) }
}

async function readBefore(store: CorrectAuctionParts['store'], clock: Clock, auctionId: AuctionId): Promise<Before> {
  const nowMs = clock.nowMs() // First, because entries may be added during the read.
  const [auction, [head]] = await Promise.all([store.findAuction(auctionId), store.findHeads([auctionId])])
  return { auction, state: head?.state ?? initialState, nowMs }
}

/** Whether the correction is recorded if nothing changes until then. */
async function mayBeRecorded(
  store: CorrectAuctionParts['store'],
  { command, isExpected, key, arrivedAtMs }: Asked,
  { auction, state, nowMs }: Before,
): Promise<boolean> {
  if (auction === undefined || !decide(termsOf(auction), state, command, arrivedAtMs).ok) return false
  if (key !== undefined && (await store.findEntriesByKey([key], { auctionIds: [auction.id] })).length > 0) return false
  return isExpected?.(viewOf(await describedAuction(store, auction, state), state, nowMs)) ?? true
}

/** Expects the state that the caller has seen, if it expects one, and no state if nothing would be recorded. */
function withExpectation({ command, isExpected }: Asked, { state }: Before, isPossible: boolean): CorrectCommand {
  if (!isPossible) return { ...command, expectedCorrections: null }
  return isExpected === undefined ? command : { ...command, expectedCorrections: state.corrections?.count ?? 0 }
}

/** @throws StoreUnavailableError with an unknown outcome, because the correction is stored */
async function viewAfter(store: CorrectAuctionParts['store'], { auction }: Before, entry: Entry): Promise<AuctionView> {
  try {
    if (auction === undefined) throw new Error(`auction ${entry.auctionId} is not stored`)
    return viewOf(await describedAuction(store, auction, entry.state, entry), entry.state, entry.state.atMs)
  } catch (cause) {
    throw new StoreUnavailableError('the auction could not be read', { cause, outcome: 'unknown' })
  }
}
