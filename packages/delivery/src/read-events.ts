import type { EventPage, ListEvents } from '@auction/domain'
import { initialStateOf, publicAuctionOf, viewOf } from '@auction/domain/auction'
import type { AuctionId } from '@auction/domain/ids'
import type { Store } from '@auction/domain/store'
import type { CreatedEvent, SubscribedEvent } from './subscriber.ts'

type SubscribedPage = Omit<EventPage, 'items'> & { readonly items: readonly SubscribedEvent[] }

/**
 * Reads the next events of an auction after a position, -1 for all, or, with `through`, those that are needed. Undefined
 * if the auction or the position does not exist.
 */
export type EventReader = (auctionId: AuctionId, after: number, through?: number) => Promise<SubscribedPage | undefined>

/** A page is the turn of an auction, for which others wait. Entries of corrections may have long texts. */
export const eventsPerPage = 10

type EventReaderParts = {
  readonly store: Pick<Store, 'findAuctions' | 'findHeads'>
  readonly listEvents: ListEvents
}

export function createEventReader({ store, listEvents }: EventReaderParts): EventReader {
  async function readCreated(auctionId: AuctionId): Promise<CreatedEvent | undefined> {
    const [[found], [head]] = await Promise.all([
      store.findAuctions({ ids: [auctionId] }),
      store.findHeads([auctionId]),
    ])
    if (found === undefined) return undefined
    const { auction } = found
    const { createdAtMs: atMs } = auction
    const view = viewOf(auction, head?.state ?? initialStateOf(auction), atMs)
    return { type: 'created', auctionId, sequence: 0, atMs, auction: publicAuctionOf(view.auction) }
  }

  return inOneStep(async (auctionId, after, through) => {
    const listed = await listEvents(auctionId, { after: Math.max(after, 0), limit: eventsPerPage, through })
    if (!listed.ok) return undefined
    if (after >= 0) return listed.value
    const created = await readCreated(auctionId)
    return created && { ...listed.value, items: [created, ...listed.value.items] }
  })
}

/** The same reads in one step of the event loop, such as those of all subscribers after a creation, become one. */
function inOneStep(read: EventReader): EventReader {
  const requested = new Map<string, ReturnType<EventReader>>()
  return (auctionId, after, through) => {
    const key = `${auctionId}/${after}/${through}`
    // It starts after the last request, so that each result has what was stored before its request.
    async function start() {
      await undefined
      requested.delete(key)
      return read(auctionId, after, through)
    }
    const page = requested.get(key) ?? start()
    requested.set(key, page)
    return page
  }
}
