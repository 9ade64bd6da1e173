import { apartOf } from '../auction/entry.ts'
import { isBlocked } from '../auction/life.ts'
import { parseWithdrawal } from '../auction/repair.ts'
import type { Clock } from '../clock.ts'
import type { Limits } from '../limits.ts'
import { isStoreUnavailable, UnsupportedByStoreError } from '../store/errors.ts'
import type { AuctionEntry, Store } from '../store/store.ts'
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

/** @throws UnsupportedByStoreError if the store has no `listBidderEntries` */
export function createWithdrawEverywhere(parts: Parts): WithdrawEverywhere {
  const { store, withdrawBidder, clock, limits } = parts

  async function newestEntries(bidderId: UserId): Promise<readonly AuctionEntry[]> {
    const list = store.listBidderEntries
    if (list === undefined)
      throw new UnsupportedByStoreError('the store cannot find the bids of a bidder: it has no listBidderEntries')
    const lists = await Promise.all([bidderId, apartOf(bidderId)].map((id) => list(id, { limit: maxEntries })))
    return lists.flat().toSorted((one, other) => other.atMs - one.atMs)
  }

  /** The open auctions of the register in which bids of the bidder may count, or in which they are not blocked. */
  async function openIn({ registerId, bidderId }: Asked, entries: readonly AuctionEntry[]) {
    const ids = [...new Set(entries.map(({ auctionId }) => auctionId))]
    const read = inGroups(ids, maxIds).map((group) =>
      Promise.all([store.findAuctions({ ids: group }), store.findHeads(group)]),
    )
    const groups = await Promise.all(read)
    const ofRegister = groups.flatMap(([found]) => found.filter(({ auction }) => auction.registerId === registerId))
    const listed = new Set(ofRegister.map(({ auction }) => auction.id))
    const stateOf = new Map(groups.flatMap(([, heads]) => heads.map(({ auctionId, state }) => [auctionId, state])))
    return ids.flatMap((auctionId) => {
      const state = stateOf.get(auctionId)
      if (!listed.has(auctionId) || state === undefined || state.phase === 'closed') return []
      const through = withdrawnThrough(state, bidderId)
      const hasLater = entries.some((entry) => entry.auctionId === auctionId && entry.sequence > through)
      return [{ auctionId, isDone: isBlocked(state, bidderId) && !hasLater }]
    })
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

  return async (asked) => {
    const startMs = clock.nowMs()
    const settledAtMs = startMs + limits.deadlineMs
    const entries = await newestEntries(asked.bidderId)
    const open = await openIn(asked, entries.slice(0, maxEntries))
    const auctions: WithdrawnIn[] = []
    let more = entries.length >= maxEntries
    for (const group of inGroups(open, maxAtOnce)) {
      if (clock.nowMs() - startMs > shareOfDeadline * limits.deadlineMs) {
        more = true
        break
      }
      const done = group.map(({ auctionId, isDone }) =>
        isDone ? { auctionId, outcome: 'withdrawn' as const } : withdrawIn(auctionId, asked),
      )
      auctions.push(...(await Promise.all(done)))
    }
    return { auctions, more, settledAtMs }
  }
}
