import type { Operation } from '../measure/closed-loop.ts'
import type { Scratch } from './server.ts'
import type { Claim } from './wrong-outcomes.ts'

/** A way to do something, or to write as many documents. */
export type Contestant = {
  readonly id: string
  readonly label: string
  /** How many bids, auctions or documents one operation writes. */
  readonly perOperation: number
  /** Gets all ready that is not measured: collections, indexes, and what a server that has run for a while has read. */
  start(scratch: Scratch, clients: number): Promise<Run>
}

export type Run = {
  readonly operation: Operation
  /** What accepted bids were told, to find wrong outcomes; left out where nothing is decided. */
  readonly claims?: () => Promise<readonly Claim[]>
  stop(): Promise<void>
}
