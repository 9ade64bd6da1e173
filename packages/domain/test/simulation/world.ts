import type { Attempt } from '@auction/testing/history'
import type { Auction } from '../../src/auction/auction.ts'
import type { AuctionId } from '../../src/ids.ts'
import type { Limits } from '../../src/limits.ts'
import type { Chance } from './chance.ts'
import { type Process, startMs } from './processes.ts'
import type { Everything } from './replicated-store.ts'
import type { VirtualTime } from './virtual-time.ts'

export type World = {
  readonly chance: Chance
  readonly time: VirtualTime
  /** All that is stored. */
  everything(): Promise<Everything>
  /** When the end of an auction was recorded, in the simulation's time. */
  readonly closedAtMs: ReadonlyMap<AuctionId, number>
  readonly processes: readonly [Process, ...Process[]]
  readonly limits: Limits
  /** How likely, in percent, a client does not wait for an answer. */
  abandonPercent: number
  /** Nothing goes wrong at all. */
  readonly isCalm: boolean
  readonly known: KnownAuction[]
  /** Requests of which the client does not know yet what became of them, and may send again until it does. */
  readonly open: Request[]
  readonly attempts: Attempt[]
  /** What was promised and not kept. */
  readonly problems: string[]
}

/** An auction that clients know of, with the price that they were told, and the last maximum that one of them has named. */
export type KnownAuction = { readonly auction: Auction; priceMinor: number; maximumMinor?: number }

/** Something to ask of any process, once or several times. */
export type Request = {
  readonly name: string
  send(process: Process): Promise<Attempt['answer']>
}

/** The time that clients go by. */
export const nowMs = ({ time }: Pick<World, 'time'>): number => startMs + time.nowMs()

/** Whether an answer settles a request: it will not be answered otherwise. */
export const isSettled = (answer: Attempt['answer']): boolean =>
  answer.outcome !== 'unknown' &&
  !(answer.outcome === 'refused' && (answer.code === 'overloaded' || answer.code === 'store-unavailable'))
