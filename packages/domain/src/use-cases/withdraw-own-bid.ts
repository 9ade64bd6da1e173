import { type Auction, termsOf } from '../auction/auction.ts'
import type { AuctionGuard, AuctionLanes, CommonRefusal } from '../auction/auction-ledger.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import { type DecisionOf, formatOf } from '../auction/formats/formats.ts'
import type { OwnWithdrawal, WithdrawOwnBidCommand } from '../auction/offers.ts'
import { termsIn } from '../auction/state.ts'
import type { Clock } from '../clock.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { CallSignal, Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import type { Checked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { refused } from '../values/result.ts'
import { isOwnWithdrawal, ownEntries, withdrawnThrough } from './bids-apart.ts'
import { type ChangeAuction, changeUseCase } from './change-auction.ts'
import { viewAfter } from './read-while-recording.ts'
import { withinDeadline } from './within-deadline.ts'

export type WithdrawOwnBidRequest = {
  readonly auctionId: AuctionId
  readonly withdrawal: Checked<OwnWithdrawal>
}
export type WithdrawOwnBidRefusal = DecisionOf<'withdraw-own-bid'>['refusal'] | CommonRefusal
/** Returns the auction. */
export type WithdrawOwnBid = ChangeAuction<WithdrawOwnBidRequest, WithdrawOwnBidRefusal>

type WithdrawOwnBidParts = {
  readonly lanes: Pick<AuctionLanes, 'submit'>
  readonly store: Pick<Store, 'findAuction' | 'findHeads' | 'findEntries' | 'listEntries' | 'listBidderEntries'>
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
}

/**
 * Withdraws the bids of a bidder from a sealed auction, at the request of that bidder, until the end.
 * @throws InvalidValueError that names an invalid arrival, id or withdrawal; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the withdrawal may be stored
 * @throws UnsupportedByStoreError if the store has no `listBidderEntries`
 */
export function withdrawOwnBidUseCase({ lanes, store, clock, limit }: WithdrawOwnBidParts): WithdrawOwnBid {
  return changeUseCase('withdraw-own-bid', clock, ({ auctionId, withdrawal }, key, arrivedAtMs) => {
    const command: WithdrawOwnBidCommand = { type: 'withdraw-own-bid', ...withdrawal, hasBids: false }
    return withinDeadline(limit, async ({ signal, submitting }) => {
      const [auction, [head]] = await Promise.all([store.findAuction(auctionId), store.findHeads([auctionId])])
      const guard = auction && (await guardFor(store, auction, command, head, signal))
      submitting()
      const withdrawn = await lanes.submit(auctionId, command, key, arrivedAtMs, guard)
      if (!withdrawn.ok) return refused(withdrawn.refusal)
      return { ...withdrawn, value: await viewAfter(store, auction, withdrawn.value) }
    })
  })
}

/** The last entry of the bidder in the ledger, up to a sequence. */
type Known = { readonly sequence: number; readonly last: AuctionEntry | undefined }

/** Finds the last request of the bidder, so that the lane has to read only what follows. */
async function guardFor(
  store: WithdrawOwnBidParts['store'],
  auction: Auction,
  command: WithdrawOwnBidCommand,
  head: AuctionEntry | undefined,
  signal: CallSignal,
): Promise<AuctionGuard<WithdrawOwnBidCommand> | undefined> {
  // Other formats refuse it.
  if (formatOf(auction).decideOwnWithdrawal === undefined) return undefined
  const { bidderId } = command
  const terms = head === undefined ? termsOf(auction) : termsIn(termsOf(auction), head.state)
  const { value: last } = await ownEntries({ store }, terms, bidderId, signal).next()
  let known: Known = { last, sequence: Math.max(head?.sequence ?? 0, last?.sequence ?? 0) }
  async function prepareFor(sequence: number): Promise<void> {
    const limit = sequence - known.sequence
    if (limit < 0) throw new StoreUnavailableError(`the store returned an earlier head of auction ${auction.id}`)
    const entries = await store.listEntries(auction.id, { before: sequence + 1, limit, signal })
    const own = entries.find(({ event, state }) => formatOf(state).actorOf(event) === bidderId)
    known = { sequence, last: own ?? known.last }
  }
  return {
    decide: ({ sequence, state: { repairs } }, byRules) => {
      if (sequence !== known.sequence) return undefined
      const { last } = known
      const isBid = last !== undefined && !isOwnWithdrawal(last)
      return byRules({ ...command, hasBids: isBid && last.sequence > withdrawnThrough({ repairs }, bidderId) })
    },
    prepare: (sequence) => (sequence === known.sequence ? undefined : prepareFor(sequence)),
  }
}
