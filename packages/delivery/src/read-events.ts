import type { EventPage } from '@auction/domain'
import { initialState, viewOf } from '@auction/domain/auction'
import { listEventsUseCase } from '@auction/domain/extension'
import type { AuctionId } from '@auction/domain/ids'
import type { Store } from '@auction/domain/store'
import type { CreatedEvent, SubscribedEvent } from './subscriber.ts'

type SubscribedPage = Omit<EventPage, 'items'> & { readonly items: readonly SubscribedEvent[] }

/** Reads the next events of an auction after a position, -1 for all. Undefined if the auction or the position does not exist. */
export type EventReader = (auctionId: AuctionId, after: number) => Promise<SubscribedPage | undefined>

/** A page is the turn of an auction, for which others wait. Entries of corrections may have long texts. */
export const eventsPerPage = 10

export function createEventReader(store: Pick<Store, 'findAuctions' | 'findHeads' | 'listEntries'>): EventReader {
  const listEvents = listEventsUseCase({ store })

  async function readCreated(auctionId: AuctionId): Promise<CreatedEvent | undefined> {
    const [[found], [head]] = await Promise.all([
      store.findAuctions({ ids: [auctionId] }),
      store.findHeads([auctionId]),
    ])
    if (found === undefined) return undefined
    const { auction } = found
    const { createdAtMs: atMs } = auction
    const { reservePriceMinor: _, ...shown } = viewOf(auction, head?.state ?? initialState, atMs).auction
    return { type: 'created', auctionId, sequence: 0, atMs, auction: shown }
  }

  return inOneStep(async (auctionId, after) => {
    const listed = await listEvents(auctionId, { after: Math.max(after, 0), limit: eventsPerPage })
    if (!listed.ok) return undefined
    if (after >= 0) return listed.value
    const created = await readCreated(auctionId)
    return created && { ...listed.value, items: [created, ...listed.value.items] }
  })
}

/** The same reads in one step of the event loop, such as those of all subscribers after a write, become one. */
function inOneStep(read: EventReader): EventReader {
  const requested = new Map<string, ReturnType<EventReader>>()
  return (auctionId, after) => {
    const key = `${auctionId}/${after}`
    // It starts after the last request, so that each result has what was stored before its request.
    async function start() {
      await undefined
      requested.delete(key)
      return read(auctionId, after)
    }
    const page = requested.get(key) ?? start()
    requested.set(key, page)
    return page
  }
}
