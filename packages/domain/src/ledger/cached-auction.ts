import type { Terms } from '../auction/auction.ts'
import type { Entry } from '../auction/entry.ts'
import type { Metadata } from '../auction/metadata.ts'
import { type AuctionState, initialState } from '../auction/state.ts'
import type { BidId } from '../values/ids.ts'

/** The cached data of an auction: its terms as they were created, and the last entry that this process has read or stored. */
export type CachedAuction = {
  readonly terms: Terms
  readonly sequence: number
  /** The id of the last entry, if there is one. */
  readonly id: BidId | undefined
  /** The time of the last entry. That of the state is earlier if the entry only records the key of a repeated cancellation. */
  readonly atMs: number
  readonly state: AuctionState
}

export const cachedAt = (terms: Terms, head: Entry | undefined): CachedAuction =>
  head === undefined
    ? { terms, sequence: 0, id: undefined, atMs: initialState.atMs, state: initialState }
    : { terms, sequence: head.sequence, id: head.id, atMs: head.atMs, state: head.state }

/** The bytes of one auction without its texts and steps of increments, including the overhead of the cache; measured, and rounded up. */
const objectBytes = 1_000
const bytesPerCharacter = 2
const bytesPerStep = 100
/** A repair has its id, and may have that of a withdrawn bidder. */
const bytesPerRepair = 150

/** The approximate memory of a cached auction, in bytes. */
export function bytesOf(cached: CachedAuction | undefined): number {
  // An incorrect store may have returned no state; then the decisions must fail, not this function.
  const result = cached?.state?.phase === 'closed' ? cached.state.result : undefined
  const reason = result?.outcome === 'cancelled' ? result.reason : undefined
  const title = cached?.state?.corrections?.title
  const texts = (reason?.length ?? 0) + (title?.length ?? 0)
  const characters = texts + charactersOf(cached?.terms.metadata) + charactersOf(cached?.state?.corrections?.metadata)
  const corrected = cached?.state?.corrections?.terms
  const steps = (cached?.terms.incrementSteps?.length ?? 0) + (corrected?.incrementSteps?.length ?? 0)
  const repairs = cached?.state?.repairs?.entryIds.length ?? 0
  return objectBytes + bytesPerCharacter * characters + bytesPerStep * steps + bytesPerRepair * repairs
}

function charactersOf(metadata: Metadata | null | undefined): number {
  let characters = 0
  for (const name in metadata) characters += name.length + (metadata[name]?.length ?? 0)
  return characters
}
