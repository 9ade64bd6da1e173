import type { CreatedEvent, SubscribedEvent } from '@auction/delivery'
import type { PublicEvent } from '@auction/domain'
import { describe, expect, test } from 'vitest'
import { checkHistory } from '../src/check-history.ts'
import type { History } from '../src/history.ts'
import { sampleCancelled, sampleMaximumRaised } from '../src/samples.ts'
import { testKept } from './formats/histories.ts'
import { auction, bid, bids, end, history } from './sample-history.ts'

const { id: auctionId, reservePriceMinor: _, ...fields } = auction
const created: CreatedEvent = {
  type: 'created',
  auctionId,
  sequence: 0,
  atMs: auction.createdAtMs,
  auction: { id: auctionId, ...fields },
}
/** An event as far as the checker looks at it. */
const event = (sequence: number, type: PublicEvent['type'], change: object = {}) =>
  ({ type, auctionId, sequence, atMs: 1, ...change }) as SubscribedEvent
const [first, second, third] = bids.map(({ sequence }) => event(sequence, 'bids')) as [
  SubscribedEvent,
  SubscribedEvent,
  SubscribedEvent,
]
const ended = event(4, 'ended')

const after = (...events: readonly SubscribedEvent[]): History => ({ ...history, deliveries: { mails: events } })
const findingsIn = (sample: History) => checkHistory(sample).filter(({ invariant }) => invariant === 8)

describe('deliveries are right if', () => {
  const other = { ...created, auction: { ...created.auction, title: 'A desk' } }
  testKept({
    'nothing subscribed': history,
    'each event arrives once': after(created, first, second, third, ended),
    'events arrive again': after(created, first, created, first, second, first, third, ended, ended),
    'a title was corrected before the second time': after(created, other, first, second, third, ended),
    'no receiver subscribed': { ...history, deliveries: {} },
  })

  test('entries that show nothing have no event', () => {
    const raised = sampleMaximumRaised({ id: 2, sequence: 2 })
    const cancelled = sampleCancelled({ id: 3, sequence: 3 })
    const ledger = [bid(1), raised, cancelled, { ...cancelled, id: bid(4).id, sequence: 4 }]
    const deliveries = { mails: [created, first, event(3, 'ended')] }
    expect(findingsIn({ ...history, ledger, deliveries })).toEqual([])
  })
})

describe('deliveries are wrong if', () => {
  test.each<readonly [string, History, string]>([
    ['an event is missing', after(created, first, third, ended), 'received first'],
    ['the last event is missing', after(created, first, second, third), 'received first'],
    ['the creation is missing', after(first, second, third, ended), 'received first'],
    ['all are missing', after(), 'received first []'],
    ['an event is early', after(created, second, first, third, ended), 'received first'],
    ['an event is early, and arrives again', after(created, second, first, second, third, ended), 'received first'],
    ['an event is not of the ledger', after(created, first, second, third, ended, event(5, 'bids')), 'received first'],
    ['an event has another type', after(created, first, event(2, 'corrected'), third, ended), 'received first'],
    [
      'an event changes',
      after(created, first, event(1, 'bids', { atMs: 2 }), second, third, ended),
      'event 1 of auction 1 has changed',
    ],
    [
      'an event is of an unknown auction',
      after(created, event(1, 'bids', { auctionId: 9 }), first, second, third, ended),
      'auction 9 is not stored',
    ],
    [
      'an event has a maximum',
      after(created, event(1, 'bids', { bids: [{ maximumMinor: 5 }] }), second, third, ended),
      'an event has a secret',
    ],
    [
      'an event has a reserve',
      after(event(0, 'bids', { ...created, auction: { reservePriceMinor: 1 } }), first, second, third, ended),
      'an event has a secret',
    ],
  ])('%s', (_name, sample, message) => {
    expect(findingsIn(sample)).toContainEqual({ invariant: 8, message: expect.stringContaining(message) })
  })

  test('only one of two receivers gets them', () => {
    const all = [created, first, second, third, ended]
    const findings = findingsIn({ ...history, ledger: [...bids, end()], deliveries: { index: all, mails: [] } })
    expect(findings.map(({ message }) => message.split(':')[0])).toEqual(['mails'])
  })
})
