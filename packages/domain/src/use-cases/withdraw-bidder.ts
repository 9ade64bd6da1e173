import { type Auction, termsOf } from '../auction/auction.ts'
import type { AuctionGuard, AuctionLanes, CommonRefusal } from '../auction/auction-ledger.ts'
import { decide } from '../auction/decide.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import { formatOf } from '../auction/formats/formats.ts'
import type { WithdrawRefusal } from '../auction/life-refusals.ts'
import type { Withdrawal, WithdrawCommand } from '../auction/repair.ts'
import { type AuctionState, initialStateOf } from '../auction/state.ts'
import { standingWithout } from '../auction/without-bidder.ts'
import type { Clock } from '../clock.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { CallSignal, Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import type { Checked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import type { RequestKey } from '../values/request-key.ts'
import { refused } from '../values/result.ts'
import { type ChangeAuction, changeUseCase } from './change-auction.ts'
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
/** Returns the auction without the bids. */
export type WithdrawBidder = ChangeAuction<WithdrawBidderRequest, WithdrawBidderRefusal>

type WithdrawBidderParts = {
  readonly lanes: Pick<AuctionLanes, 'submit'>
  readonly store: Pick<
    Store,
    'findAuction' | 'findHeads' | 'findEntries' | 'findEntriesByKey' | 'listEntries' | 'listBidderEntries'
  >
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
}

/**
 * Withdraws all bids of a bidder from an auction that has no result yet. The bids of the others are decided again
 * without them, so the price falls or stays, and another bidder leads if the bidder led.
 * @throws InvalidValueError that names an invalid arrival, id, withdrawal or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the withdrawal may be stored
 */
export function withdrawBidderUseCase(parts: WithdrawBidderParts): WithdrawBidder {
  const { clock, limit } = parts
  return changeUseCase('withdraw-bidder', clock, ({ auctionId, withdrawal, editor }, key, arrivedAtMs) => {
    const command: WithdrawCommand = { type: 'withdraw', ...withdrawal, editor, without: undefined }
    return withinDeadline(limit, (progress) => withdraw(parts, { auctionId, command, key, arrivedAtMs }, progress))
  })
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
    const guard = auction === undefined ? unread : await guardFor(store, asked, auction, head, progress.signal)
    progress.submitting()
    const withdrawn = await lanes.submit(auctionId, command, key, arrivedAtMs, guard)
    if (!withdrawn.ok) return refused(withdrawn.refusal)
    return { ...withdrawn, value: await viewAfter(store, auction, withdrawn.value) }
  } catch (error) {
    if (!(error instanceof OutdatedError)) throw error
    progress.outcome = 'nothing-changed'
    if (reading < maxReadings) return withdraw(parts, asked, progress, reading + 1)
    throw new StoreUnavailableError(`other bids of auction ${auctionId} were withdrawn in each of ${reading} readings`)
  }
}

/** The guard of an auction that is just being created: its ledger has to be read, or the bids would stay. */
const unread: AuctionGuard<WithdrawCommand> = {
  decide() {
    throw new OutdatedError()
  },
}

/**
 * Reads the ledger, so that the lane has to read only what follows. Undefined if nothing is withdrawn, because the
 * bidder is unblocked, or the withdrawal is refused anyway or was recorded before: the lane finds the reason, or the
 * entry.
 */
async function guardFor(
  store: WithdrawBidderParts['store'],
  { command, key, arrivedAtMs }: Asked,
  auction: Auction,
  head: AuctionEntry | undefined,
  signal: CallSignal,
): Promise<AuctionGuard<WithdrawCommand> | undefined> {
  if (command.isBlocked === false || formatOf(auction).keepsBidsApart === true) return undefined
  const { state }: { readonly state: AuctionState } = head ?? { state: initialStateOf(auction) }
  const terms = termsOf(auction)
  const isPossible = decide(terms, state, { ...command, without: state }, arrivedAtMs).ok
  if (!isPossible || (await isRecorded(store, auction, key))) return undefined
  const readTo = await readWithoutBidder(store, terms, command.bidderId, head, signal)
  let prepared: { readonly sequence: number; readonly command: WithdrawCommand } | undefined
  async function prepareFor(sequence: number): Promise<void> {
    prepared = { sequence, command: { ...command, without: standingWithout(await readTo(sequence)) } }
  }
  return {
    decide: ({ sequence }, byRules) => (prepared?.sequence === sequence ? byRules(prepared.command) : undefined),
    prepare: (sequence) => (prepared?.sequence === sequence ? undefined : prepareFor(sequence)),
  }
}

const isRecorded = async (
  store: Pick<Store, 'findEntriesByKey'>,
  { id }: Auction,
  key: RequestKey | undefined,
): Promise<boolean> => key !== undefined && (await store.findEntriesByKey([key], { auctionIds: [id] })).length > 0
