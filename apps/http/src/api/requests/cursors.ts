import { AuctionId, BidId, UserId } from '@auction/domain/ids'
import type { AuctionPosition, EntryPosition } from '@auction/domain/store'
import * as v from 'valibot'

/**
 * Cursors are opaque to clients: base64url of the name of the list and the position of the last item. A position is not a count, so
 * new items do not move items between pages.
 */
const encode = (list: string, position: readonly number[]): string =>
  Buffer.from([list, ...position].join(' ')).toString('base64url')

function decode(cursor: string, list: string, numbers: number): readonly number[] | undefined {
  const [name, ...position] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ')
  const values = position.map(Number)
  const isWhole = values.length === numbers && values.every((value) => Number.isSafeInteger(value) && value >= 0)
  // Decoding is lenient, so compare with the canonical form.
  return name === list && isWhole && encode(list, values) === cursor ? values : undefined
}

const auctionLists = { newest: 'auctions', agenda: 'auctions-by-end', ended: 'auctions-ended' } as const

export const auctionCursor = (position: AuctionPosition): string =>
  encode(auctionLists[position.order], [position.timeMs, position.id])

/** Reads a cursor of the list of auctions, in any order. */
export const readAuctionCursor = (cursor: string): AuctionPosition | undefined =>
  readPosition(cursor, 'newest') ?? readPosition(cursor, 'agenda') ?? readPosition(cursor, 'ended')

function readPosition(cursor: string, order: AuctionPosition['order']): AuctionPosition | undefined {
  const [timeMs, number] = decode(cursor, auctionLists[order], 2) ?? []
  const id = v.safeParse(AuctionId, number)
  return timeMs === undefined || !id.success ? undefined : { order, timeMs, id: id.output }
}

const bidList = (auctionId: AuctionId) => `bids/${auctionId}`

/** The position of a bid in its auction: twice the sequence of its entry (at least 1), plus one for an automatic bid. */
export type BidPosition = { readonly auctionId: AuctionId; readonly position: number }

/** Encodes the sequence, followed by a 1 for an automatic bid. Cursors without automatic bids keep their earlier form. */
export const bidCursor = ({ auctionId, position }: BidPosition): string =>
  encode(bidList(auctionId), position % 2 === 0 ? [position / 2] : [(position - 1) / 2, 1])

/** Reads a cursor of the bids of any auction. */
export function readBidCursor(cursor: string): BidPosition | undefined {
  const id = v.safeParse(AuctionId, numberOf(cursor, 'bids'))
  if (!id.success) return undefined
  const list = bidList(id.output)
  const [sequence = 0, automatic = 0] = decode(cursor, list, 1) ?? decode(cursor, list, 2) ?? []
  const position = 2 * sequence + automatic
  const isValid = sequence >= 1 && automatic <= 1 && Number.isSafeInteger(position)
  // One position has one cursor.
  return isValid && bidCursor({ auctionId: id.output, position }) === cursor
    ? { auctionId: id.output, position }
    : undefined
}

const bidderList = (bidderId: UserId) => `bids-of-bidder/${bidderId}`

/** A position in the list of a bidder. */
export type BidderPosition = { readonly bidderId: UserId; readonly position: EntryPosition }

export const bidderCursor = ({ bidderId, position: { timeMs, id } }: BidderPosition): string =>
  encode(bidderList(bidderId), [timeMs, id])

/** Reads a cursor of the bids of any bidder. */
export function readBidderCursor(cursor: string): BidderPosition | undefined {
  const bidderId = v.safeParse(UserId, numberOf(cursor, 'bids-of-bidder'))
  if (!bidderId.success) return undefined
  const [timeMs, number] = decode(cursor, bidderList(bidderId.output), 2) ?? []
  const id = v.safeParse(BidId, number)
  if (timeMs === undefined || !id.success) return undefined
  return { bidderId: bidderId.output, position: { timeMs, id: id.output } }
}

/** The number in the name of a list. */
function numberOf(cursor: string, list: string): number {
  const [name = '', digits] = Buffer.from(cursor, 'base64url').toString('latin1').split(/[/ ]/)
  return name === list ? Number(digits) : Number.NaN
}
