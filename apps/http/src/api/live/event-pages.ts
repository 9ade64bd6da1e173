import type { AuctionId } from '@auction/domain/ids'
import { encodeFrame } from '@auction/host/streams'
import { LRUCache } from 'lru-cache'
import { eventResource } from '../responses/event-resources.ts'
import type { FeedParts } from './feed-parts.ts'

/** The size of the cached pages, which readers received last. A reader that is further behind causes a read. */
const maxKeptBytes = 128 * 1024
/** The minimum size that a page counts for, so that at most 256 are cached. */
const minPageBytes = 512
/** A page is what a reader gets at once: about 32 KiB at most, so that little is unread if it stops. */
const entriesPerPage = 50

/** The encoded events of entries up to a position. */
type Page = { readonly encoded: Buffer; readonly position: number; readonly isOver: boolean }

/** The events of an auction in pages. A cached page is read and encoded once for all readers. */
export function createEventPages(auctionId: AuctionId, { service, clock, publicViewer, onEvent }: FeedParts) {
  /**
   * The pages by the position that they follow. Readers advance from page to page, so those that are behind have the
   * same positions.
   */
  const pages = new LRUCache<number, Page, number>({
    maxSize: maxKeptBytes,
    sizeCalculation: ({ encoded }) => Math.max(encoded.length, minPageBytes),
    fetchMethod: readPage,
    // Readers wait for a page even if the cache removes it.
    ignoreFetchAbort: true,
  })
  /** The sequence up to which events are not new; undefined until the first reader. */
  let known: number | undefined

  async function readPage(after: number, _: unknown, { context: through }: { context: number }): Promise<Page> {
    const read = await service.listEvents(auctionId, { after, limit: entriesPerPage, through, seesPrivate: true })
    // A refusal is temporary: the position exists. A store that hides an entry again must not be read without a pause,
    // either.
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

  return {
    /**
     * Returns the page after a position, if the last noticed entry is `through`. Fails if the store is unavailable, or
     * hides entries again.
     */
    after: (position: number, through: number): Page | Promise<Page> =>
      pages.get(position) ?? pages.forceFetch(position, { context: through }),
    /** Notes the sequence of the auction when a reader connects. Events up to that of the first reader are not new. */
    noteKnown(sequence: number): void {
      known ??= sequence
    },
  }
}
