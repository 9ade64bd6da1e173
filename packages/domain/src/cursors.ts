import * as v from 'valibot'
import type { AuctionPosition, EntryPosition } from './store/store.ts'
import { AuctionId, EntryId, RegisterId, SaleId, UserId } from './values/ids.ts'

// The positions of pages as texts for URLs: base64url of the list and the position of the last item. It is not a count,
// so new items do not move items between pages. `read…` returns undefined for any other text.

// All runtimes have these functions, but the standard library that this package is compiled for does not declare them.
declare const btoa: (bytes: string) => string
declare const atob: (base64: string) => string

const encode = (list: string, ...position: readonly number[]): string =>
  btoa([list, ...position].join(' '))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function decode(cursor: string): string | undefined {
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return undefined // It is not base64.
  }
}

/** Returns a function that reads a cursor. Decoding is lenient, so the position must have the same cursor. */
const reader =
  <Position>(form: v.GenericSchema<unknown, Position>, cursorOf: (position: Position) => string) =>
  (cursor: string): Position | undefined => {
    const [list, ...numbers] = decode(cursor)?.split(/[/ ]/) ?? []
    const { success, output } = v.safeParse(form, [list, ...numbers.map(Number)])
    return success && cursorOf(output) === cursor ? output : undefined
  }

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const auctionLists = { newest: 'auctions', agenda: 'auctions-by-end', ended: 'auctions-ended' } as const
const orders = { auctions: 'newest', 'auctions-by-end': 'agenda', 'auctions-ended': 'ended' } as const

/** The cursor of the `next` of `listAuctions`. */
export const auctionCursor = ({ order, timeMs, id }: AuctionPosition): string => encode(auctionLists[order], timeMs, id)

export const readAuctionCursor = reader<AuctionPosition>(
  v.pipe(
    v.strictTuple([v.picklist(Object.values(auctionLists)), whole, AuctionId]),
    v.transform(([list, timeMs, id]) => ({ order: orders[list], timeMs, id })),
  ),
  auctionCursor,
)

/**
 * The `next` of `listBids`, with its auction: twice the sequence of an entry (at least 1), plus one for an automatic
 * bid.
 */
export type BidPosition = { readonly auctionId: AuctionId; readonly position: number }

/** The sequence, followed by a 1 for an automatic bid. */
export const bidCursor = ({ auctionId, position }: BidPosition): string =>
  encode(`bids/${auctionId}`, Math.floor(position / 2), ...(position % 2 === 0 ? [] : [1]))

export const readBidCursor = reader<BidPosition>(
  v.pipe(
    v.tupleWithRest([v.literal('bids'), AuctionId, v.pipe(whole, v.minValue(1), v.maxValue(2 ** 52 - 1))], whole),
    v.transform(([, auctionId, sequence, offset = 0]) => ({ auctionId, position: 2 * sequence + offset })),
  ),
  bidCursor,
)

/** The `next` of `listBidsOfBidder`, with its bidder. */
export type BidderPosition = { readonly bidderId: UserId; readonly position: EntryPosition }

export const bidderCursor = ({ bidderId, position: { timeMs, id } }: BidderPosition): string =>
  encode(`bids-of-bidder/${bidderId}`, timeMs, id)

export const readBidderCursor = reader<BidderPosition>(
  v.pipe(
    v.strictTuple([v.literal('bids-of-bidder'), UserId, whole, EntryId]),
    v.transform(([, bidderId, timeMs, id]) => ({ bidderId, position: { timeMs, id } })),
  ),
  bidderCursor,
)

/** The `next` of `listRegisters`: a sequence of the directory. */
export const registerCursor = (position: number): string => encode('registers', position)

export const readRegisterCursor = reader<number>(
  v.pipe(
    v.strictTuple([v.literal('registers'), v.pipe(whole, v.minValue(1))]),
    v.transform(([, position]) => position),
  ),
  registerCursor,
)

/** The `next` of `listBidders`, with its register. */
export type ListedBidderPosition = { readonly registerId: RegisterId; readonly position: number }

export const listedBidderCursor = ({ registerId, position }: ListedBidderPosition): string =>
  encode(`bidders/${registerId}`, position)

export const readListedBidderCursor = reader<ListedBidderPosition>(
  v.pipe(
    v.strictTuple([v.literal('bidders'), RegisterId, whole]),
    v.transform(([, registerId, position]) => ({ registerId, position })),
  ),
  listedBidderCursor,
)

/** The `next` of `listSales`: a sequence of the directory. */
export const saleCursor = (position: number): string => encode('sales', position)

export const readSaleCursor = reader<number>(
  v.pipe(
    v.strictTuple([v.literal('sales'), v.pipe(whole, v.minValue(1))]),
    v.transform(([, position]) => position),
  ),
  saleCursor,
)

/** The `next` of `listLots`, with its sale. */
export type LotPosition = { readonly saleId: SaleId; readonly position: number }

export const lotCursor = ({ saleId, position }: LotPosition): string => encode(`lots/${saleId}`, position)

export const readLotCursor = reader<LotPosition>(
  v.pipe(
    v.strictTuple([v.literal('lots'), SaleId, whole]),
    v.transform(([, saleId, position]) => ({ saleId, position })),
  ),
  lotCursor,
)
