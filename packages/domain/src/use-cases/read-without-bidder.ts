import type { Terms } from '../auction/auction.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import { type AuctionState, initialStateOf, termsIn } from '../auction/state.ts'
import { continued, type WithoutBidder, withoutBidder } from '../auction/without-bidder.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { CallSignal, EntryPosition, Store } from '../store/store.ts'
import type { UserId } from '../values/ids.ts'

type LedgerStore = Pick<Store, 'findHeads' | 'listEntries' | 'listBidderEntries'>

/** The maximum number of entries in memory. */
const entriesPerPage = 500

/** How many pages of the bidder's entries in all auctions are read, to find the first one in this auction. */
const maxBidderPages = 2

/** Other bids of the ledger were withdrawn while it was read, or it was just being created: it has to be read again. */
export class OutdatedError extends Error {}

/**
 * An auction without a bidder through an entry, which is the last one or a later one than before.
 * @throws OutdatedError
 */
export type ReadWithoutBidder = (sequence: number) => Promise<WithoutBidder>

/**
 * Reads a ledger nearly to its end, page after page, and decides it again without a bidder. The returned function reads
 * only what follows.
 * @param head the last entry, read before
 */
export async function readWithoutBidder(
  store: LedgerStore,
  terms: Terms,
  bidderId: UserId,
  head: AuctionEntry | undefined,
  signal: CallSignal,
): Promise<ReadWithoutBidder> {
  let without = await begin({ store, terms, bidderId, signal }, head)
  const readTo: ReadWithoutBidder = async (sequence) => {
    without = await continuedTo(store, without, sequence, signal)
    if (without.isOutdated || without.sequence > sequence) throw new OutdatedError()
    return without
  }
  let last = head?.sequence ?? 0
  // A ledger may grow while it is read.
  while (last - without.sequence > entriesPerPage) {
    await readTo(last)
    const [next] = await store.findHeads([terms.id])
    last = next?.sequence ?? last
  }
  await readTo(last)
  return readTo
}

type Reading = {
  readonly store: LedgerStore
  readonly terms: Terms
  readonly bidderId: UserId
  readonly signal: CallSignal
}

/**
 * A long ledger is read from the bidder's first bid on: until then, the auction without the bidder is the recorded one.
 */
async function begin(reading: Reading, head: AuctionEntry | undefined): Promise<WithoutBidder> {
  const { store, terms, bidderId, signal } = reading
  const { sequence: last, state } = head ?? { sequence: 0, state: initialStateOf(terms) }
  const first = last <= entriesPerPage ? undefined : await findFirst(reading, state)
  const isRecorded =
    first !== undefined && state.repairs?.withdrawn?.every((it) => it.throughSequence < first) !== false
  const before = isRecorded ? Math.min(first - 1, last) : 0
  if (before === 0) return withoutBidder(terms, bidderId, state)
  const [entry] = before === last ? [head] : await store.listEntries(terms.id, { before: before + 1, limit: 1, signal })
  return withoutBidder(terms, bidderId, state, entry)
}

/**
 * The sequence of the first of the bidder's entries that count; undefined if none is found soon. A store that fails
 * over may list without the newest entries for a moment, so a list without any proves nothing.
 */
async function findFirst(
  { store, terms, bidderId, signal }: Reading,
  state: AuctionState,
): Promise<number | undefined> {
  if (store.listBidderEntries === undefined) return undefined
  const { startTime } = termsIn(terms, state)
  const withdrawn = state.repairs?.withdrawn?.find((earlier) => earlier.bidderId === bidderId)?.throughSequence ?? 0
  let first: number | undefined
  let after: EntryPosition | undefined
  for (let pages = 0; pages < maxBidderPages; pages++) {
    const entries = await store.listBidderEntries(bidderId, { limit: entriesPerPage, after, signal })
    for (const { auctionId, sequence } of entries)
      if (auctionId === terms.id && sequence > withdrawn) first = Math.min(first ?? sequence, sequence)
    const last = entries.at(-1)
    if (last === undefined || entries.length < entriesPerPage || last.atMs < startTime.epochMs) return first
    after = { timeMs: last.atMs, id: last.id }
  }
  return undefined
}

/**
 * Reads the pages until an entry, one after another: while the next one is read, the process does other work. If pages
 * were read ahead, their responses could follow each other for seconds without anything between them.
 */
async function continuedTo(
  store: LedgerStore,
  before: WithoutBidder,
  last: number,
  signal: CallSignal,
): Promise<WithoutBidder> {
  let without = before
  const auctionId = without.created.id
  while (without.sequence < last) {
    const position = Math.min(without.sequence + entriesPerPage, last)
    const limit = position - without.sequence
    const entries = await store.listEntries(auctionId, { before: position + 1, limit, signal })
    if (entries.length !== limit) {
      throw new StoreUnavailableError(`the store did not list all entries of auction ${auctionId} until ${position}`)
    }
    without = continued(without, entries.toReversed())
  }
  return without
}
