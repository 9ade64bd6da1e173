import type { Clock, PublicEvent } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import { LRUCache } from 'lru-cache'
import { type EventStream, takeTurn } from '../../host/streams/event-streams.ts'
import { encodeFrame } from '../../host/streams/frames.ts'
import type { ServedService } from '../operations/operation.ts'

/** A reader of a feed. The ledger is its buffer: it is behind by its position. */
export type Reader = {
  readonly stream: EventStream
  /** The sequence of the last entry whose event is written. */
  position: number
  /** Whether it is being given what follows its position. */
  isAdvancing: boolean
}

export type AuctionFeedParts = {
  readonly auctionId: AuctionId
  readonly service: Pick<ServedService, 'listEvents' | 'watchAuction'>
  readonly clock: Clock
  /** The data of an event, the same for all readers. */
  readonly dataOf: (event: PublicEvent) => object & { readonly type: string }
  /** Called with the time of each event that is read for the first time while it is new. */
  readonly onEvent: (atMs: number) => void
}

export type AuctionFeed = ReturnType<typeof createAuctionFeed>

/** The pages that readers got last. Readers that are further behind cause a read. */
const maxKeptBytes = 128 * 1024
/** What a page counts for at least, so that there are at most 256. */
const minPageBytes = 512
/** A page is what a reader gets at once: about 32 KiB at most, so that little is unread if it stops. */
const entriesPerPage = 50
/** The time until the ledger is read again after a failure. */
const againMs = 1_000

/** The encoded events of entries up to a position. */
type Page = { readonly encoded: Buffer; readonly position: number; readonly isOver: boolean }

/** The events of an auction, encoded once for all its readers on this server. */
export function createAuctionFeed({ auctionId, service, clock, dataOf, onEvent }: AuctionFeedParts) {
  const readers = new Set<Reader>()
  /** By the position that they follow. Readers advance from page to page, so those that are behind have the same positions. */
  const kept = new LRUCache<number, Page>({
    maxSize: maxKeptBytes,
    sizeCalculation: ({ encoded }) => Math.max(encoded.length, minPageBytes),
  })
  const reads = new Map<number, Promise<Page>>()
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
        const page = kept.get(reader.position) ?? (await readOnce(reader.position))
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

  /** Reads a page for all readers at a position. */
  function readOnce(after: number): Promise<Page> {
    const read = reads.get(after) ?? readPage(after).finally(() => reads.delete(after))
    reads.set(after, read)
    return read
  }

  async function readPage(after: number): Promise<Page> {
    const read = await service.listEvents(auctionId, { after, limit: entriesPerPage })
    // A refusal is temporary: the position exists. A store that hides an entry again must not be read without a pause, either.
    if (!read.ok || read.value.position === after) throw new Error('the events after a noticed entry are missing')
    const { items, position, isOver } = read.value
    for (const { sequence, atMs } of items) if (known !== undefined && sequence > known) onEvent(atMs)
    known = Math.max(known ?? 0, position)
    const page = { encoded: Buffer.concat(items.map(encode)), position, isOver }
    kept.set(after, page)
    return page
  }

  function encode(event: PublicEvent): Buffer {
    const { type, ...data } = dataOf(event)
    return encodeFrame({ event: type, id: event.sequence, data })
  }

  return {
    /** Adds a reader at its position. `head` is the sequence of the last entry, read after this feed was created. */
    add(reader: Reader, head: number): void {
      known ??= head
      noticed = Math.max(noticed, head)
      readers.add(reader)
      void advance(reader)
    },
    /** Continues a reader that was behind. */
    resume: (reader: Reader): void => void advance(reader),
    remove: (reader: Reader) => void readers.delete(reader),
    close: stopWatching,
  }
}
