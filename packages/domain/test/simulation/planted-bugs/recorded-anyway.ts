import { type Terms, termsOf } from '../../../src/auction/auction.ts'
import type { Command } from '../../../src/auction/commands.ts'
import { decide } from '../../../src/auction/decide.ts'
import { bidOf, type Entry, isBidEntry } from '../../../src/auction/entry.ts'
import { type AuctionState, evolve, initialState } from '../../../src/auction/state.ts'
import { type AuctionView, leaderOf, viewOf } from '../../../src/auction/view.ts'
import { createIdsFromBlocks } from '../../../src/store/ids-from-blocks.ts'
import type { Store } from '../../../src/store/store.ts'
import { describedAuction } from '../../../src/use-cases/read-auction.ts'
import { type AuctionId, type BidId, idsPerBlock } from '../../../src/values/ids.ts'
import { type RequestKey, type RetryKey, requestKeyOf } from '../../../src/values/request-key.ts'
import { accepted } from '../../../src/values/result.ts'
import { type ServedBy, withService } from './planted.ts'

/** What rules decide with, besides the command. */
type Inputs = { readonly terms: Terms; readonly state: AuctionState; readonly atMs: number }

/** The inputs of rules with a bug; undefined where they decide as the right ones do. */
export type WrongInputs = (inputs: Inputs) => Partial<Inputs> | undefined

type Recording = {
  readonly auctionId: AuctionId
  readonly command: Command
  readonly requestKey?: RequestKey | undefined
  /** When the request had arrived. */
  readonly atMs: number
  readonly wrong: WrongInputs
}

/** Decides as rules with a bug do, on the last entry. Undefined where they decide as the right ones do. */
export async function decideWrongly(
  { store }: Pick<ServedBy, 'store'>,
  { auctionId, command, wrong, ...arrived }: Recording,
) {
  const [auction, [head]] = await Promise.all([store.findAuction(auctionId), store.findHeads([auctionId])])
  if (auction === undefined) return undefined
  const right = { terms: termsOf(auction), state: head?.state ?? initialState, atMs: arrived.atMs }
  const inputs = wrong(right)
  if (inputs === undefined) return undefined
  const { terms, state, atMs } = { ...right, ...inputs }
  return { auction, head, right, decision: decide(terms, state, command, atMs) }
}

/** Records a command that the right rules refuse, if rules with a bug accept it. The entry follows the last one of the auction. */
export async function recordAnyway(servedBy: ServedBy, recording: Recording): Promise<Entry | undefined> {
  const decided = await decideWrongly(servedBy, recording)
  if (!decided?.decision.ok) return undefined
  const { auction, head, right, decision } = decided
  const { requestKey } = recording
  const atMs = Math.max(right.atMs, head?.atMs ?? 0)
  const sequence = (head?.sequence ?? 0) + 1
  const recorded = { id: await idsOf(servedBy.store).nextPair(), sequence, atMs, event: decision.value }
  const entry: Entry = {
    ...recorded,
    auctionId: auction.id,
    currency: auction.currency,
    state: evolve(right.state, recorded),
    ...(requestKey && { requestKey }),
  }
  return (await servedBy.store.append([entry])) === 1 ? entry : undefined
}

/** The ids of entries that a bug records. They come from separate blocks. */
function idsOf(store: Store) {
  const ids = idsByStore.get(store) ?? createIdsFromBlocks<BidId>(store, 'entries', idsPerBlock.entries)
  idsByStore.set(store, ids)
  return ids
}
const idsByStore = new WeakMap<Store, ReturnType<typeof createIdsFromBlocks<BidId>>>()

/** Refusals for other reasons than the rules. */
const unruled: readonly string[] = ['overloaded', 'idempotency-key-reused', 'auction-not-found']

