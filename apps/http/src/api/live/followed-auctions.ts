import type { AuctionId } from '@auction/domain/ids'
import type { FeedParts } from './feed-parts.ts'
import type { ListReader, States } from './list-states.ts'

/** An auction that has readers. */
type Followed = {
  readonly readers: Set<ListReader>
  readonly stopWatching: () => void
  /** The sequence of the last entry that was noticed. */
  noticed: number
  /** The sequence of the newest state that was read. */
  read: number
}

export type FollowedAuctions = ReturnType<typeof createFollowedAuctions>

/**
 * The auctions that readers of lists follow, and which of them are due to be read, because they have changed or a
 * reader lacks their states. `onChange` is called when a change makes one due.
 */
export function createFollowedAuctions(service: Pick<FeedParts['service'], 'watchAuction'>, onChange: () => void) {
  const all = new Map<AuctionId, Followed>()
  const due = new Set<AuctionId>()

  /** Whether an entry was noticed that is newer than the newest state. */
  function hasChanged(id: AuctionId): boolean {
    const auction = all.get(id)
    return auction !== undefined && auction.noticed > auction.read
  }

  /** Does nothing if all readers have left. */
  function makeDue(id: AuctionId): void {
    if (all.has(id)) due.add(id)
  }

  return {
    makeDue,
    hasDue: (): boolean => due.size > 0,
    takeDue(): readonly AuctionId[] {
      const ids = [...due]
      due.clear()
      return ids
    },
    /** Notes the states that were read after `takeDue`, undefined if the read failed. */
    noteRead(ids: readonly AuctionId[], states: States | undefined): void {
      for (const [id, { sequence }] of states ?? []) {
        const auction = all.get(id)
        if (auction !== undefined) auction.read = Math.max(auction.read, sequence)
      }
      // A store may hide an entry again.
      for (const id of ids) if (states === undefined || hasChanged(id)) makeDue(id)
    },
    /** Returns the sequence of the newest state that was read. */
    newestRead: (id: AuctionId): number => all.get(id)?.read ?? 0,
    /** Returns each reader of any of these auctions once. */
    readersOf: (ids: Iterable<AuctionId>): readonly ListReader[] => [
      ...new Set([...ids].flatMap((id) => [...(all.get(id)?.readers ?? [])])),
    ],
    /** Watches the auction if this is its first reader. */
    follow(reader: ListReader, id: AuctionId): void {
      const auction: Followed = all.get(id) ?? {
        readers: new Set(),
        noticed: 0,
        read: 0,
        stopWatching: service.watchAuction(id, (sequence) => {
          auction.noticed = Math.max(auction.noticed, sequence)
          if (!hasChanged(id)) return
          makeDue(id)
          onChange()
        }),
      }
      all.set(id, auction)
      auction.readers.add(reader)
    },
    /** Stops watching the auction if this was its last reader. */
    forget(reader: ListReader, id: AuctionId): void {
      reader.shown.delete(id)
      const auction = all.get(id)
      auction?.readers.delete(reader)
      if (auction === undefined || auction.readers.size > 0) return
      all.delete(id)
      due.delete(id)
      auction.stopWatching()
    },
  }
}
