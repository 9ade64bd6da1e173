import { apartOf } from '../auction/entry.ts'
import { isBlocked } from '../auction/life.ts'
import { parseWithdrawal } from '../auction/repair.ts'
import { initialStateOf } from '../auction/state.ts'
import type { Clock } from '../clock.ts'
import type { Limits } from '../limits.ts'
import { isStoreUnavailable } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { inGroups } from '../values/groups.ts'
import type { AuctionId, RegisterId, UserId } from '../values/ids.ts'
import { unwrap } from '../values/result.ts'
import { withdrawnThrough } from './bids-apart.ts'
import type { WithdrawBidder, WithdrawBidderRefusal } from './withdraw-bidder.ts'

/** The outcome for the bids of a bidder in one auction. */
export type WithdrawnIn = {
  readonly auctionId: AuctionId
  readonly outcome: 'withdrawn' | WithdrawBidderRefusal['code'] | 'store-unavailable'
}

export type WithdrawnEverywhere = {
  /** The open auctions of the register in which the bidder has bid, the last bid first. */
  readonly auctions: readonly WithdrawnIn[]
  /** Whether there may be more: repeat the call. It stays true for a bidder with 500 bids or more. */
  readonly more: boolean
  /** When no bid that arrived before the refusal can still be recorded, in milliseconds since 1970. Then repeat the call. */
  readonly settledAtMs: number
}

type Asked = {
  readonly registerId: RegisterId
  readonly bidderId: UserId
  readonly reason: string
  readonly editor: string
  /** When the request began. */
  readonly startedAtMs: number
}

/** Withdraws the bids of a bidder from the open auctions of a register, and blocks the bidder there. */
export type WithdrawEverywhere = (asked: Asked) => Promise<WithdrawnEverywhere>

type ListBidderEntries = NonNullable<Store['listBidderEntries']>

type Parts = {
  readonly store: Pick<Store, 'findAuctions' | 'findHeads' | 'listBidderEntries'>
  readonly withdrawBidder: WithdrawBidder
  readonly clock: Pick<Clock, 'nowMs'>
  readonly limits: Pick<Limits, 'deadlineMs'>
}

/** The newest entries of a bidder that are looked at. */
const maxEntries = 500
/** The number of auctions that are read at once. */
const maxIds = 100
/** The number of auctions from which bids are withdrawn at the same time. */
const maxAtOnce = 4
/** No further withdrawal begins after this share of the deadline. */
const shareOfDeadline = 0.5
/**
 * A bid that arrived before the refusal may read the register until its deadline, and wait in its lane for another one,
 * at whose end the store may have 0.4 deadlines for its last write.
 */
const deadlinesUntilSettled = 2.4

/** Undefined if the store cannot find the bids of a bidder. */
export function createWithdrawEverywhere({ store, withdrawBidder, clock, limits }: Parts) {
  const { listBidderEntries } = store
  return listBidderEntries && ((asked: Asked) => withdrawEverywhere(asked, listBidderEntries))

  /** The auctions of the register without a result among these. */
  async function openOf(registerId: RegisterId, ids: readonly AuctionId[]) {
    const read = inGroups(ids, maxIds).map((group) =>
      Promise.all([store.findAuctions({ ids: group }), store.findHeads(group)]),
    )
    const groups = await Promise.all(read)
    const stateOf = new Map(groups.flatMap(([, heads]) => heads.map(({ auctionId, state }) => [auctionId, state])))
    return groups
      .flatMap(([found]) => found)
      .filter(({ auction }) => auction.registerId === registerId)
      .map(({ auction }) => ({ auction, state: stateOf.get(auction.id) ?? initialStateOf(auction) }))
      .filter(({ state }) => state.phase === 'open')
  }

  /** The open auctions of the register in which the bidder has bid, the last bid first. */
  async function openAuctions({ registerId, bidderId }: Asked, list: ListBidderEntries) {
    const read = (id: UserId) => list(id, { limit: maxEntries })
    const [others, apart] = await Promise.all([read(bidderId), read(apartOf(bidderId))])
    const entries = [...others, ...apart].toSorted((one, other) => other.atMs - one.atMs).slice(0, maxEntries)
    const ids = [...new Set(entries.map(({ auctionId }) => auctionId))]
    const open = (await openOf(registerId, ids)).map(({ auction: { id: auctionId }, state }) => {
      const through = withdrawnThrough(state, bidderId)
      const hasLater = entries.some((entry) => entry.auctionId === auctionId && entry.sequence > through)
      return { auctionId, isDone: isBlocked(state, bidderId) && !hasLater }
    })
    return { open, more: entries.length === maxEntries }
  }

  async function withdrawIn(auctionId: AuctionId, { bidderId, reason, editor }: Asked): Promise<WithdrawnIn> {
    const withdrawal = unwrap(parseWithdrawal({ bidderId, reason, block: true }))
    try {
      const withdrawn = await withdrawBidder({ auctionId, withdrawal, editor })
      return { auctionId, outcome: withdrawn.ok ? 'withdrawn' : withdrawn.refusal.code }
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error
      return { auctionId, outcome: 'store-unavailable' }
    }
  }

  async function withdrawEverywhere(asked: Asked, list: ListBidderEntries): Promise<WithdrawnEverywhere> {
    const settledAtMs = clock.nowMs() + Math.ceil(deadlinesUntilSettled * limits.deadlineMs)
    const { open, more } = await openAuctions(asked, list)
    const auctions: WithdrawnIn[] = []
    for (const group of inGroups(open, maxAtOnce)) {
      if (clock.nowMs() - asked.startedAtMs > shareOfDeadline * limits.deadlineMs) break
      const done = group.map(({ auctionId, isDone }) =>
        isDone ? { auctionId, outcome: 'withdrawn' as const } : withdrawIn(auctionId, asked),
      )
      auctions.push(...(await Promise.all(done)))
    }
    return { auctions, more: more || auctions.length < open.length, settledAtMs }
  }
}
