import type { Auction } from '../auction/auction.ts'
import type { Entry } from '../auction/entry.ts'
import type { AuctionState } from '../auction/state.ts'
import type { Store } from '../store/store.ts'

/**
 * An auction with the description that it has in a state, which is in an entry if it was corrected.
 * @param known an entry that need not be read
 */
export async function describedAuction(
  store: Pick<Store, 'findEntries'>,
  auction: Auction,
  { corrections }: AuctionState,
  known?: Entry,
): Promise<Auction> {
  if (corrections?.descriptionIn === undefined) return auction
  const id = corrections.descriptionIn
  const [entry] = known?.id === id ? [known] : await store.findEntries([id])
  if (entry?.event.type !== 'corrected') throw new Error(`the corrected description in entry ${id} is not stored`)
  const { description: _, ...others } = auction
  const { description } = entry.event
  return description == null ? others : { ...others, description }
}
