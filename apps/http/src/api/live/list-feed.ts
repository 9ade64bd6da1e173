import { isHiddenFrom, type Viewer } from '@auction/domain/auction'
import { createBatcher } from '@auction/domain/batching'
import { pause } from '@auction/domain/extension'
import type { AuctionId } from '@auction/domain/ids'
import { accepted, type Result, refused } from '@auction/domain/result'
import { type EventStream, encodeFrame, type StreamSource, takeTurn } from '@auction/host/streams'
import { problemOf, type Refusal } from '../responses/refusals.ts'
import type { FeedParts } from './feed-parts.ts'
import { createFollowedAuctions, type FollowedAuctions } from './followed-auctions.ts'
import { type ListReader, readStates, type States, writeStates } from './list-states.ts'

export type ListFeed = ReturnType<typeof createListFeed>

/** The shortest time between two reads, and so between two states of an auction. */
const pauseMs = 250

/** Reads the states of auctions that have changed, and of those that readers ask for, together for all readers. */
function createStateReads(parts: FeedParts, followed: FollowedAuctions) {
  let isRefreshing = false
  let rested: Promise<void> = Promise.resolve()

  // A read begins after the request for it, so it includes what was stored before.
  const reads = createBatcher<readonly AuctionId[], Result<States, Refusal>>({
    maxCalls: 1,
    maxWeight: Number.POSITIVE_INFINITY,
    defer: (start) => void rested.then(start),
    async run(lists) {
      rested = pause(parts.clock, pauseMs)
      const read = await readWithDue(lists.flat())
      return lists.map(() => read)
    },
  })

  /** Reads these auctions and those that are due, and waits until the readers have the states. */
  async function readWithDue(ids: readonly AuctionId[]): Promise<Result<States, Refusal>> {
    const due = followed.takeDue()
    let states: States | undefined
    try {
      const read = await readStates([...new Set([...due, ...ids])], parts)
      if (read.ok) states = read.value
      return read
    } finally {
      followed.noteRead(due, states)
      if (states !== undefined) await deliver(states)
    }
  }

  /** Writes new states to their readers, with pauses for other work. */
  async function deliver(states: States): Promise<void> {
    const readers = followed.readersOf(states.keys())
    await Promise.all(readers.map((reader) => takeTurn().then(() => writeStates(reader, states, followed.forget))))
  }

  /** Reads what is due until nothing is, even after failures. */
  async function refresh(): Promise<void> {
    if (isRefreshing) return
    isRefreshing = true
    while (followed.dueCount() > 0) await reads.add([]).catch(() => undefined)
    isRefreshing = false
  }

  return { read: (ids: readonly AuctionId[]) => reads.add(ids), refresh }
}

/**
 * The newest states of auctions, for streams of lists. The auctions that have changed are read together for all
 * readers, at most four times a second.
 */
export function createListFeed(parts: FeedParts) {
  const followed = createFollowedAuctions<ListReader>(parts.service, () => void refresh())
  const { read: readWith, refresh } = createStateReads(parts, followed)

  /** Writes the first states, and those that follow when they change. */
  function begin(reader: ListReader, viewer: Viewer, stream: EventStream, states: States): void {
    const ids = [...reader.shown.keys()]
    const missing = ids.filter((id) => {
      const state = states.get(id)
      return state === undefined || isHiddenFrom(state.auction, viewer)
    })
    if (missing.length > 0) stream.write(encodeFrame({ event: 'missing', data: { ids: missing } }))
    for (const id of missing) followed.forget(reader, id)
    // Other readers may already have a newer state.
    for (const id of reader.shown.keys()) {
      if (followed.newestRead(id) > (states.get(id)?.sequence ?? 0)) followed.makeDue(id)
    }
    reader.stream = stream
    writeStates(reader, states, followed.forget)
    void refresh()
  }

  return {
    /** Watches auctions from now on. The stream begins with their states. */
    subscribe(ids: readonly AuctionId[], viewer: Viewer): StreamSource {
      const reader: ListReader = { stream: undefined, shown: new Map(ids.map((id) => [id, -1])), hasMissed: false }
      for (const id of ids) followed.follow(reader, id)
      return {
        async read() {
          const read = await readWith(ids)
          if (!read.ok) return refused(problemOf(read.refusal))
          return accepted((stream: EventStream) => begin(reader, viewer, stream, read.value))
        },
        resume() {
          if (!reader.hasMissed) return
          reader.hasMissed = false
          for (const id of reader.shown.keys()) followed.makeDue(id)
          void refresh()
        },
        leave() {
          for (const id of [...reader.shown.keys()]) followed.forget(reader, id)
        },
      }
    },
  }
}
