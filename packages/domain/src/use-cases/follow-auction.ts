import type { AuctionId } from '../values/ids.ts'
import { maxPageSize } from '../values/page.ts'
import type { ListEvents } from './list-events.ts'
import type { PublicEvent } from './public-event.ts'
import type { WatchAuction } from './watch-auctions.ts'

type FollowedService = { readonly listEvents: ListEvents; readonly watchAuction: WatchAuction }

/** The events of an auction as they happen, one call of `next` at a time. `return` also ends a call that waits. */
export type FollowedEvents = AsyncIterableIterator<PublicEvent, undefined> & {
  return(): Promise<IteratorReturnResult<undefined>>
}

/**
 * Follows the events of an auction, oldest first, from after a sequence: 0 for all events. It ends after the event that
 * ends the auction. Events are read when the caller takes them, so a slow reader holds at most one page.
 *
 * A `next` that fails loses no event: the following `next` reads again. It throws what `listEvents` throws; a refusal
 * is the `cause` of an Error. It does not end when the service closes: call `return`.
 */
export function followAuction(service: FollowedService, auctionId: AuctionId, after = 0): FollowedEvents {
  let events: PublicEvent[] = []
  let position = after
  /** The last entry that was noticed; 0 without one. */
  let noticed = 0
  let hasNews = true
  let isOver = false
  let wake = (): void => undefined
  const stopWatching = service.watchAuction(auctionId, (sequence) => {
    noticed = Math.max(noticed, sequence)
    if (sequence <= position) return
    hasNews = true
    wake()
  })

  function end(): IteratorReturnResult<undefined> {
    isOver = true
    events = []
    stopWatching()
    wake()
    return { done: true, value: undefined }
  }

  async function read(): Promise<void> {
    const listed = await service.listEvents(auctionId, { after: position, limit: maxPageSize, through: noticed })
    if (!listed.ok) throw new Error(`the events are refused: ${listed.refusal.code}`, { cause: listed.refusal })
    const { items, isAtHead } = listed.value
    if (isOver) return
    events.push(...items)
    position = listed.value.position
    isOver = listed.value.isOver
    hasNews ||= !isAtHead
  }

  return {
    async next() {
      for (;;) {
        const event = events.shift()
        if (event !== undefined) return { done: false, value: event }
        if (isOver) return end()
        if (hasNews) {
          // An entry that is stored during the read is news again.
          hasNews = false
          await read().catch((error: unknown) => {
            hasNews = true
            throw error
          })
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    },
    return: async () => end(),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
