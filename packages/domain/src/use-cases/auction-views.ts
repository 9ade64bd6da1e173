import type { ListedAuction } from '../auction/auction.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import { publicSequenceOf } from '../auction/public-sequence.ts'
import { initialStateOf } from '../auction/state.ts'
import { type CurrentView, viewOf } from '../auction/view.ts'
import type { SafeObserver } from '../observer.ts'
import { findReadable } from '../store/errors.ts'
import type { CallSignal, Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'

type AuctionViewsParts = {
  readonly store: Pick<Store, 'findAuctions' | 'findHeads'>
  readonly observer?: SafeObserver | undefined
}

type Listed = { readonly auction: ListedAuction }
type View = CurrentView<ListedAuction>
type Viewed<Item extends Listed> = Item & { readonly view: View }
type Signal = CallSignal | undefined

/** The views of many auctions, for lists. `nowMs` is the clock, read before anything else of the list. */
export type AuctionViews = {
  /** Adds its view to each auction, without those whose last entry is unreadable. */
  of<Item extends Listed>(items: readonly Item[], nowMs: number, signal: Signal): Promise<readonly Viewed<Item>[]>
  /** The views of the auctions that exist, without those that are unreadable or whose last entry is. */
  find(ids: readonly AuctionId[], nowMs: number, signal: Signal): Promise<ReadonlyMap<AuctionId, View>>
}

export function createAuctionViews({ store, observer }: AuctionViewsParts): AuctionViews {
  function viewAll<Item extends Listed>(
    items: readonly Item[],
    heads: readonly AuctionEntry[],
    nowMs: number,
  ): readonly Viewed<Item>[] {
    const headOf = new Map(heads.map((head) => [head.auctionId, head]))
    return items.map((item) => {
      const { state = initialStateOf(item.auction), sequence = 0 } = headOf.get(item.auction.id) ?? {}
      const view = viewOf(item.auction, state, nowMs)
      return { ...item, view: { ...view, sequence: publicSequenceOf(state, sequence) } }
    })
  }

  return {
    of(items, nowMs, signal) {
      const read = async (group: typeof items) => {
        const ids = group.map(({ auction }) => auction.id)
        return viewAll(group, await store.findHeads(ids, signal), nowMs)
      }
      return findReadable(items, read, observer)
    },
    async find(ids, nowMs, signal) {
      const read = async (group: typeof ids) => {
        const [found, heads] = await Promise.all([
          store.findAuctions({ ids: group }, signal),
          store.findHeads(group, signal),
        ])
        const items = found.map(({ auction }) => ({ auction }))
        return viewAll(items, heads, nowMs)
      }
      const viewed = await findReadable(ids, read, observer)
      return new Map(viewed.map(({ auction, view }) => [auction.id, view]))
    },
  }
}
