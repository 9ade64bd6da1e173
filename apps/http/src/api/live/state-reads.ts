import { maxPageSize } from '@auction/domain'
import { createBatcher } from '@auction/domain/batching'
import type { AuctionId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { accepted, type Result } from '@auction/domain/result'
import { encodeFrame } from '@auction/host/streams'
import { stateResource } from '../answers/event-resources.ts'
import type { Refusal } from '../answers/refusals.ts'
import type { FeedParts } from './feed-parts.ts'
import type { FollowedAuctions } from './followed-auctions.ts'
import type { State, States } from './list-reader.ts'

/** The shortest time between two reads, and so between two states of an auction. */
const pauseMs = 250

/**
 * Reads states for all readers together, with pauses. Each read includes the auctions that are due, and passes the states to `deliver`,
 * which it waits for.
 */
export function createStateReads(
  parts: FeedParts,
  followed: FollowedAuctions,
  deliver: (states: States) => Promise<void>,
) {
  let isRefreshing = false
  let pause: Promise<void> = Promise.resolve()

  // A read begins after the request for it, so it includes what was stored before.
  const reads = createBatcher<readonly AuctionId[], Result<States, Refusal>>({
    maxCalls: 1,
    maxWeight: Number.POSITIVE_INFINITY,
    defer: (start) => void pause.then(start),
    async run(lists) {
      pause = new Promise((resolve) => void parts.clock.after(pauseMs, resolve))
      const due = followed.takeDue()
      let states: States | undefined
      try {
        const read = await readStates([...new Set([...due, ...lists.flat()])], parts)
        if (read.ok) states = read.value
        return lists.map(() => read)
      } finally {
        followed.noteRead(due, states)
        if (states !== undefined) await deliver(states)
      }
    },
  })

  return {
    /** Resolves with the states of these auctions, as far as they exist, and of others that were read with them. */
    read: (ids: readonly AuctionId[]): Promise<Result<States, Refusal>> => reads.add(ids),
    /** Reads what is due until nothing is, even after failures. */
    async refresh(): Promise<void> {
      if (isRefreshing) return
      isRefreshing = true
      while (followed.hasDue()) await reads.add([]).catch(() => undefined)
      isRefreshing = false
    },
  }
}

async function readStates(
  ids: readonly AuctionId[],
  { service, clock, publicViewer }: FeedParts,
): Promise<Result<States, Refusal>> {
  const states = new Map<AuctionId, State>()
  for (let from = 0; from < ids.length; from += maxPageSize) {
    const now = isoOf(clock.nowMs())
    const read = await service.listAuctions({ ids: ids.slice(from, from + maxPageSize) })
    if (!read.ok) return read
    for (const view of read.value.items) {
      const { auction, sequence, result } = view
      const encoded = encodeFrame({ event: 'auction', data: { now, ...stateResource(view, publicViewer) } })
      states.set(auction.id, { sequence, isOver: result !== undefined, encoded })
    }
  }
  return accepted(states)
}
