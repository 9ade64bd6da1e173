import type { AuctionId } from '@auction/domain/ids'
import { accepted, refused } from '@auction/domain/result'
import { type EventStream, encodeFrame, type Subscription, takeTurn } from '@auction/host/streams'
import { problemOf } from '../answers/refusals.ts'
import type { FeedParts } from './feed-parts.ts'
import { createFollowedAuctions } from './followed-auctions.ts'
import { type ListReader, type States, writeStates } from './list-reader.ts'
import { createStateReads } from './state-reads.ts'

export type ListFeed = ReturnType<typeof createListFeed>

/**
 * The newest states of auctions, for streams of lists. The auctions that have changed are read together for all readers, at most four
 * times a second.
 */
export function createListFeed(parts: FeedParts) {
  const followed = createFollowedAuctions(parts.service, () => void reads.refresh())
  const reads = createStateReads(parts, followed, deliver)

  /** Writes new states to their readers, with pauses for other work. */
  async function deliver(states: States): Promise<void> {
    const readers = followed.readersOf(states.keys())
    await Promise.all(readers.map((reader) => takeTurn().then(() => writeStates(reader, states, followed.forget))))
  }

  /** Writes the first states, and those that follow when they change. */
  function begin(reader: ListReader, stream: EventStream, states: States): void {
    const ids = [...reader.shown.keys()]
    const missing = ids.filter((id) => !states.has(id))
    if (missing.length > 0) stream.write(encodeFrame({ event: 'missing', data: { ids: missing } }))
    for (const id of missing) followed.forget(reader, id)
    // Other readers may already have a newer state.
    for (const id of reader.shown.keys()) {
      if (followed.newestRead(id) > (states.get(id)?.sequence ?? 0)) followed.makeDue(id)
    }
    reader.stream = stream
    writeStates(reader, states, followed.forget)
    void reads.refresh()
  }

  return {
    /** Watches auctions from now on. The stream begins with their states. */
    subscribe(ids: readonly AuctionId[]): Subscription {
      const reader: ListReader = { stream: undefined, shown: new Map(ids.map((id) => [id, -1])), hasMissed: false }
      for (const id of ids) followed.follow(reader, id)
      return {
        async read() {
          const read = await reads.read(ids)
          if (!read.ok) return refused(problemOf(read.refusal))
          return accepted((stream: EventStream) => begin(reader, stream, read.value))
        },
        resume() {
          if (!reader.hasMissed) return
          reader.hasMissed = false
          for (const id of reader.shown.keys()) followed.makeDue(id)
          void reads.refresh()
        },
        leave() {
          for (const id of [...reader.shown.keys()]) followed.forget(reader, id)
        },
      }
    },
  }
}
