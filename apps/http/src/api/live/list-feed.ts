import { maxPageSize } from '@auction/domain'
import { createBatcher } from '@auction/domain/batching'
import type { AuctionId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { accepted, type Result, refused } from '@auction/domain/result'
import { type Subscription, takeTurn } from '../../host/streams/event-streams.ts'
import { type EventStream, encodeFrame } from '../../host/streams/open-stream.ts'
import { stateResource } from '../answers/event-resources.ts'
import type { Refusal } from '../answers/problem-types.ts'
import { problemOf } from '../answers/refusal.ts'
import type { FeedParts } from './auction-feed.ts'

/** The shortest time between two reads, and so between two states of an auction. */
const pauseMs = 250
/** How much a reader gets at once, so that little is unread if it stops. */
const maxBytesAtOnce = 64 * 1024

/** A reader of several auctions. It has no buffer: the sequences that it has show what it lacks. */
type Reader = {
  /** Undefined until the first states are read. */
  stream: EventStream | undefined
  /** The sequences of the newest states that it has, -1 for none, of the auctions that are not over. */
  readonly shown: Map<AuctionId, number>
  /** Whether it did not keep up and lacks states, which are read again when it does. */
  hasMissed: boolean
}

/** The state of an auction, encoded once for all readers. */
type State = { readonly sequence: number; readonly isOver: boolean; readonly encoded: Buffer }
type States = ReadonlyMap<AuctionId, State>

/** An auction that has readers. */
type Followed = {
  readonly readers: Set<Reader>
  readonly stopWatching: () => void
  /** The sequence of the last entry that was noticed. */
  noticed: number
  /** The sequence of the newest state that was read. */
  read: number
}

export type ListFeed = ReturnType<typeof createListFeed>

/**
 * The newest states of auctions, for streams of lists. The auctions that have changed are read together for all readers, at most four
 * times a second.
 */
export function createListFeed({ service, clock, publicViewer }: FeedParts) {
  const all = new Map<AuctionId, Followed>()
  /** The auctions that have changed, and those that a reader lacks. */
  const due = new Set<AuctionId>()
  let isRefreshing = false
  let pause: Promise<void> = Promise.resolve()

  // A read begins after the request for it, so it includes what was stored before.
  const reads = createBatcher<readonly AuctionId[], Result<States, Refusal>>({
    maxCalls: 1,
    maxWeight: Number.POSITIVE_INFINITY,
    defer: (start) => void pause.then(start),
    async run(lists) {
      pause = new Promise((resolve) => void clock.after(pauseMs, resolve))
      const changed = [...due]
      due.clear()
      let states: States | undefined
      try {
        const read = await readStates([...new Set([...changed, ...lists.flat()])])
        if (read.ok) states = read.value
        return lists.map(() => read)
      } finally {
        for (const [id, { sequence }] of states ?? []) {
          const used = all.get(id)
          if (used !== undefined) used.read = Math.max(used.read, sequence)
        }
        // A store may hide an entry again.
        for (const id of changed) if (states === undefined || lacksState(id)) makeDue(id)
        if (states !== undefined) await deliver(states)
      }
    },
  })

  async function readStates(ids: readonly AuctionId[]): Promise<Result<States, Refusal>> {
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

  function lacksState(id: AuctionId): boolean {
    const used = all.get(id)
    return used !== undefined && used.noticed > used.read
  }

  function makeDue(id: AuctionId): void {
    if (all.has(id)) due.add(id)
  }

  /** Reads what is due until nothing is, even after failures. */
  async function refresh(): Promise<void> {
    if (isRefreshing) return
    isRefreshing = true
    while (due.size > 0) await reads.add([]).catch(() => undefined)
    isRefreshing = false
  }

  /** Writes new states to their readers, with pauses for other work. */
  async function deliver(states: States): Promise<void> {
    const readers = new Set([...states.keys()].flatMap((id) => [...(all.get(id)?.readers ?? [])]))
    await Promise.all([...readers].map((reader) => takeTurn().then(() => give(reader, states))))
  }

  /** Writes the states that a reader lacks, as far as it keeps up, and ends its stream if all auctions are over. */
  function give(reader: Reader, states: States): void {
    const { stream, shown } = reader
    if (stream === undefined) return
    let frames: Buffer[] = []
    let bytes = 0
    const flush = () => {
      const [first] = frames
      if (first !== undefined) stream.write(frames.length === 1 ? first : Buffer.concat(frames, bytes))
      frames = []
      bytes = 0
    }
    for (const [id, sequence] of shown) {
      const state = states.get(id)
      if (state === undefined || state.sequence <= sequence) continue
      if (bytes >= maxBytesAtOnce) flush()
      reader.hasMissed ||= !stream.isReady()
      if (reader.hasMissed) break
      frames.push(state.encoded)
      bytes += state.encoded.length
      if (state.isOver) forget(reader, id)
      else shown.set(id, state.sequence)
    }
    flush()
    if (shown.size > 0) return
    // Clients do not reconnect after this `bye`.
    stream.write(encodeFrame({ event: 'bye', data: { reason: 'over' } }))
    stream.end('over')
  }

  function follow(reader: Reader, id: AuctionId): void {
    const used: Followed = all.get(id) ?? {
      readers: new Set(),
      noticed: 0,
      read: 0,
      stopWatching: service.watchAuction(id, (sequence) => {
        used.noticed = Math.max(used.noticed, sequence)
        if (!lacksState(id)) return
        makeDue(id)
        void refresh()
      }),
    }
    all.set(id, used)
    used.readers.add(reader)
  }

  function forget(reader: Reader, id: AuctionId): void {
    reader.shown.delete(id)
    const used = all.get(id)
    used?.readers.delete(reader)
    if (used === undefined || used.readers.size > 0) return
    all.delete(id)
    due.delete(id)
    used.stopWatching()
  }

  /** Writes the first states, and those that follow when they change. */
  function begin(reader: Reader, stream: EventStream, states: States): void {
    const ids = [...reader.shown.keys()]
    const missing = ids.filter((id) => !states.has(id))
    if (missing.length > 0) stream.write(encodeFrame({ event: 'missing', data: { ids: missing } }))
    for (const id of missing) forget(reader, id)
    // Other readers may already have a newer state.
    for (const id of reader.shown.keys()) {
      if ((all.get(id)?.read ?? 0) > (states.get(id)?.sequence ?? 0)) makeDue(id)
    }
    reader.stream = stream
    give(reader, states)
    void refresh()
  }

  return {
    /** Watches auctions from now on. The stream begins with their states. */
    subscribe(ids: readonly AuctionId[]): Subscription {
      const reader: Reader = { stream: undefined, shown: new Map(ids.map((id) => [id, -1])), hasMissed: false }
      for (const id of ids) follow(reader, id)
      return {
        async read() {
          const read = await reads.add(ids)
          if (!read.ok) return refused(problemOf(read.refusal))
          return accepted((stream: EventStream) => begin(reader, stream, read.value))
        },
        resume() {
          if (!reader.hasMissed) return
          reader.hasMissed = false
          for (const id of reader.shown.keys()) makeDue(id)
          void refresh()
        },
        leave() {
          for (const id of [...reader.shown.keys()]) forget(reader, id)
        },
      }
    },
  }
}
