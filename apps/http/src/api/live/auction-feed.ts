import { type CurrentView, maxPageSize } from '@auction/domain'
import { createBatcher } from '@auction/domain/batching'
import type { AuctionId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { accepted, type Result, refused } from '@auction/domain/result'
import { LRUCache } from 'lru-cache'
import { type EventStream, encodeFrame, type Subscription, takeTurn } from '../../host/streams/event-streams.ts'
import { eventResource } from '../answers/event-resources.ts'
import type { Refusal } from '../answers/problem-types.ts'
import { problemOf } from '../answers/refusal.ts'
import { auctionViewResource } from '../answers/resources.ts'
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

/** The size of the cached pages, which readers received last. A reader that is further behind causes a read. */
const maxKeptBytes = 128 * 1024
/** The minimum size that a page counts for, so that at most 256 are cached. */
const minPageBytes = 512
/** A page is what a reader gets at once: about 32 KiB at most, so that little is unread if it stops. */
const entriesPerPage = 50
/** The time until the ledger is read again after a failure. */
const againMs = 1_000

/** The encoded events of entries up to a position. */
type Page = { readonly encoded: Buffer; readonly position: number; readonly isOver: boolean }

type Snapshot = { readonly view: CurrentView; readonly encoded: Buffer }

/** The events of an auction, encoded once for all its readers on this server. `onUnused` is called when the last of them has left. */
export function createAuctionFeed(
  auctionId: AuctionId,
  { service, clock, publicViewer, onEvent }: FeedParts,
  onUnused: () => void,
) {
  const readers = new Set<Reader>()
  /** By the position that they follow. Readers advance from page to page, so those that are behind have the same positions. */
  const pages = new LRUCache<number, Page>({
    maxSize: maxKeptBytes,
    sizeCalculation: ({ encoded }) => Math.max(encoded.length, minPageBytes),
    fetchMethod: readPage,
    // Readers wait for a page even if the cache removes it.
    ignoreFetchAbort: true,
  })
  let subscriptions = 0
  let noticed = 0
  /** The sequence up to which events are not new; undefined until the first reader. */
  let known: number | undefined

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
        const page = await pages.forceFetch(reader.position)
        await takeTurn()
        reader.position = page.position
        if (page.encoded.length > 0) reader.stream.write(page.encoded)
        if (page.isOver) reader.stream.end('over')
      } catch {
        await new Promise<void>((resolve) => void clock.after(againMs, resolve))
      }
    }
    reader.isAdvancing = false
  }

  async function readPage(after: number): Promise<Page> {
    const read = await service.listEvents(auctionId, { after, limit: entriesPerPage })
    // A refusal is temporary: the position exists. A store that hides an entry again must not be read without a pause, either.
    if (!read.ok || read.value.position === after) throw new Error('the events after a noticed entry are missing')
    const { items, position, isOver } = read.value
    const frames = items.map((event) => {
      const { type, ...data } = eventResource(event, publicViewer)
      if (known !== undefined && event.sequence > known) onEvent?.(Math.max(0, clock.nowMs() - event.atMs))
      return encodeFrame({ event: type, id: event.sequence, data })
    })
    known = Math.max(known ?? 0, position)
    return { encoded: Buffer.concat(frames), position, isOver }
  }

  /** Reads the auction for all readers that connect at once. A read begins after the request for it, so it includes what was stored before. */
  const snapshots = createBatcher<undefined, Result<Snapshot, Refusal>>({
    maxCalls: 1,
    maxWeight: Number.POSITIVE_INFINITY,
    async run(clients) {
      const now = isoOf(clock.nowMs())
      const read = await service.readAuction(auctionId)
      if (!read.ok) return clients.map(() => read)
      const { sequence } = read.value
      const data = { now, sequence, auction: auctionViewResource(read.value, publicViewer) }
      const snapshot = { view: read.value, encoded: encodeFrame({ event: 'snapshot', id: sequence, data }) }
      return clients.map(() => accepted(snapshot))
    },
  })

  /** Writes the snapshot to a client without a position in the ledger, and then, unless the auction is over, what follows. */
  function begin(stream: EventStream, { view, encoded }: Snapshot, position: number | undefined): Reader {
    const { sequence } = view
    const hasPosition = position !== undefined && position <= sequence
    const reader = { stream, position: hasPosition ? position : sequence, isAdvancing: false }
    if (!hasPosition) {
      if (position !== undefined) stream.write(resetFrame(position, sequence))
      stream.write(encoded)
    }
    if (!hasPosition && view.result !== undefined) stream.end('over')
    known ??= sequence
    noticed = Math.max(noticed, sequence)
    readers.add(reader)
    void advance(reader)
    return reader
  }

  return {
    /** The stream from the position of the last event that the client has, if it has any. */
    subscribe(position: number | undefined): Subscription {
      let reader: Reader | undefined
      subscriptions += 1
      return {
        async read() {
          const read = await snapshots.add(undefined)
          if (!read.ok) return refused(problemOf(read.refusal))
          const { sequence, result } = read.value.view
          if (position !== undefined && position <= sequence && result !== undefined) {
            const rest = await service.listEvents(auctionId, { after: position, limit: maxPageSize })
            if (!rest.ok) return refused(problemOf(rest.refusal))
            if (rest.value.isOver && rest.value.items.length === 0) return accepted(undefined)
          }
          return accepted((stream: EventStream) => {
            reader = begin(stream, read.value, position)
          })
        },
        resume: () => reader && void advance(reader),
        leave() {
          if (reader !== undefined) readers.delete(reader)
          subscriptions -= 1
          if (subscriptions > 0) return
          stopWatching()
          onUnused()
        },
      }
    },
  }
}

/** The ledger does not have the position, so the client continues from a snapshot. */
const resetFrame = (from: number, to: number): Buffer =>
  encodeFrame({ event: 'reset', data: { reason: 'position-ahead', from, to } })
