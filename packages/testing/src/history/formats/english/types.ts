import type {
  Auction,
  AuctionEvent,
  AuctionState,
  BidPlaced,
  Bought,
  Leader,
  MaximumRaised,
  ReserveLowered,
} from '@auction/domain/auction'
import type { AuctionEntry } from '@auction/domain/store'

type Named = { readonly format?: 'english' }
export type EnglishAuction = Extract<Auction, Named>
type EnglishState = Extract<AuctionState, Named>

/** The events that other formats do not have. */
export type EnglishEvent = BidPlaced | MaximumRaised | ReserveLowered | Bought

/** An entry with a state of the format. */
export type EnglishEntry<Event = EnglishEvent> = Omit<AuctionEntry, 'event' | 'state'> & {
  readonly event: Event
  readonly state: EnglishState
}

/** The previous entry, if any. */
export type Before = EnglishEntry<AuctionEvent> | undefined

export type EnglishStanding = { readonly leader: Leader | null; readonly bidCount: number }
