import { describe, expect, test } from 'vitest'
import {
  auctionCursor,
  bidCursor,
  bidderCursor,
  readAuctionCursor,
  readBidCursor,
  readBidderCursor,
} from '../src/cursors.ts'
import { toAuctionId, toEntryId, toUserId } from '../src/values/ids.ts'

const most = Number.MAX_SAFE_INTEGER
const [auctionId, id] = [toAuctionId(most), toEntryId(most)]
const cursorOf = (text: string) => Buffer.from(text).toString('base64url')

describe('a cursor', () => {
  test.each(['newest', 'agenda', 'ended'] as const)('of auctions in the order %s has their position', (order) => {
    for (const timeMs of [0, 1, most]) {
      const position = { order, timeMs, id: auctionId }
      expect(readAuctionCursor(auctionCursor(position))).toStrictEqual(position)
    }
  })

  test('of bids has their auction, and tells an automatic bid from the bid that it follows', () => {
    for (const position of [2, 3, 4, most - 1]) {
      expect(readBidCursor(bidCursor({ auctionId, position }))).toStrictEqual({ auctionId, position })
    }
    expect(bidCursor({ auctionId: toAuctionId(1), position: 4 })).toBe(cursorOf('bids/1 2'))
  })

  test('of the bids of a bidder has the bidder', () => {
    const place = { bidderId: toUserId(most), position: { timeMs: 1_890_000_000_000, id } }
    expect(readBidderCursor(bidderCursor(place))).toStrictEqual(place)
  })

  test('has only characters that a URL shows as they are', () => {
    for (let timeMs = 0; timeMs < 200; timeMs++) {
      expect(auctionCursor({ order: 'ended', timeMs, id: auctionId })).toMatch(/^[\w-]+$/)
    }
  })

  test.each([
    ...['', 'nonsense', '*', 'é', cursorOf('auctions 1'), cursorOf('auctions 1 0'), cursorOf('auctions 01 1')],
    ...[cursorOf('auctions -1 1'), cursorOf('auctions 1 1 1'), cursorOf('auctions 1 1.5'), cursorOf('auctions 1e3 1')],
    ...[`${cursorOf('auctions 1 1')}=`, ` ${cursorOf('auctions 1 1')}`, cursorOf('auction 1 1'), cursorOf('bids/1 5')],
  ])('that no list of auctions has returned is not read: "%s"', (text) => {
    expect(readAuctionCursor(text)).toBe(undefined)
    expect(readBidderCursor(text)).toBe(undefined)
  })

  test.each(['auctions 1 1', 'bids/1 0', 'bids/1 0 1', 'bids/1 5 2', `bids/1 ${most}`, 'bids/0 1'])(
    'that no list of bids has returned is not read: "%s"',
    (text) => {
      expect(readBidCursor(cursorOf(text))).toBe(undefined)
    },
  )
})
