import type { Spread } from '../domain/bidding-floor.ts'
import type { Operation } from '../measure/closed-loop.ts'
import type { Scratch } from './server.ts'
import type { Claim } from './wrong-outcomes.ts'

/** A way to place bids, or to write as many documents. */
export type Contestant = {
  readonly id: string
  readonly label: string
  /** Undefined where a contestant only writes, and asks nothing of auctions. */
  readonly spread: Spread | undefined
  readonly bidsPerOperation: number
  /** Gets all ready that is not measured: collections, indexes, and what a server that has run for a while has read. */
  start(scratch: Scratch, clients: number): Promise<Run>
}

export type Run = {
  readonly operation: Operation
  /** What accepted bids were told, to find wrong outcomes; undefined where nothing is decided. */
  readonly claims: readonly Claim[] | undefined
  stop(): Promise<void>
}
