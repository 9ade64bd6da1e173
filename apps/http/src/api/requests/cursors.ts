import { AuctionId, BidId, UserId } from '@auction/domain/ids'
import type { AuctionPosition, EntryPosition } from '@auction/domain/store'
import * as v from 'valibot'

/**
 * base64url of the list and the position of the last item: not a count, so new items do not move items between pages.
 */
const encode = (list: string, ...position: readonly number[]): string =>
  Buffer.from([list, ...position].join(' ')).toString('base64url')

/** Returns a function that reads a cursor. Decoding is lenient, so the position must have the same cursor. */
const reader =
  <Position>(form: v.GenericSchema<unknown, Position>, cursorOf: (position: Position) => string) =>
  (cursor: string): Position | undefined => {
    const [list, ...numbers] = Buffer.from(cursor, 'base64url').toString('latin1').split(/[/ ]/)
    const { success, output } = v.safeParse(form, [list, ...numbers.map(Number)])
    return success && cursorOf(output) === cursor ? output : undefined
  }

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const auctionLists = { newest: 'auctions', agenda: 'auctions-by-end', ended: 'auctions-ended' } as const
const orders = { auctions: 'newest', 'auctions-by-end': 'agenda', 'auctions-ended': 'ended' } as const

export const auctionCursor = ({ order, timeMs, id }: AuctionPosition): string => encode(auctionLists[order], timeMs, id)

export const readAuctionCursor = reader<AuctionPosition>(
  v.pipe(
    v.strictTuple([v.picklist(Object.values(auctionLists)), whole, AuctionId]),
    v.transform(([list, timeMs, id]) => ({ order: orders[list], timeMs, id })),
  ),
  auctionCursor,
)

/**
 * The position of a bid in its auction: twice the sequence of its entry (at least 1), plus one for an automatic bid.
 */
type BidPosition = { readonly auctionId: AuctionId; readonly position: number }

/**
 * Encodes the sequence, followed by a 1 for an automatic bid. Cursors without automatic bids keep their earlier form.
 */
export const bidCursor = ({ auctionId, position }: BidPosition): string =>
  encode(`bids/${auctionId}`, Math.floor(position / 2), ...(position % 2 === 0 ? [] : [1]))

export const readBidCursor = reader<BidPosition>(
  v.pipe(
    v.tupleWithRest([v.literal('bids'), AuctionId, v.pipe(whole, v.minValue(1), v.maxValue(2 ** 52 - 1))], whole),
    v.transform(([, auctionId, sequence, automatic = 0]) => ({ auctionId, position: 2 * sequence + automatic })),
  ),
  bidCursor,
)

type BidderPosition = { readonly bidderId: UserId; readonly position: EntryPosition }

export const bidderCursor = ({ bidderId, position: { timeMs, id } }: BidderPosition): string =>
  encode(`bids-of-bidder/${bidderId}`, timeMs, id)

export const readBidderCursor = reader<BidderPosition>(
  v.pipe(
    v.strictTuple([v.literal('bids-of-bidder'), UserId, whole, BidId]),
    v.transform(([, bidderId, timeMs, id]) => ({ bidderId, position: { timeMs, id } })),
  ),
  bidderCursor,
)
