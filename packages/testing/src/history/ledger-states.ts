import type { AuctionId } from '@auction/domain/ids'
import type { Entry, StoredAuction } from '@auction/domain/store'
import type { History, SeenAuction, SeenFigures, SeenTexts } from '../history.ts'

/** When a state of a ledger was possible. */
export type Moment = {
  /** The earliest possible time of this state: by then clients had sent the requests of all its entries. */
  fromMs: number
  /** The time when a client first knew of this state, or of a later one. */
  knownMs: number
}

/** One state of an auction's ledger: all entries up to and including its `head`. */
export type LedgerState = Readonly<Pick<Moment, 'fromMs'>> &
  Pick<Moment, 'knownMs'> & {
    readonly head: Entry | undefined
    /** The number of entries so far that everybody may see: outside it is the sequence of the last one. */
    readonly sequence: number
    /** The auction with the terms that it has then. */
    readonly auction: StoredAuction
    /** The end after the extensions so far. */
    readonly endMs: number
    /** What a view shows of prices and bids while the auction is active. */
    readonly figures: Partial<SeenFigures>
    readonly texts: SeenTexts
    /** Whether nothing can follow: the auction is closed, bought or cancelled. */
    readonly isClosed: boolean
  }

/** One auction, with all states of its ledger, in order. */
export type Timeline = {
  readonly auction: StoredAuction
  readonly states: readonly LedgerState[]
  /** The time when a client first knew of the auction. */
  knownMs: number
}
export type Timelines = ReadonlyMap<AuctionId, Timeline>

/** An auction's entries, by sequence. */
export const entriesOf = ({ ledger }: History): ((auctionId: AuctionId) => readonly Entry[]) => {
  const entries = Map.groupBy(ledger, ({ auctionId }) => auctionId)
  return (auctionId) => (entries.get(auctionId) ?? []).toSorted((a, b) => a.sequence - b.sequence)
}

/**
 * The possible states of the ledger between two moments. A state is over when a client knows of a later one, and cannot
 * begin before the requests of its entries. Only a few of many states are possible.
 */
export function statesDuring<State extends Readonly<Moment>>(
  { states }: { readonly states: readonly State[] },
  fromMs: number,
  toMs: number,
): readonly State[] {
  const first = firstIndex(states, ({ knownMs }) => knownMs >= fromMs)
  const end = firstIndex(states, (state) => state.fromMs > toMs)
  return states.slice(Math.max(first - 1, 0), end)
}

/** Who knows of a state knows of all earlier ones. */
export function settleKnown(states: readonly Pick<Moment, 'knownMs'>[]): void {
  let knownMs = Number.POSITIVE_INFINITY
  for (const state of states.toReversed()) {
    knownMs = Math.min(knownMs, state.knownMs)
    state.knownMs = knownMs
  }
}

/** The first index at which a condition holds, if it holds for all later ones. */
function firstIndex<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Whether a reader can have seen a state, by the numbers of bids and repairs, the last correction and the result. Only
 * raised maximums and corrections in one millisecond make several states alike.
 */
export const isLike =
  ({ bidCount, repairCount, correctedAtMs, result }: SeenAuction) =>
  (state: LedgerState): boolean =>
    state.figures.bidCount === bidCount &&
    (state.head?.state.repairs?.entryIds.length ?? 0) === repairCount &&
    state.texts.correctedAtMs === correctedAtMs &&
    state.isClosed === (result !== undefined)

export const isCancelled = ({ head }: LedgerState): boolean => head?.event.type === 'cancelled'
