import { formatOf } from '../auction/formats/formats.ts'
import { isBlocked } from '../auction/life.ts'
import { parseWithdrawal } from '../auction/repair.ts'
import { initialStateOf } from '../auction/state.ts'
import type { Clock } from '../clock.ts'
import type { Limits } from '../limits.ts'
import { isStoreUnavailable } from '../store/errors.ts'
import { type AuctionPosition, agendaStages, type Store } from '../store/store.ts'
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
  /** The open auctions of the register in which the bidder has bid, sealed bids included, the last bid first. */
  readonly auctions: readonly WithdrawnIn[]
  /** Whether there may be more: repeat the call. It stays true for a bidder with `maxEntries` bids or more. */
  readonly more: boolean
  /** When no bid that arrived before the refusal can still be recorded, in milliseconds since 1970. Then repeat the call. */
  readonly settledAtMs: number
}

type Asked = {
  readonly registerId: RegisterId
  readonly bidderId: UserId
  readonly reason: string
  readonly editor: string
}

/** Withdraws the bids of a bidder from the open auctions of a register, and blocks the bidder there. */
export type WithdrawEverywhere = (asked: Asked) => Promise<WithdrawnEverywhere>

type Parts = {
  readonly store: Pick<Store, 'findAuctions' | 'findHeads' | 'listBidderEntries' | 'listAuctions'>
  readonly withdrawBidder: WithdrawBidder
  readonly clock: Pick<Clock, 'nowMs'>
  readonly limits: Pick<Limits, 'deadlineMs'>
}

/** The newest entries of a bidder that are looked at. */
const maxEntries = 500
/** The number of auctions that are read at once, and of such reads on the agenda. */
const maxIds = 100
const maxPages = 30
/** The number of auctions from which bids are withdrawn at the same time. */
const maxAtOnce = 4
/** No further withdrawal begins after this share of the deadline. */
const shareOfDeadline = 0.5

type Open = { readonly auctionId: AuctionId; readonly isDone: boolean }
type Found = { readonly open: readonly Open[]; readonly more: boolean }

/** Undefined if the store cannot find the bids of a bidder. */
export function createWithdrawEverywhere({ store, withdrawBidder, clock, limits }: Parts) {
  const { listBidderEntries } = store
  return listBidderEntries && withdrawEverywhere

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

  /** The open auctions in which the bidder has bid, but for those with sealed bids. */
  async function withBids(
    { registerId, bidderId }: Asked,
    list: NonNullable<typeof listBidderEntries>,
  ): Promise<Found> {
    const entries = await list(bidderId, { limit: maxEntries })
    const ids = [...new Set(entries.map(({ auctionId }) => auctionId))]
    const open = (await openOf(registerId, ids)).map(({ auction: { id: auctionId }, state }) => {
      const through = withdrawnThrough(state, bidderId)
      const hasLater = entries.some((entry) => entry.auctionId === auctionId && entry.sequence > through)
      return { auctionId, isDone: isBlocked(state, bidderId) && !hasLater }
    })
    return { open, more: entries.length === maxEntries }
  }

  /** All open auctions with sealed bids: only those with a bid of the bidder would show that there is one. */
  async function withSealedBids({ registerId, bidderId }: Asked): Promise<Found> {
    const ids: AuctionId[] = []
    let after: AuctionPosition | undefined
    for (let page = 1; page <= maxPages; page++) {
      const { items, next } = await store.listAuctions({ order: 'agenda', stages: agendaStages, limit: maxIds, after })
      for (const { auction } of items)
        if (auction.registerId === registerId && formatOf(auction).keepsBidsApart) ids.push(auction.id)
      after = next
      if (after === undefined) break
    }
    const open = (await openOf(registerId, ids)).map(({ auction, state }) => {
      return { auctionId: auction.id, isDone: isBlocked(state, bidderId) }
    })
    return { open, more: after !== undefined }
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

  async function withdrawEverywhere(asked: Asked): Promise<WithdrawnEverywhere> {
    const startMs = clock.nowMs()
    const found = await Promise.all([listBidderEntries && withBids(asked, listBidderEntries), withSealedBids(asked)])
    const open = found.flatMap((part) => part?.open ?? [])
    const auctions: WithdrawnIn[] = []
    for (const group of inGroups(open, maxAtOnce)) {
      if (clock.nowMs() - startMs > shareOfDeadline * limits.deadlineMs) break
      const done = group.map(({ auctionId, isDone }) =>
        isDone ? { auctionId, outcome: 'withdrawn' as const } : withdrawIn(auctionId, asked),
      )
      auctions.push(...(await Promise.all(done)))
    }
    const more = auctions.length < open.length || found.some((part) => part?.more)
    return { auctions, more, settledAtMs: startMs + limits.deadlineMs }
  }
}
