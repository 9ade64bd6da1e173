import type { Attempt, Follower, SeenTexts } from '@auction/testing/history'
import type { Auction } from '../../src/auction/auction.ts'
import type { OfFormat } from '../../src/auction/formats/formats.ts'
import type { Limits } from '../../src/limits.ts'
import type { AuctionId, UserId } from '../../src/values/ids.ts'
import type { Chance } from './chance.ts'
import { type Process, startMs } from './processes.ts'
import type { Receiver } from './receiver.ts'
import type { Everything } from './replicated-store.ts'
import type { VirtualTime } from './virtual-time.ts'

export type World = {
  readonly chance: Chance
  readonly time: VirtualTime
  /** All stored data. */
  everything(): Promise<Everything>
  /** When the end of an auction was recorded, in the simulation’s time. */
  readonly closedAtMs: ReadonlyMap<AuctionId, number>
  readonly processes: readonly [Process, ...Process[]]
  readonly limits: Limits
  /** The probability that a client does not wait for a response, in percent. */
  abandonPercent: number
  /** No fault occurs at all. */
  readonly isCalm: boolean
  readonly known: KnownAuction[]
  /** Requests whose outcome their client does not know yet, and which it may repeat until it does. */
  readonly open: Request[]
  readonly attempts: Attempt[]
  readonly followers: Follower[]
  /** When followers stop following, in any case. */
  readonly ending: Ending
  /** The violated promises. */
  readonly problems: string[]
  /** Receives events, in some of the simulations. */
  readonly receiver: Receiver | undefined
}

type Ending = { isOver: boolean; readonly promise: Promise<void>; readonly resolve: () => void }

/**
 * An auction that clients know, with what they received last of it, and the last maximum that one of them has named.
 */
export type KnownAuction = {
  auction: OfFormat<'english', Auction>
  priceMinor: number
  maximumMinor?: number
  texts: SeenTexts
  endMs: number
  repairCount: number
  leaderId?: UserId | undefined
}

/** Clients know only auctions of one format: mostly English ones, of which the types are. */
export const isFalling = (auction: Auction): boolean => auction.format === 'falling'
export const isSealed = (auction: Auction): boolean => auction.format === 'sealed'

/** An auction as it was created. */
export function knownAs(created: Auction): KnownAuction {
  const auction = created as KnownAuction['auction'] // The cast: see `isFalling`.
  const { title, metadata, startingPriceMinor: priceMinor, endTime } = auction
  const texts = { title, metadata, correctedAtMs: undefined }
  return { auction, priceMinor, texts, endMs: endTime.epochMs, repairCount: 0 }
}

/** A request for any process, once or several times. */
export type Request = {
  readonly name: string
  send(process: Process): Promise<Attempt['response']>
}

/** The time that clients use, in whole milliseconds, as clocks have. */
export const nowMs = ({ time }: Pick<World, 'time'>): number => startMs + Math.floor(time.nowMs())

/** Whether a response settles a request, so that it cannot receive another one. */
export const isSettled = (response: Attempt['response']): boolean =>
  response.outcome !== 'unknown' &&
  !(response.outcome === 'refused' && (response.code === 'overloaded' || response.code === 'store-unavailable'))