/** Plants bids that are accepted though the right rules refuse them. */
export const withPlacedBids = (wrong: WrongInputs) =>
  withService((right, servedBy) => ({
    async placeBid(bid, retry, atMs = servedBy.clock.nowMs()) {
      const placed = await right.placeBid(bid, retry, atMs)
      if (placed.ok || unruled.includes(placed.refusal.code)) return placed
      const { auctionId, ...fields } = bid
      const command = { type: 'place-bid', ...fields } as const
      const requestKey = keyOf('place-bid', retry)
      const entry = await recordAnyway(servedBy, { auctionId, command, requestKey, atMs, wrong })
      if (entry === undefined || !isBidEntry(entry)) return placed
      return accepted({ ...bidOf(entry), ...leaderOf(entry.state) })
    },
  }))

/** Plants purchases that are accepted though the right rules refuse them. */
export const withPurchases = (wrong: WrongInputs) =>
  withService((right, servedBy) => ({
    async buyNow(request, retry, atMs = servedBy.clock.nowMs()) {
      const bought = await right.buyNow(request, retry, atMs)
      if (bought.ok || unruled.includes(bought.refusal.code)) return bought
      const { auctionId, purchase } = request
      const command = { type: 'buy-now', ...purchase } as const
      const requestKey = keyOf('buy-now', retry)
      const entry = await recordAnyway(servedBy, { auctionId, command, requestKey, atMs, wrong })
      return entry === undefined ? bought : accepted(await viewAfter(servedBy, entry))
    },
  }))

/** Plants cancellations that are accepted though the right rules refuse them. */
export const withCancellations = (wrong: WrongInputs) =>
  withService((right, servedBy) => ({
    async cancelAuction(request, retry, atMs = servedBy.clock.nowMs()) {
      const cancelled = await right.cancelAuction(request, retry, atMs)
      if (cancelled.ok || unruled.includes(cancelled.refusal.code)) return cancelled
      const { auctionId, cancellation, ...fields } = request
      const command = { type: 'cancel', ...cancellation, ...fields } as const
      const requestKey = keyOf('cancel-auction', retry)
      const entry = await recordAnyway(servedBy, { auctionId, command, requestKey, atMs, wrong })
      return entry === undefined ? cancelled : accepted(await viewAfter(servedBy, entry))
    },
  }))

/** Plants corrections that are accepted though the right rules refuse them, unless they expect a state. */
export const withCorrections = (wrong: WrongInputs) =>
  withService((right, servedBy) => ({
    async correctAuction(request, retry, atMs = servedBy.clock.nowMs()) {
      const corrected = await right.correctAuction(request, retry, atMs)
      const { auctionId, isExpected, ...fields } = request
      if (corrected.ok || unruled.includes(corrected.refusal.code) || isExpected !== undefined) return corrected
      const command = { type: 'correct', ...fields } as const
      const requestKey = keyOf('correct-auction', retry)
      const entry = await recordAnyway(servedBy, { auctionId, command, requestKey, atMs, wrong })
      return entry === undefined ? corrected : accepted(await viewAfter(servedBy, entry))
    },
  }))

/** Plants lower reserves that are accepted though the right rules refuse them. */
export const withReductions = (wrong: WrongInputs) =>
  withService((right, servedBy) => ({
    async lowerReserve(request, retry, atMs = servedBy.clock.nowMs()) {
      const lowered = await right.lowerReserve(request, retry, atMs)
      if (lowered.ok || unruled.includes(lowered.refusal.code)) return lowered
      const { auctionId, reduction, ...fields } = request
      const command = { type: 'lower-reserve', ...reduction, ...fields } as const
      const requestKey = keyOf('lower-reserve', retry)
      const entry = await recordAnyway(servedBy, { auctionId, command, requestKey, atMs, wrong })
      return entry === undefined ? lowered : accepted(await viewAfter(servedBy, entry))
    },
  }))

const keyOf = (operation: Parameters<typeof requestKeyOf>[0], retry: RetryKey | undefined) =>
  retry && requestKeyOf(operation, retry)

/** The auction after an entry that was just recorded. */
async function viewAfter({ store }: ServedBy, { auctionId, state }: Entry): Promise<AuctionView> {
  const auction = await store.findAuction(auctionId)
  if (auction === undefined) throw new Error(`auction ${auctionId} is not stored`)
  return viewOf(await describedAuction(store, auction, state), state, state.atMs)
}
