import type { AuctionId } from '@auction/domain/ids'
import type { FeedParts } from './feed-parts.ts'
import type { ListReader } from './list-states.ts'

/** An auction that has readers. */
type Followed<Reader> = {
  readonly readers: Set<Reader>
  readonly stopWatching: () => void
  /** The sequence of the last entry that was noticed. */
  noticed: number
  /** The sequence of the newest state that was read. */
  read: number
}

/** What is read of them. */
type States = ReadonlyMap<AuctionId, { readonly sequence: number }>

export type FollowedAuctions = ReturnType<typeof createFollowedAuctions<ListReader>>

/**
 * The auctions that readers of lists or of sales follow, and which of them are due to be read, because they have
 * changed or a reader lacks their states. `onChange` is called when a change makes one due.
 */
export function createFollowedAuctions<Reader extends Pick<ListReader, 'shown'>>(
  service: Pick<FeedParts['service'], 'watchAuction'>,
  onChange: () => void,
) {
  const all = new Map<AuctionId, Followed<Reader>>()
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
    dueCount: (): number => due.size,
    /** Takes those that were due first. */
    takeDue(limit = due.size): readonly AuctionId[] {
      const ids = [...due].slice(0, limit)
      for (const id of ids) due.delete(id)
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
    readersOf: (ids: Iterable<AuctionId>): readonly Reader[] => [
      ...new Set([...ids].flatMap((id) => [...(all.get(id)?.readers ?? [])])),
    ],
    /** Watches the auction if this is its first reader. */
    follow(reader: Reader, id: AuctionId): void {
      const auction: Followed<Reader> = all.get(id) ?? {
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
    forget(reader: Reader, id: AuctionId): void {
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
