import { type Auction, termsOf } from '../auction/auction.ts'
import { type AuctionNotFound, notFound } from '../auction/auction-ledger.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import { isRepairEntry } from '../auction/entry.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { isHiddenFrom, type Viewer } from '../auction/privacy.ts'
import { publicSequenceOf, shownSequences } from '../auction/public-sequence.ts'
import { type AuctionState, initialStateOf, termsIn } from '../auction/state.ts'
import { shownAtMs } from '../auction/status.ts'
import { type CurrentView, viewOf } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { Limits } from '../limits.ts'
import type { Store } from '../store/store.ts'
import { defined } from '../values/defined.ts'
import type { AuctionId, UserId } from '../values/ids.ts'
import { isoOf, type Moment } from '../values/moment.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { InvalidValueError, type ValidationFailed, validationFailed } from '../values/validation.ts'
import { type ApartParts, ownBid } from './bids-apart.ts'
import { aheadOf } from './list-events.ts'

type ReadAuctionParts = {
  readonly store: Pick<Store, 'findAuction' | 'findHeads' | 'findEntries' | 'listEntries'>
  readonly clock: Clock
}

type ReadAuctionAtParts = ReadAuctionParts & { readonly limits: Pick<Limits, 'clockSkewMs'> }

export type ReadAuction = (
  id: AuctionId,
  /** The user who reads, and sees their own sealed bid. */
  viewerId?: UserId,
  /** As that of a `Viewer`. */
  seesPrivate?: boolean,
) => Promise<Result<CurrentView, AuctionNotFound | Overloaded>>

/**
 * Returns the auction as it was after an entry, with its status at the time of the entry, or at a time. `at` is the
 * sequence of the entry, 0 for the auction as it was created, or a time. Title, description, metadata and
 * `correctedAtMs` are those of now, since what was corrected away must not be shown. A sequence that the ledger does
 * not have, and a time before the creation or in the future, are refused as `validation-failed` with the pointer `/at`.
 * A time that is ahead by at most `clockSkewMs` counts as now, since another process, whose clock is ahead, may have
 * given it.
 */
export type ReadAuctionAt = (
  id: AuctionId,
  at: number | Moment,
  viewer?: Viewer,
) => Promise<Result<CurrentView, AuctionNotFound | ValidationFailed | Overloaded>>

export function readAuctionUseCase(parts: ReadAuctionParts & ApartParts): ReadAuction {
  const { store, clock } = parts
  return async (id, viewerId, seesPrivate) => {
    const nowMs = clock.nowMs() // First, because entries may be added during the read.
    const [auction, [head]] = await Promise.all([store.findAuction(id), store.findHeads([id])])
    if (auction === undefined || isHiddenFrom(auction, { viewerId, seesPrivate })) return refused(notFound(id))
    const state = head?.state ?? initialStateOf(auction)
    const view = viewOf(await describedAuction(store, auction, state), state, nowMs)
    const current = { ...view, sequence: publicSequenceOf(state, head?.sequence ?? 0) }
    if (viewerId === undefined || !formatOf(auction).keepsBidsApart) return accepted(current)
    const own = await ownBid(parts, termsIn(auction, state), state, viewerId)
    return accepted({ ...current, ownBid: own ?? null })
  }
}

/** @throws InvalidValueError for an `at` that is neither a sequence nor a time */
export function readAuctionAtUseCase({ store, clock, limits }: ReadAuctionAtParts): ReadAuctionAt {
  return async (id, at, viewer = {}) => {
    const isNumber = typeof at === 'number'
    if (!Number.isSafeInteger(isNumber ? at : at.epochMs) || (isNumber && at < 0))
      throw new InvalidValueError('at must be an integer of at least 0, or a time')
    const nowMs = clock.nowMs() // First, because entries may be added during the read.
    const [auction, [head]] = await Promise.all([store.findAuction(id), store.findHeads([id])])
    if (auction === undefined || isHiddenFrom(auction, viewer)) return refused(notFound(id))
    const message = ruleOf(at, auction, head, nowMs, limits)
    if (message !== undefined) return refused(validationFailed({ pointer: '/at', message }))
    const entry = await entryAt(store, head, isNumber ? ledgerSequenceAt(head, at) : at)
    const none = initialStateOf(auction)
    const { sequence = 0, atMs = auction.createdAtMs, state: then = none } = entry ?? {}
    const state = withTextsOf(head?.state ?? none, then)
    const shownMs = entry !== undefined && isRepairEntry(entry) ? shownAtMs(termsOf(auction), state) : atMs
    const timeMs = isNumber ? shownMs : Math.min(at.epochMs, nowMs)
    const shown = { sequence: publicSequenceOf(then, sequence) }
    return accepted({ ...viewOf(await describedAuction(store, auction, state, head), state, timeMs), ...shown })
  }
}

