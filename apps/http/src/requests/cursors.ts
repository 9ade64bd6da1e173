import { AuctionId } from '@auction/domain/ids'
import type { AuctionPosition } from '@auction/domain/ports/auction-store'
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

const auctionList = 'auctions'

export const auctionCursor = ({ createdAtMs, id }: AuctionPosition): string => encode(auctionList, [createdAtMs, id])

export function readAuctionCursor(cursor: string): AuctionPosition | undefined {
  const [createdAtMs, number] = decode(cursor, auctionList, 2) ?? []
  const id = v.safeParse(AuctionId, number)
  return createdAtMs === undefined || !id.success ? undefined : { createdAtMs, id: id.output }
}

const bidList = (auctionId: AuctionId) => `bids/${auctionId}`

/** The place of a bid in its auction's list, that is, its sequence. */
export const bidCursor = (auctionId: AuctionId, sequence: number): string => encode(bidList(auctionId), [sequence])

/** Reads a cursor of this very auction's list: a sequence, which is 1 at least. */
export function readBidCursor(auctionId: AuctionId, cursor: string): number | undefined {
  const [sequence = 0] = decode(cursor, bidList(auctionId), 1) ?? []
  return sequence >= 1 ? sequence : undefined
}
