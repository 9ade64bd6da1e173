import { type Auction, type Terms, termsOf } from '../auction/auction.ts'
import type { CorrectCommand } from '../auction/commands.ts'
import type { Correction } from '../auction/correction.ts'
import { decide } from '../auction/decide.ts'
import type { Entry } from '../auction/entry.ts'
import type { Corrected } from '../auction/events.ts'
import type { CorrectRefusal as RuleRefusal } from '../auction/refusals.ts'
import { type AuctionState, initialState, termsIn } from '../auction/state.ts'
import { wordsOf } from '../auction/title-words.ts'
import { type AuctionView, viewOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import { type TimeLimit, withinTime } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { defined } from '../values/defined.ts'
import type { AuctionId } from '../values/ids.ts'
import { type RequestKey, type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import type { UpdateAgenda } from './agenda.ts'
import { arrivalOf, requireEditor, requireId, requireObject } from './check-arguments.ts'
import { describedAuction } from './read-auction.ts'
import { viewAfter } from './read-while-recording.ts'
import { type Progress, withinDeadline } from './within-deadline.ts'

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
} & Pick<CorrectCommand, 'requesterId' | 'mayCorrectAny' | 'mayReadReserve'>
export type CorrectAuctionRefusal = RuleRefusal | CommonRefusal
/** Returns the corrected auction. The same `retry` corrects it once. `arrivedAtMs` is as for `PlaceBid`. */
export type CorrectAuction = (
  request: CorrectAuctionRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, CorrectAuctionRefusal>>

type CorrectAuctionParts = {
  readonly lanes: Pick<Lanes, 'submit'>
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
 * Corrects fields of an auction, until its first bid and its end. The auction must be valid as a whole afterwards, like a
 * new one. The ledger keeps corrections.
 * @throws InvalidValueError that names an invalid arrival, id, correction or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the correction may be stored
 */
export function correctAuctionUseCase(parts: CorrectAuctionParts): CorrectAuction {
  const { clock, limit } = parts
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a correction')
    const { auctionId, isExpected, ...asking } = request
    const { correction, editor, requesterId } = asking
    requireId(auctionId, 'auctionId of a correction')
    if (requesterId !== undefined) requireId(requesterId, 'requesterId of a correction')
    requireChecked(correction, 'a correction', 'parseCorrection')
    requireEditor(editor, 'a correction')
    const asked: Asked = {
      auctionId,
      command: { type: 'correct', ...asking },
      isExpected,
      key: retry === undefined ? undefined : requestKeyOf('correct-auction', retry),
      arrivedAtMs: arrivalOf(arrivedAtMs, clock),
    }
    return withinDeadline(limit, (progress) => correct(parts, asked, progress))
  }
}

type Asked = Pick<CorrectAuctionRequest, 'auctionId'> & {
  readonly command: CorrectCommand
  readonly isExpected: CorrectAuctionRequest['isExpected'] | undefined
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
  const { auctionId, command, key, arrivedAtMs } = asked
  const { title } = command.correction
  const before = await readBefore(store, clock, auctionId)
  const prepared = await prepare(store, asked, before)
  // Words are added before the title is recorded, so that searches always find it. Lists check the words again, so
  // unrecorded ones have no effect. A correction that would be refused adds none, so that it does not fill the index.
  if (prepared.isUnprepared !== true) {
    if (title != null) await store.addTitleWords?.(auctionId, wordsOf(title))
    await bringCheckForward(store, command.correction, before)
  }
  progress.submitting()
  // The lane finds the reason of a refusal, or the result of an earlier request with the same key.
  const corrected = await lanes.submit(auctionId, prepared, key, arrivedAtMs)
  if (!corrected.ok) {
    const { refusal } = corrected
    const wasRefusedByRules = prepared.isUnprepared === true && prepared.expectedCorrections !== -1
    if (!wasRefusedByRules || refusal.code !== 'precondition-failed') return refused(refusal)
    // Another correction or a repair has made it possible since the auction was read.
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
  return { auction, state: head?.state ?? initialState, nowMs }
}

/** The command, with what it expects of the state in which it is recorded. */
async function prepare(
  store: CorrectAuctionParts['store'],
  { command, isExpected, key, arrivedAtMs }: Asked,
  { auction, state, nowMs }: Before,
): Promise<CorrectCommand> {
  if (auction === undefined) return command
  const isAsExpected = isExpected?.(viewOf(await describedAuction(store, auction, state), state, nowMs))
  if (isAsExpected === false) return { ...command, expectedCorrections: -1, isUnprepared: true }
  const expecting = isAsExpected === undefined ? command : { ...command, expectedCorrections: countOf(state) }
  const isPossible = decide(termsOf(auction), state, expecting, arrivedAtMs).ok
  const isRepeated = key !== undefined && (await store.findEntriesByKey([key], { auctionIds: [auction.id] })).length > 0
  return isPossible && !isRepeated ? expecting : { ...expecting, isUnprepared: true }
}

/**
 * Has the agenda check the auction at its corrected start or end at the latest. This precedes the correction, because the
 * process may end between the correction and the update of the agenda: the auction would be closed at its previous end.
 */
async function bringCheckForward(
  store: Pick<Store, 'updateAgenda'>,
  { startTime, endTime }: Correction,
  { auction, state, nowMs }: Before,
): Promise<void> {
  if (auction === undefined || (startTime === undefined && endTime === undefined)) return
  const corrected = { ...termsIn(termsOf(auction), state), ...defined({ startTime, endTime }) }
  await store.updateAgenda([{ auctionId: auction.id, checkMs: placeOf(corrected, nowMs).dueMs }])
}

/** The position on the agenda of an auction without bids. */
function placeOf({ startTime, endTime }: Pick<Terms, 'startTime' | 'endTime'>, nowMs: number) {
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
  { auctionId, event, state }: Entry<Corrected>,
): Promise<void> {
  const { terms } = event
  if (terms === undefined || !['startTime', 'endTime'].some((name) => terms.fields.includes(name))) return
  const update = { auctionId, ...placeOf(terms.result, clock.nowMs()), corrections: countOf(state) }
  await withinTime(agendaLimit, () => updateAgenda(update), lateError).catch(() => undefined)
}

const lateError = () => new Error('the agenda was not updated in time')
