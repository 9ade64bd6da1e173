import type { Clock, EventPage, PublicEvent } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import type { Result } from '@auction/domain/result'
import type { EventStream } from '../../host/streams/event-streams.ts'
import { encodeFrame } from '../../host/streams/frames.ts'
import type { Refusal } from '../answers/problem-types.ts'
import type { ServedService } from '../operations/operation.ts'

/** A reader of a feed. The ledger is its buffer: it is behind by its position. */
export type Reader = {
  readonly stream: EventStream
  /** The sequence of the last entry whose event is written. */
  position: number
  /** Whether the events behind its position are being read. */
  isReading: boolean
}

export type AuctionFeedParts = {
  readonly auctionId: AuctionId
  readonly service: Pick<ServedService, 'listEvents' | 'watchAuction'>
  readonly clock: Clock
  /** The data of an event, the same for all readers. */
  readonly dataOf: (event: PublicEvent) => object & { readonly type: string }
  /** Called with the time of each event that is noticed while it is new, when the first reader gets it. */
  readonly onEvent: (atMs: number) => void
}

export type AuctionFeed = ReturnType<typeof createAuctionFeed>

/** The newest events, which readers at the head get without a read. */
const maxKeptFrames = 256
const maxKeptBytes = 128 * 1024
const entriesPerPage = 50
/** How much a reader gets at once, so that little is unread if it stops. */
const maxBytesAtOnce = 64 * 1024
/** The time until the ledger is read again after a failure. */
const againMs = 1_000
/** The time after which the delivery to many readers lets other work run. */
const sliceMs = 2

/** The encoded events of entries up to a position. */
type Frames = { readonly encoded: Buffer; readonly position: number; readonly isOver: boolean }

/** The events of an auction, encoded once for all its readers on this server. */
export function createAuctionFeed({ auctionId, service, clock, dataOf, onEvent }: AuctionFeedParts) {
  const readers = new Set<Reader>()
  /** The newest events, without gaps from `keptFrom` to `position`. */
  const kept: { readonly sequence: number; readonly frame: Buffer }[] = []
  let keptBytes = 0
  let keptFrom = 0
  /** The sequence of the last entry that was read; undefined until the first reader. */
  let position: number | undefined
  let isOver = false
  let noticed = 0
  let isLooking = false
  let isDelivering = false
  let mustDeliver = false
  let isClosed = false
  /** The reads in flight, which readers with the same position share. */
  const reads = new Map<number, Promise<Frames>>()

  const stopWatching = service.watchAuction(auctionId, (sequence) => {
    noticed = Math.max(noticed, sequence)
    void look()
  })

  const again = (work: () => void) => void clock.after(againMs, () => isClosed || work())

  /** Reads the new entries, and delivers their events. */
  async function look(): Promise<void> {
    if (isLooking || isClosed || position === undefined || noticed <= position) return
    isLooking = true
    try {
      while (noticed > position && !isClosed) {
        const page = await readAfter(position)
        for (const event of page.items) keep(event)
        position = page.position
        isOver = page.isOver
        void deliver()
      }
      isLooking = false
    } catch {
      isLooking = false
      again(look)
    }
  }

  function keep(event: PublicEvent): void {
    const frame = encode(event)
    kept.push({ sequence: event.sequence, frame })
    keptBytes += frame.length
    onEvent(event.atMs)
    while (kept.length > maxKeptFrames || keptBytes > maxKeptBytes) {
      const oldest = kept.shift()
      if (oldest === undefined) break
      keptBytes -= oldest.frame.length
      keptFrom = oldest.sequence
    }
  }

  function encode(event: PublicEvent): Buffer {
    const { type, ...data } = dataOf(event)
    return encodeFrame({ event: type, id: event.sequence, data })
  }

  /** Writes what is new to all readers, with pauses for other work. */
  async function deliver(): Promise<void> {
    mustDeliver = true
    if (isDelivering) return
    isDelivering = true
    while (mustDeliver) {
      mustDeliver = false
      let startMs = performance.now()
      for (const reader of readers) {
        write(reader)
        if (performance.now() - startMs < sliceMs) continue
        await new Promise(setImmediate)
        startMs = performance.now()
      }
    }
    isDelivering = false
  }

  /** Writes the events after the position of a reader, as far as it keeps up. */
  function write(reader: Reader): void {
    while (position !== undefined && reader.position < position && !reader.isReading && reader.stream.isReady()) {
      if (reader.position < keptFrom) return void readFor(reader)
      const frames: Buffer[] = []
      let bytes = 0
      let reached: number | undefined
      for (const { sequence, frame } of kept) {
        if (sequence <= reader.position) continue
        if (bytes >= maxBytesAtOnce) {
          reached = sequence - 1
          break
        }
        frames.push(frame)
        bytes += frame.length
      }
      const [only] = frames
      const encoded = frames.length === 1 && only ? only : Buffer.concat(frames)
      give(reader, { encoded, position: reached ?? position, isOver: reached === undefined && isOver })
    }
  }

  function give(reader: Reader, { encoded, position: reached, isOver: isEnd }: Frames): void {
    reader.position = reached
    if (encoded.length > 0) reader.stream.write(encoded)
    if (isEnd) reader.stream.end('over')
  }

  /** Reads a page of events from the ledger for a reader that is behind. */
  async function readFor(reader: Reader): Promise<void> {
    reader.isReading = true
    try {
      const frames = await framesAfter(reader.position)
      reader.isReading = false
      give(reader, frames)
      write(reader)
    } catch {
      again(() => {
        reader.isReading = false
        write(reader)
      })
    }
  }

  function framesAfter(after: number): Promise<Frames> {
    const inFlight = reads.get(after)
    if (inFlight !== undefined) return inFlight
    const read = readAfter(after).then(({ items, ...reached }) => ({
      ...reached,
      encoded: Buffer.concat(items.map(encode)),
    }))
    reads.set(after, read)
    const forget = () => reads.delete(after)
    read.then(forget, forget)
    return read
  }

  /** Reads events after a sequence that has successors. */
  async function readAfter(after: number): Promise<EventPage> {
    const page = pageOf(await service.listEvents(auctionId, { after, limit: entriesPerPage }))
    // A store that hides an entry again must not be read without a pause.
    if (page.position === after) throw new Error('the events after a noticed entry are missing')
    return page
  }

  return {
    /** Adds a reader at its position. `head` is the sequence of the last entry, read after this feed was created. */
    add(reader: Reader, head: number): void {
      if (position === undefined) {
        position = head
        keptFrom = head
      }
      readers.add(reader)
      write(reader)
      noticed = Math.max(noticed, head)
      void look()
    },
    /** Continues a reader that was behind. */
    resume: (reader: Reader): void => write(reader),
    remove: (reader: Reader) => void readers.delete(reader),
    close(): void {
      isClosed = true
      stopWatching()
    },
  }
}

/** The page of a result. A refusal is temporary here: the auction and the position exist. */
function pageOf(result: Result<EventPage, Pick<Refusal, 'code'>>): EventPage {
  if (result.ok) return result.value
  throw new Error(`the events could not be read: ${result.refusal.code}`)
}
