import { beforeEach, expect, test } from 'vitest'
import { createNewest } from '../page/newest.js'
import { createReader } from '../page/reader.js'
import { auction } from './sample.ts'

const token = `e30.${Buffer.from(JSON.stringify({ sub: '2', scope: 'a:Bids:Create' })).toString('base64url')}.x`
/** What all readers see after the reader's bid, and then another's. */
const led = { ...auction, bidCount: 1, currentPrice: 10, leaderId: -7 }
const overbid = { ...led, bidCount: 2, currentPrice: 20, leaderId: -8 }
/** What only the reader's own read has. */
const own = { ...led, leaderId: 2, youLead: true, yourPseudonym: -7 }

let reader: ReturnType<typeof createReader>
const states = createNewest(() => undefined)
const standing = () => reader.standingOf(states.get(1) ?? auction)

beforeEach(() => {
  states.clear()
  reader = createReader(1)
  reader.identify(token)
  reader.bidOn.add(1)
})

test('after the own bid, a state of the stream before the read shows no standing, and then the reader leads', () => {
  states.noteEvent(led, 1, 1_000)
  expect(standing()).toBe('none')
  reader.notePseudonym(1, own.yourPseudonym)
  states.startReading()(own, 1_100)
  expect(standing()).toBe('leads')
  states.noteEvent(overbid, 2, 1_200)
  expect(standing()).toBe('outbid')
})

test('after the own bid, a read before the state of the stream shows that the reader leads', () => {
  states.startReading()(own, 1_000)
  states.noteEvent(led, 1, 1_100)
  expect(standing()).toBe('leads')
  // A change of the leader is unknown without a pseudonym until the next read.
  states.noteEvent(overbid, 2, 1_200)
  expect(standing()).toBe('none')
  states.startReading()({ ...overbid, youLead: false }, 1_300)
  expect(standing()).toBe('outbid')
})

test('the reader is not outbid where no bidder leads, and not the bidder of another token', () => {
  expect(reader.standingOf({ ...led, leaderId: null, bidCount: 0 })).toBe('none')
  reader.notePseudonym(1, -8)
  expect(reader.standingOf(overbid)).toBe('leads')
  reader.actAs(3)
  expect(reader.standingOf(overbid)).toBe('none')
})

test('a purchase is known by the pseudonym', () => {
  const bought = { ...auction, result: { outcome: 'bought', purchaseId: 9, buyerId: -7, price: 90 } } as const
  expect(reader.standingOf(bought)).toBe('lost')
  reader.notePseudonym(1, -7)
  expect(reader.standingOf(bought)).toBe('won')
})

const ring = { id: 2, productId: 1, ownerId: 4, format: 'sealed', pricing: 'second', reveal: 'result' } as const
const { currentPrice: _price, minimumNextBid: _least, bidCount: _count, leaderId: _leader, ...terms } = auction
const sealed = { ...terms, ...ring }

test('a sealed bid is replaced and withdrawn, and a read that began before that changes nothing', () => {
  expect([reader.sealedBidIn(sealed), reader.standingOf(sealed)]).toEqual([undefined, 'none'])
  reader.startReadingBids()(2, null)
  expect([reader.sealedBidIn(sealed), reader.standingOf(sealed)]).toEqual([null, 'none'])
  const noteOld = reader.startReadingBids()
  reader.noteSealedBid(2, 150)
  noteOld(2, null)
  expect([reader.sealedBidIn(sealed), reader.standingOf(sealed)]).toEqual([150, 'sealed'])
  reader.startReadingBids()(2, 140)
  expect(reader.sealedBidIn(sealed)).toBe(140)
  reader.startReadingBids()(2, 130, true)
  expect(reader.sealedBidIn(sealed)).toBe(140)
  reader.startReadingBids()(2, null)
  expect([reader.sealedBidIn(sealed), reader.standingOf(sealed)]).toEqual(['withdrawn', 'withdrawn'])
  reader.actAs(3)
  expect(reader.sealedBidIn(sealed)).toBeUndefined()
})

test('sealed bids have a winner after the end, and others have lost or withdrawn theirs', () => {
  const sold = { outcome: 'sold', bidId: 9, winnerId: 2, price: 120, bidderCount: 2 } as const
  const over = { ...sealed, result: sold }
  reader.noteSealedBid(2, 150)
  expect(reader.standingOf(over)).toBe('won')
  expect(reader.standingOf({ ...over, result: { ...sold, winnerId: 3 } })).toBe('lost')
  reader.noteSealedBid(2, 'withdrawn')
  expect(reader.standingOf({ ...over, result: { ...sold, winnerId: 3 } })).toBe('withdrawn')
})
