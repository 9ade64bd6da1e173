import { type Auction, termsOf } from '../auction/auction.ts'
import type { WithdrawCommand } from '../auction/commands.ts'
import { decide } from '../auction/decide.ts'
import type { Entry } from '../auction/entry.ts'
import type { WithdrawRefusal } from '../auction/refusals.ts'
import type { Withdrawal } from '../auction/repair.ts'
import { type AuctionState, initialState } from '../auction/state.ts'
import type { AuctionView } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { CommonRefusal } from '../ledger/pending-command.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { CallSignal, Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { type RequestKey, type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { type Result, refused } from '../values/result.ts'
import { arrivalOf, requireEditor, requireId, requireObject } from './check-arguments.ts'
import { viewAfter } from './read-while-recording.ts'
import { OutdatedError, readWithoutBidder } from './read-without-bidder.ts'
import { type Progress, withinDeadline } from './within-deadline.ts'

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
    requireEditor(editor, 'a withdrawal')
    const asked: Asked = {
      auctionId,
      command: { type: 'withdraw', ...withdrawal, editor, without: undefined },
      key: retry === undefined ? undefined : requestKeyOf('withdraw-bidder', retry),
      arrivedAtMs: arrivalOf(arrivedAtMs, clock),
    }
    return withinDeadline(limit, (progress) => withdraw(parts, asked, progress))
  }
}

/** How often a ledger is read of which other bids are withdrawn meanwhile. */
const maxReadings = 10

type Asked = Pick<WithdrawBidderRequest, 'auctionId'> & {
  readonly command: WithdrawCommand
  readonly key: RequestKey | undefined
  readonly arrivedAtMs: number
}

async function withdraw(
  parts: WithdrawBidderParts,
  asked: Asked,
  progress: Progress,
  reading = 1,
): Promise<Awaited<ReturnType<WithdrawBidder>>> {
  const { lanes, store } = parts
  const { auctionId, command, key, arrivedAtMs } = asked
  try {
    const [auction, [head]] = await Promise.all([store.findAuction(auctionId), store.findHeads([auctionId])])
    const prepare = auction && (await prepareFor(store, asked, auction, head, progress.signal))
    progress.submitting()
    const withdrawn = await lanes.submit(auctionId, command, key, arrivedAtMs, prepare)
    if (!withdrawn.ok) return refused(withdrawn.refusal)
    return { ...withdrawn, value: await viewAfter(store, auction, withdrawn.value) }
  } catch (error) {
    if (!(error instanceof OutdatedError)) throw error
    progress.outcome = 'nothing-changed'
    if (reading < maxReadings) return withdraw(parts, asked, progress, reading + 1)
    throw new StoreUnavailableError(`other bids of auction ${auctionId} were withdrawn in each of ${reading} readings`)
  }
}

/**
 * Reads the ledger, so that the lane has to read only what follows. Undefined if nothing is withdrawn, because
 * the bidder is unblocked, or the withdrawal is refused anyway or was recorded before: the lane finds the reason, or the entry.
 */
async function prepareFor(
  store: WithdrawBidderParts['store'],
  { command, key, arrivedAtMs }: Asked,
  auction: Auction,
  head: Entry | undefined,
  signal: CallSignal,
): Promise<((sequence: number) => Promise<WithdrawCommand>) | undefined> {
  if (command.isBlocked === false) return undefined
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
