import { AuctionId } from '@auction/domain/ids'
import type { AuctionPosition } from '@auction/domain/store'
import * as v from 'valibot'

/**
 * Cursors are opaque to clients: base64url of the list that they belong to and the place in it. The place is that of the
 * last item seen, not a count, so what others add meanwhile moves no item from one page to another.
 */
const encode = (list: string, place: readonly number[]): string =>
  Buffer.from([list, ...place].join(' ')).toString('base64url')

function decode(cursor: string, list: string, numbers: number): readonly number[] | undefined {
  const [name, ...place] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ')
  const values = place.map(Number)
  const isWhole = values.length === numbers && values.every((value) => Number.isSafeInteger(value) && value >= 0)
  // Only what this service wrote is read: decoding is lenient, so compare.
  return name === list && isWhole && encode(list, values) === cursor ? values : undefined
}

const auctionLists = { newest: 'auctions', agenda: 'auctions-by-end' } as const

export const auctionCursor = (position: AuctionPosition): string =>
  encode(auctionLists[position.order], [position.timeMs, position.id])

/** Reads a cursor of the list, in either of its orders. */
export const readAuctionCursor = (cursor: string): AuctionPosition | undefined =>
  readPosition(cursor, 'newest') ?? readPosition(cursor, 'agenda')

function readPosition(cursor: string, order: AuctionPosition['order']): AuctionPosition | undefined {
  const [timeMs, number] = decode(cursor, auctionLists[order], 2) ?? []
  const id = v.safeParse(AuctionId, number)
  return timeMs === undefined || !id.success ? undefined : { order, timeMs, id: id.output }
}

const bidList = (auctionId: AuctionId) => `bids/${auctionId}`

/** The place of a bid in its auction's list: twice the sequence of its entry, which is 1 at least, and one more where the service made it. */
export type BidPosition = { readonly auctionId: AuctionId; readonly place: number }

/** Has the sequence, and a 1 behind it for a bid that the service made: without those, cursors are as they ever were. */
export const bidCursor = ({ auctionId, place }: BidPosition): string =>
  encode(bidList(auctionId), place % 2 === 0 ? [place / 2] : [(place - 1) / 2, 1])

/** Reads a cursor of a list of bids, of whichever auction. */
export function readBidCursor(cursor: string): BidPosition | undefined {
  const [, digits] = /^bids\/(\d+) /.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  const id = v.safeParse(AuctionId, Number(digits))
  if (!id.success) return undefined
  const list = bidList(id.output)
  const [sequence = 0, automatic = 0] = decode(cursor, list, 1) ?? decode(cursor, list, 2) ?? []
  const place = 2 * sequence + automatic
  const isPlace = sequence >= 1 && automatic <= 1 && Number.isSafeInteger(place)
  // One place has one cursor.
  return isPlace && bidCursor({ auctionId: id.output, place }) === cursor ? { auctionId: id.output, place } : undefined
}
