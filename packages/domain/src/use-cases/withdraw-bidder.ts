import { type Auction, termsOf } from '../auction/auction.ts'
import type { WithdrawCommand } from '../auction/commands.ts'
import { decide } from '../auction/decide.ts'
import type { Entry } from '../auction/entry.ts'
import type { Withdrawn } from '../auction/events.ts'
import type { WithdrawRefusal } from '../auction/refusals.ts'
import type { Withdrawal } from '../auction/repair.ts'
import { type AuctionState, initialState } from '../auction/state.ts'
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
import { OutdatedError, readWithoutBidder } from './read-without-bidder.ts'

export type WithdrawBidderRequest = {
  readonly auctionId: AuctionId
  readonly withdrawal: Checked<Withdrawal>
  /** Who withdraws the bids: 1 to 100 characters, stored with the withdrawal. */
  readonly editor: string
}
export type WithdrawBidderRefusal = WithdrawRefusal | CommonRefusal
/** Returns the auction without the bids. The same `retry` withdraws them once. `arrivedAtMs` is as for `PlaceBid`. */
export type WithdrawBidder = (
  request: WithdrawBidderRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, WithdrawBidderRefusal>>

type WithdrawBidderParts = {
  readonly lanes: Pick<Lanes, 'submit'>
  readonly store: Pick<
    Store,
    'findAuction' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'listEntries' | 'listBidderEntries'
  >
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
}

const Editor = textUpTo(100)

/**
 * Withdraws all bids of a bidder from an auction that has no result yet. The bids of the others are decided again without
 * them, so the price falls or stays, and another bidder leads if the bidder led.
 * @throws InvalidValueError that names an invalid arrival, id, withdrawal or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the withdrawal may be stored
 */
export function withdrawBidderUseCase(parts: WithdrawBidderParts): WithdrawBidder {
  const { clock, limit } = parts
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a withdrawal')
    const { auctionId, withdrawal, editor } = request
    requireId(auctionId, 'auctionId of a withdrawal')
    requireChecked(withdrawal, 'a withdrawal', 'parseWithdrawal')
    checkedValue(Editor, editor, 'the editor of a withdrawal')
    const asked: Asked = {
      auctionId,
      command: { type: 'withdraw', ...withdrawal, editor, without: undefined },
      key: retry === undefined ? undefined : requestKeyOf('withdraw-bidder', retry),
      arrivedAtMs: arrivalOf(arrivedAtMs, clock),
      outcome: 'nothing-changed',
    }
    const lateError = () => new StoreUnavailableError(`the store did not finish within ${limit.ms} ms`, asked)
    try {
      return await withinTime(limit, (signal) => withdraw(parts, asked, signal), lateError)
    } catch (error) {
      // Later errors have their own outcome.
      throw asked.outcome === 'nothing-changed' ? withOutcome(error, asked.outcome) : error
    }
  }
}

type Asked = Pick<WithdrawBidderRequest, 'auctionId'> & {
  readonly command: WithdrawCommand
  readonly key: RequestKey | undefined
  readonly arrivedAtMs: number
  /** The outcome if it fails now. */
  outcome: WriteOutcome
}

async function withdraw(
  parts: WithdrawBidderParts,
  asked: Asked,
  signal: CallSignal,
): Promise<Awaited<ReturnType<WithdrawBidder>>> {
  const { lanes, store } = parts
  const { auctionId, command, key, arrivedAtMs } = asked
  try {
    const [auction, [head]] = await Promise.all([store.findAuction(auctionId), store.findHeads([auctionId])])
    const prepare = auction && (await prepareFor(store, asked, auction, head, signal))
    // A command that timed out in the meantime must not be written.
    if (signal.aborted) throw new StoreUnavailableError('the ledger was not read in time')
    asked.outcome = 'unknown'
    const withdrawn = await lanes.submit(auctionId, command, key, arrivedAtMs, prepare)
    if (!withdrawn.ok) return refused(withdrawn.refusal)
    return { ...withdrawn, value: await viewAfter(store, auction, withdrawn.value) }
  } catch (error) {
    if (!(error instanceof OutdatedError)) throw error
    asked.outcome = 'nothing-changed'
    return withdraw(parts, asked, signal)
  }
}

/**
 * Reads the ledger, so that the lane has to read only what follows. Undefined if the withdrawal is refused anyway, or was
 * recorded before: the lane then finds the reason, or the entry.
 */
async function prepareFor(
  store: WithdrawBidderParts['store'],
  { command, key, arrivedAtMs }: Asked,
  auction: Auction,
  head: Entry | undefined,
  signal: CallSignal,
): Promise<((sequence: number) => Promise<WithdrawCommand>) | undefined> {
  const { state }: { readonly state: AuctionState } = head ?? { state: initialState }
  const terms = termsOf(auction)
  const isPossible = decide(terms, state, { ...command, without: state }, arrivedAtMs).ok
  if (!isPossible || (await isRecorded(store, auction, key))) return undefined
  const readTo = await readWithoutBidder(store, terms, command.bidderId, head, signal)
  return async (sequence) => {
    const { leader, bidCount, hasBids } = await readTo(sequence)
    return { ...command, without: hasBids ? { leader, bidCount } : undefined }
  }
}

const isRecorded = async (
  store: Pick<Store, 'findEntriesByKey'>,
  { id }: Auction,
  key: RequestKey | undefined,
): Promise<boolean> => key !== undefined && (await store.findEntriesByKey([key], { auctionIds: [id] })).length > 0

/** @throws StoreUnavailableError with an unknown outcome, because the withdrawal is stored */
async function viewAfter(
  store: Pick<Store, 'findEntries'>,
  auction: Auction | undefined,
  { auctionId, state }: Entry<Withdrawn>,
): Promise<AuctionView> {
  try {
    if (auction === undefined) throw new Error(`auction ${auctionId} is not stored`)
    return viewOf(await describedAuction(store, auction, state), state, state.atMs)
  } catch (cause) {
    throw new StoreUnavailableError('the auction could not be read', { cause, outcome: 'unknown' })
  }
}
