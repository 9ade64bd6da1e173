import { type Auction, type Terms, termsOf } from '../auction/auction.ts'
import type { AuctionGuard, AuctionLanes, AuctionNotFound, CommonRefusal } from '../auction/auction-ledger.ts'
import type { CorrectCommand, Correction } from '../auction/correction.ts'
import { decide, ledgerTimeMs } from '../auction/decide.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import type { Corrected } from '../auction/events.ts'
import { formatOf } from '../auction/formats/formats.ts'
import type { CorrectRefusal as RuleRefusal } from '../auction/life-refusals.ts'
import type { Viewer } from '../auction/privacy.ts'
import { type AuctionState, initialStateOf, termsIn } from '../auction/state.ts'
import { wordsOf } from '../auction/title-words.ts'
import { type AuctionView, viewOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import type { Checked } from '../values/checked.ts'
import { defined } from '../values/defined.ts'
import type { AuctionId, UserId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { validationFailed } from '../values/validation.ts'
import { type UpdateAgenda, updateInTime } from './agenda.ts'
import { type ChangeAuction, changeUseCase } from './change-auction.ts'
import { refusalIfNotOwner } from './check-arguments.ts'
import { describedAuction } from './read-auction.ts'
import { viewAfter } from './read-while-recording.ts'
import { type Progress, withinDeadline } from './within-deadline.ts'

export type CorrectAuctionRequest = Pick<Viewer, 'seesPrivate'> & {
  readonly auctionId: AuctionId
  readonly correction: Checked<Correction>
  /** Who corrects: 1 to 100 characters, stored with the correction. */
  readonly editor: string
  /**
   * Whether the auction is as the caller expects. If it is not, or if it changes until the correction is recorded, the
   * correction is refused with `precondition-failed`. If omitted, the caller expects nothing.
   */
  readonly isExpected?: (view: AuctionView) => boolean
  /** The user who corrects, who must be the owner. If omitted, the caller may correct any auction. */
  readonly requesterId?: UserId | undefined
  /** Whether the user may correct any auction. */
  readonly mayCorrectAny?: boolean
  /** False if a user who is not the owner may not read the reserve: then errors do not depend on it. */
  readonly mayReadReserve?: boolean
}
export type CorrectAuctionRefusal = RuleRefusal | CommonRefusal
/** Returns the corrected auction. */
export type CorrectAuction = ChangeAuction<CorrectAuctionRequest, CorrectAuctionRefusal>

type CorrectAuctionParts = {
  readonly lanes: Pick<AuctionLanes, 'submit'>
  readonly store: Pick<
    Store,
    'findAuction' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'addTitleWords' | 'updateAgenda'
  >
  readonly updateAgenda: UpdateAgenda
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
  /** How long a correction waits for the agenda: less than half of the deadline. */
  readonly agendaLimit: TimeLimit
}

/**
 * Corrects fields of an auction, until its first bid and its end. The auction must be valid as a whole afterwards, like
 * a new one. The ledger keeps corrections.
 * @throws InvalidValueError that names an invalid arrival, id, correction or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the correction may be stored
 */
export function correctAuctionUseCase(parts: CorrectAuctionParts): CorrectAuction {
  const { clock, limit } = parts
  return changeUseCase('correct-auction', clock, (request, key, arrivedAtMs) => {
    const { correction, editor } = request
    const command: CorrectCommand = { type: 'correct', correction, editor }
    return withinDeadline(limit, (progress) => correct(parts, { request, command, key, arrivedAtMs }, progress))
  })
}

type Asked = {
  readonly request: CorrectAuctionRequest
  readonly command: CorrectCommand
  readonly key: RequestKey | undefined
  readonly arrivedAtMs: number
}

/** The auction before the correction, by the clock before it was read. */
type Before = { readonly auction: Auction | undefined; readonly state: AuctionState; readonly nowMs: number }

async function correct(
  parts: CorrectAuctionParts,
  asked: Asked,
  progress: Progress,
): Promise<Awaited<ReturnType<CorrectAuction>>> {
  const { lanes, store, clock } = parts
  const { request, command, key, arrivedAtMs } = asked
  const { auctionId, correction } = request
  const { title } = correction
  const before = await readBefore(store, clock, auctionId)
  const guard = await guardFor(store, asked, before)
  // Words are added before the title is recorded, so that searches always find it. Lists check the words again, so
  // unrecorded ones have no effect. A correction that would be refused adds none, so that it does not fill the index.
  if (guard.isPrepared) {
    if (title != null) await store.addTitleWords?.(auctionId, wordsOf(title))
    await bringCheckForward(store, correction, before)
  }
  progress.submitting()
  // The lane finds the reason of a refusal, or the result of an earlier request with the same key.
  const corrected = await lanes.submit(auctionId, command, key, arrivedAtMs, guard)
  if (!corrected.ok) {
    const { refusal } = corrected
    const wasRefusedByRules = !guard.isPrepared && guard.isAsExpected
    if (!wasRefusedByRules || refusal.code !== 'precondition-failed') return refused(refusal)
    // Another correction, a repair or the creation of the auction has made it possible since the read.
    progress.outcome = 'nothing-changed'
    return correct(parts, asked, progress)
  }
  const updated = followEnd(parts, corrected.value)
  const view = await viewAfter(store, before.auction, corrected.value)
  await updated
  return { ...corrected, value: view }
}

async function readBefore(store: CorrectAuctionParts['store'], clock: Clock, auctionId: AuctionId): Promise<Before> {
  const nowMs = clock.nowMs() // First, because entries may be added during the read.
  const [auction, [head]] = await Promise.all([store.findAuction(auctionId), store.findHeads([auctionId])])
  return { auction, state: head?.state ?? initialStateOf(auction ?? {}), nowMs }
}

type CorrectionGuard = AuctionGuard<CorrectCommand> & {
  /** Whether the auction that was read is as the caller expects. */
  readonly isAsExpected: boolean
  /**
   * False if the correction would be refused, so that it is not prepared, and has to be refused in later states, too.
   */
  readonly isPrepared: boolean
}

/** The guard for the auction that was read: what the correction expects of the state in which it is recorded. */
async function guardFor(
  store: CorrectAuctionParts['store'],
  { request, command, key, arrivedAtMs }: Asked,
  { auction, state, nowMs }: Before,
): Promise<CorrectionGuard> {
  // Nothing is known of an auction that is just being created: what its rules do not refuse is decided after another
  // read.
  if (auction === undefined)
    return { isAsExpected: true, isPrepared: false, decide: decideFor(request, command, () => false) }
  const { isExpected } = request
  const isAsExpected = isExpected?.(viewOf(await describedAuction(store, auction, state), state, nowMs)) ?? true
  // The number suffices: only a correction changes what is corrected.
  const isSame = (current: AuctionState) => isAsExpected && (!isExpected || countOf(current) === countOf(state))
  const decideOn = decideFor(request, command, isSame)
  const terms = termsOf(auction)
  const byRules = (ruled: CorrectCommand) => decide(terms, state, ruled, ledgerTimeMs(terms, state, ruled, arrivedAtMs))
  const isPossible = isAsExpected && decideOn({ terms, state }, byRules).ok
  const keys = isAsExpected && key !== undefined ? [key] : []
  const isRepeated = keys.length > 0 && (await store.findEntriesByKey(keys, { auctionIds: [auction.id] })).length > 0
  const isPrepared = isPossible && !isRepeated
  return {
    isAsExpected,
    isPrepared,
    decide(head, byRules) {
      const decision = decideOn(head, byRules)
      return decision.ok && !isPrepared ? refused({ code: 'precondition-failed' }) : decision
    },
  }
}

type Decided = Result<Corrected, RuleRefusal | AuctionNotFound>

/**
 * Decides a correction: the rules refuse it first if it is in conflict with the state, and last if a field is invalid.
 */
const decideFor =
  (
    { correction, requesterId, mayCorrectAny, mayReadReserve, seesPrivate }: CorrectAuctionRequest,
    command: CorrectCommand,
    isSame: (state: AuctionState) => boolean,
  ) =>
  (
    { terms, state }: { readonly terms: Terms; readonly state: AuctionState },
    byRules: (command: CorrectCommand) => Decided,
  ): Decided => {
    const requester = { requesterId, seesPrivate, mayChangeAny: mayCorrectAny === true }
    const refusal = refusalIfNotOwner(terms, requester, 'correction')
    if (refusal !== undefined) return refused(refusal)
    const isByOwner = requesterId === terms.ownerId
    const decision = byRules({ ...command, by: isByOwner ? 'owner' : 'staff' })
    if (!decision.ok && decision.refusal.code !== 'validation-failed') return decision
    if (!isSame(state)) return refused({ code: 'precondition-failed' })
    const isHidden = mayReadReserve === false && !isByOwner
    const error = isHidden ? formatOf(terms).secretError?.(termsIn(terms, state), correction) : undefined
    return error === undefined ? decision : refused(validationFailed(error))
  }

/**
 * Has the agenda check the auction at its corrected start or end at the latest. This precedes the correction, because
 * the process may end between the correction and the update of the agenda: the auction would be closed at its previous
 * end.
 */
async function bringCheckForward(
  store: Pick<Store, 'updateAgenda'>,
  { startTime, endTime }: Correction,
  { auction, state, nowMs }: Before,
): Promise<void> {
  if (auction === undefined || (startTime === undefined && endTime === undefined)) return
  const corrected = { ...termsIn(termsOf(auction), state), ...defined({ startTime, endTime }) }
  await store.updateAgenda([{ auctionId: auction.id, checkMs: timeOnAgenda(corrected, nowMs).dueMs }])
}

/** The position on the agenda of an auction without bids. */
function timeOnAgenda({ startTime, endTime }: Pick<Terms, 'startTime' | 'endTime'>, nowMs: number) {
  const isPending = nowMs < startTime.epochMs
  return { dueMs: isPending ? startTime.epochMs : endTime.epochMs, isPending }
}

const countOf = ({ corrections }: AuctionState): number => corrections?.count ?? 0

/**
 * Moves an auction on the agenda to its corrected start or end, which may be earlier. A repeated request does so, too,
 * because its first try may have ended before.
 */
async function followEnd(
  { updateAgenda, agendaLimit, clock }: CorrectAuctionParts,
  { auctionId, event, state }: AuctionEntry<Corrected>,
): Promise<void> {
  const { terms } = event
  if (terms === undefined || !['startTime', 'endTime'].some((name) => terms.fields.includes(name))) return
  const update = { auctionId, ...timeOnAgenda(terms.result, clock.nowMs()), changeCount: countOf(state) }
  await updateInTime(agendaLimit, updateAgenda, update)
}