/** The rule that `at` breaks, if it breaks one. */
function ruleOf(
  at: number | Moment,
  auction: Auction,
  head: AuctionEntry | undefined,
  nowMs: number,
  { clockSkewMs }: Pick<Limits, 'clockSkewMs'>,
): string | undefined {
  const last = head === undefined ? 0 : publicSequenceOf(head.state, head.sequence)
  if (head?.state.phase !== 'closed' && shownSequences(head?.state ?? initialStateOf(auction)) !== undefined)
    return 'must not be sent before the result of an auction whose bids are secret'
  if (typeof at === 'number') return at > last ? aheadOf(last) : undefined
  if (at.epochMs > nowMs + clockSkewMs) return `must be at most ${isoOf(nowMs)}, the time of the service`
  const { createdAtMs } = auction
  return at.epochMs < createdAtMs ? `must be at least ${isoOf(createdAtMs)}, when the auction was created` : undefined
}

/** The sequence in the ledger of an entry with a sequence that everyone sees; 0 for the auction as it was created. */
const ledgerSequenceAt = (head: AuctionEntry | undefined, at: number): number =>
  (head && shownSequences(head.state)?.[at - 1]) ?? at

/**
 * The last entry up to a sequence, which the ledger has, or up to a time. Stores have no order of times in a ledger, in
 * which they never decrease: a million entries take 20 reads.
 */
async function entryAt(
  store: Pick<Store, 'listEntries'>,
  head: AuctionEntry | undefined,
  at: number | Moment,
): Promise<AuctionEntry | undefined> {
  const isUpTo = ({ sequence, atMs }: AuctionEntry) => (typeof at === 'number' ? sequence <= at : atMs <= at.epochMs)
  if (head === undefined || isUpTo(head)) return head
  const readEntry = async (sequence: number) =>
    (await store.listEntries(head.auctionId, { before: sequence + 1, limit: 1 }))[0]
  if (typeof at === 'number') return at === 0 ? undefined : readEntry(at)
  let found: AuctionEntry | undefined
  for (let [before, after] = [0, head.sequence]; after - before > 1; ) {
    const middle = Math.floor((before + after) / 2)
    const entry = await readEntry(middle)
    if (entry?.sequence !== middle) throw new Error(`entry ${middle} of auction ${head.auctionId} is not stored`)
    if (isUpTo(entry)) [before, found] = [middle, entry]
    else after = middle
  }
  return found
}

/** A state with the corrected texts of a later one. Of corrections, only the terms are those of their time. */
function withTextsOf({ corrections: later }: AuctionState, state: AuctionState): AuctionState {
  if (later === undefined) return state
  const { terms: _, ...texts } = later
  // The cast: the terms are those of the format.
  return { ...state, corrections: { ...texts, ...defined({ terms: state.corrections?.terms }) } } as AuctionState
}

/**
 * An auction with the description that it has in a state, which is in an entry if it was corrected.
 * @param known an entry that need not be read
 */
export async function describedAuction(
  store: Pick<Store, 'findEntries'>,
  auction: Auction,
  { corrections }: AuctionState,
  known?: AuctionEntry,
): Promise<Auction> {
  if (corrections?.descriptionIn === undefined) return auction
  const id = corrections.descriptionIn
  const [entry] = known?.id === id ? [known] : await store.findEntries([id], { auctionIds: [auction.id] })
  if (entry?.event.type !== 'corrected') throw new Error(`the corrected description in entry ${id} is not stored`)
  const { description: _, ...others } = auction
  const { description } = entry.event
  return description == null ? others : { ...others, description }
}
