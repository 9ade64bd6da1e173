import type { Reader } from '../../json.ts'
import type { Auction, ListedAuction } from '../auction.ts'
import type { AuctionStatus } from '../status.ts'
import type { ListedView } from '../view.ts'
import * as english from './english/json.ts'
import * as falling from './falling/json.ts'
import type { Exclusive } from './formats.ts'

// The JSON of auctions by their formats. A new one has a branch in each of these functions.

type AuctionJson<Secret extends number> = Exclusive<
  ReturnType<typeof english.auctionJson<number, Secret>> | ReturnType<typeof falling.auctionJson>
>

/** An auction without what changes by bids and time. The casts: the branch is that of its format. */
export const auctionJson = <BidderId extends number, Secret extends number>(
  auction: ListedAuction & Pick<Auction, 'description'>,
  status: AuctionStatus,
  reader: Pick<Reader<BidderId, Secret>, 'reserve'>,
): AuctionJson<Secret> =>
  auction.format === 'falling'
    ? falling.auctionJson(auction as Parameters<typeof falling.auctionJson>[0], status)
    : english.auctionJson(auction as Parameters<typeof english.auctionJson>[0], status, reader)

type AuctionViewJson<BidderId extends number, Secret extends number> = Exclusive<
  ReturnType<typeof english.auctionViewJson<BidderId, Secret>> | ReturnType<typeof falling.auctionViewJson<BidderId>>
>

/** An auction as reads return it. The casts: a view has the figures of the format of its auction. */
export const auctionViewJson = <BidderId extends number, Secret extends number>(
  view: ListedView,
  reader: Reader<BidderId, Secret>,
): AuctionViewJson<BidderId, Secret> =>
  view.auction.format === 'falling'
    ? falling.auctionViewJson(view as Parameters<typeof falling.auctionViewJson>[0], reader)
    : english.auctionViewJson(view as Parameters<typeof english.auctionViewJson>[0], reader)
