import type { Reader } from '../../json.ts'
import type { Auction, ListedAuction, PublicAuction } from '../auction.ts'
import type { AuctionStatus } from '../status.ts'
import type { CurrentView, ListedView } from '../view.ts'
import * as english from './english/json.ts'
import * as falling from './falling/json.ts'
import type { Exclusive } from './formats.ts'
import * as sealed from './sealed/json.ts'

// The JSON of auctions by their formats. A new one has a branch in each of these functions.

type AuctionJson<BidderId extends number, Secret extends number> = Exclusive<
  | ReturnType<typeof english.auctionJson<BidderId, Secret>>
  | ReturnType<typeof sealed.auctionJson<BidderId, Secret>>
  | ReturnType<typeof falling.auctionJson<BidderId>>
>

/** An auction without what changes by bids and time. The casts: the branch is that of its format. */
export const auctionJson = <BidderId extends number, Secret extends number>(
  auction: (ListedAuction | PublicAuction) & Pick<Auction, 'description'>,
  status: AuctionStatus,
  reader: Pick<Reader<BidderId, Secret>, 'reserve' | 'bidder'>,
): AuctionJson<BidderId, Secret> => {
  switch (auction.format) {
    case 'sealed':
      return sealed.auctionJson(auction as Parameters<typeof sealed.auctionJson>[0], status, reader)
    case 'falling':
      return falling.auctionJson(auction as Parameters<typeof falling.auctionJson>[0], status, reader)
    default:
      return english.auctionJson(auction as Parameters<typeof english.auctionJson>[0], status, reader)
  }
}

type AuctionViewJson<BidderId extends number, Secret extends number> = Exclusive<
  | ReturnType<typeof english.auctionViewJson<BidderId, Secret>>
  | ReturnType<typeof sealed.auctionViewJson<BidderId, Secret>>
  | ReturnType<typeof falling.auctionViewJson<BidderId>>
>

/** An auction as reads return it. The casts: a view has the figures of the format of its auction. */
export const auctionViewJson = <BidderId extends number, Secret extends number>(
  view: ListedView & Pick<CurrentView, 'ownBid'>,
  reader: Reader<BidderId, Secret>,
): AuctionViewJson<BidderId, Secret> => {
  switch (view.auction.format) {
    case 'sealed':
      return sealed.auctionViewJson(view as Parameters<typeof sealed.auctionViewJson>[0], reader)
    case 'falling':
      return falling.auctionViewJson(view as Parameters<typeof falling.auctionViewJson>[0], reader)
    default:
      return english.auctionViewJson(view as Parameters<typeof english.auctionViewJson>[0], reader)
  }
}
