import type { Operation } from '../measure/closed-loop.ts'
import type { Scratch } from '../mongodb/server.ts'
import type { Claim } from './wrong-outcomes.ts'

/** A way to do something, or to write as many documents, in a place that is its own: a database of a server, or a file. */
export type Contestant<Place = Scratch> = {
  readonly id: string
  readonly label: string
  /** How many bids, auctions or documents one operation writes. */
  readonly perOperation: number
  /** With how many clients it is measured, where more would say nothing; else with all numbers of the run. */
  readonly clients?: readonly number[]
  /** Gets all ready that is not measured: collections, indexes, and what a server that has run for a while has read. */
  start(place: Place, clients: number): Promise<Run>
}

export type Run = {
  readonly operation: Operation
  /** What accepted bids were told, to find wrong outcomes; left out where nothing is decided. */
  readonly claims?: () => Promise<readonly Claim[]>
  stop(): Promise<void>
}

/** What lends each contestant a place for one point and one round, so that none measures what the one before has left. */
export type Arena<Place> = {
  readonly name: string
  withScratch<Value>(use: (place: Place) => Promise<Value>): Promise<Value>
}
