import { type CurrentView, maxPageSize } from '@auction/domain'
import { isHiddenFrom, type Viewer } from '@auction/domain/auction'
import { createBatcher } from '@auction/domain/batching'
import { pause } from '@auction/domain/extension'
import type { AuctionId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { accepted, type Result, refused } from '@auction/domain/result'
import { type EventStream, encodeFrame, type StreamSource, takeTurn } from '@auction/host/streams'
import type * as v from 'valibot'
import { problemOf, type Refusal } from '../responses/refusals.ts'
import { auctionViewResource } from '../responses/resources.ts'
import type { ResetResource, SnapshotResource } from '../responses/stream-resources.ts'
import { createEventPages } from './event-pages.ts'
import type { FeedParts } from './feed-parts.ts'

/** A reader of a feed. The ledger is its buffer: it continues from its position. */
type Reader = {
  readonly stream: EventStream
  /** The sequence of the last entry whose event is written. */
  position: number
  /** Whether the events after its position are being written. */
  isAdvancing: boolean
}

export type AuctionFeed = ReturnType<typeof createAuctionFeed>

/** The time until the ledger is read again after a failure. */
const againMs = 1_000

/**
 * The events of an auction, encoded once for all its readers on this server. `onUnused` is called when the last of them
 * has left.
 */
export function createAuctionFeed(auctionId: AuctionId, parts: FeedParts, onUnused: () => void) {
  const { service, clock } = parts
  const snapshots = createSnapshots(auctionId, parts)
  const pages = createEventPages(auctionId, parts)
  const readers = new Set<Reader>()
  let subscriptions = 0
  let noticed = 0

  const stopWatching = service.watchAuction(auctionId, (sequence) => {
    noticed = Math.max(noticed, sequence)
    for (const reader of readers) void advance(reader)
  })

  /** Writes the events after the position of a reader, as far as it keeps up, with pauses for other work. */
  async function advance(reader: Reader): Promise<void> {
    if (reader.isAdvancing) return
    reader.isAdvancing = true
    while (reader.position < noticed && reader.stream.isReady()) {
      try {
        const page = await pages.after(reader.position, noticed)
        await takeTurn()
        reader.position = page.position
        if (page.encoded.length > 0) reader.stream.write(page.encoded)
        if (page.isOver) reader.stream.end('over')
      } catch {
        await pause(clock, againMs)
      }
    }
    reader.isAdvancing = false
  }

  /** Adds a reader, which connected when the auction was at this sequence, and writes what follows its position. */
  function addReader(reader: Reader, sequence: number): void {
    pages.noteKnown(sequence)
    noticed = Math.max(noticed, sequence)
    readers.add(reader)
    void advance(reader)
  }

  return {
    /** The stream from the position of the last event that the client has, if it has any. */
    subscribe(position: number | undefined, viewer: Viewer): StreamSource {
      let reader: Reader | undefined
      subscriptions += 1
      return {
        async read() {
          const read = await snapshots.read()
          if (!read.ok) return refused(problemOf(read.refusal))
          const { auction, sequence, result } = read.value.view
          if (isHiddenFrom(auction, viewer)) return refused(problemOf({ code: 'auction-not-found', auctionId }))
          if (position !== undefined && position <= sequence && result !== undefined) {
            const rest = await service.listEvents(auctionId, { after: position, limit: maxPageSize, ...viewer })
            if (!rest.ok) return refused(problemOf(rest.refusal))
            if (rest.value.isOver && rest.value.items.length === 0) return accepted(undefined)
          }
          return accepted((stream: EventStream) => {
            reader = { stream, position: writeSnapshot(stream, read.value, position), isAdvancing: false }
            addReader(reader, sequence)
          })
        },
        resume: () => reader && void advance(reader),
        leave() {
          if (reader !== undefined) readers.delete(reader)
          if (--subscriptions > 0) return
          stopWatching()
          onUnused()
        },
      }
    },
  }
}

type Snapshot = { readonly view: CurrentView; readonly encoded: Buffer }

/** Snapshots of an auction, each read and encoded once for the clients that connect at the same time. */
function createSnapshots(auctionId: AuctionId, { service, clock, publicViewer }: FeedParts) {
  // A read begins after the request for it, so it includes what was stored before.
  const reads = createBatcher<undefined, Result<Snapshot, Refusal>>({
    maxCalls: 1,
    maxWeight: Number.POSITIVE_INFINITY,
    async run(clients) {
      const now = isoOf(clock.nowMs())
      // The readers of a snapshot are many: each is checked.
      const read = await service.readAuction(auctionId, undefined, true)
      if (!read.ok) return clients.map(() => read)
      const { sequence } = read.value
      const auction = auctionViewResource(read.value, publicViewer)
      const data: v.InferInput<typeof SnapshotResource> = { now, sequence, auction }
      const snapshot = { view: read.value, encoded: encodeFrame({ event: 'snapshot', id: sequence, data }) }
      return clients.map(() => accepted(snapshot))
    },
  })
  return { read: (): Promise<Result<Snapshot, Refusal>> => reads.add(undefined) }
}

/**
 * Writes the snapshot, unless the ledger has the position of the client, and ends the stream if nothing follows the
 * snapshot. Returns the position from which the client continues.
 */
function writeSnapshot(stream: EventStream, { view, encoded }: Snapshot, position: number | undefined): number {
  const { sequence, result } = view
  if (position !== undefined && position <= sequence) return position
  if (position !== undefined) stream.write(resetFrame(position, sequence))
  stream.write(encoded)
  if (result !== undefined) stream.end('over')
  return sequence
}

/** The ledger does not have the position, so the client continues from a snapshot. */
function resetFrame(from: number, to: number): Buffer {
  const data: v.InferInput<typeof ResetResource> = { reason: 'position-ahead', from, to }
  return encodeFrame({ event: 'reset', data })
}
