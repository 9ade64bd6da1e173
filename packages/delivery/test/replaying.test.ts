import { UnreadableStoredError } from '@auction/domain/errors'
import { unwrap } from '@auction/domain/result'
import { describe, expect, test } from 'vitest'
import { createSteppedClock } from '../../domain/test/support/clocks.ts'
import { auctionIdOf, createAuction, newBid, noResponse, openTime } from '../../domain/test/support/service.ts'
import { createTestStore, savedIn, startServer, type TestStore } from './support/server.ts'
import { createTestSubscriber, ok, refusal } from './support/subscriber.ts'

/** Three auctions that are created an hour apart; each gets a bid half an hour later, and the first one another at the end. */
async function history(change: (right: TestStore) => Partial<TestStore> = () => ({})) {
  const right = createTestStore()
  const store = { ...right, ...change(right) }
  const clock = createSteppedClock(openTime)
  const service = startServer({ store, clock })
  const startMs = clock.nowMs()
  const auctions = []
  for (let hours = 0; hours < 3; hours++) {
    const auction = await createAuction(service)
    auctions.push(auction)
    clock.advance(30 * 60_000)
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    clock.advance(30 * 60_000)
  }
  unwrap(await service.placeBid(newBid(auctions[0] as (typeof auctions)[0], 3, 110)))
  const atHour = (hours: number) => startMs + hours * 3_600_000
  return { store, clock, service, atHour, subscriber: createTestSubscriber() }
}

const everything = { sinceMs: 0, untilMs: Date.parse('2040-01-01T00:00:00Z') }

describe('a replay', () => {
  test('delivers the events of an auction again, in order, without changes of checkpoints', async () => {
    const { service, subscriber, store } = await history()
    expect(await service.replay(subscriber, { auctionId: auctionIdOf(1) })).toEqual({ delivered: 3, failed: 0 })
    expect(subscriber.keys()).toEqual(['1/0', '1/1', '1/2'])
    expect(await savedIn(store)).toEqual([])
  })

  test.each([
    [0, 0, ['1/0']],
    [0.5, 1, ['1/1', '2/0']],
    [1.1, 2.9, ['2/1', '3/0', '3/1']],
    [3, 4, ['1/2']],
    [3.1, 4, []],
  ] as const)('delivers the events of a time: hours %d to %d', async (since, until, expected) => {
    const { service, subscriber, atHour } = await history()
    const range = { sinceMs: atHour(since), untilMs: atHour(until) }
    const delivered = expected.length
    expect(await service.replay(subscriber, range)).toEqual({ delivered, failed: 0 })
    expect(subscriber.keys().toSorted()).toEqual([...expected])
  })

  test('delivers only the wanted types, and reads any number of auctions and entries', async () => {
    const { service, subscriber } = await history()
    const auctions = await Promise.all(Array.from({ length: 210 }, () => createAuction(service)))
    const long = auctions[0] as (typeof auctions)[0]
    const amounts = Array.from({ length: 120 }, (_, index) => 100 + 10 * index)
    await Promise.all(amounts.map((amount, index) => service.placeBid(newBid(long, 2 + (index % 2), amount))))
    const report = await service.replay({ ...subscriber, types: ['bids'] }, everything)
    expect(report).toEqual({ delivered: 124, failed: 0 })
    expect(subscriber.received.every(({ type }) => type === 'bids')).toBe(true)
  })

  test('attempts an event four times, and then leaves out the rest of its auction', async () => {
    const { service, subscriber, clock } = await history()
    subscriber.react(({ auctionId, sequence }) => (auctionId === 1 && sequence === 1 ? refusal : ok))
    const replaying = service.replay(subscriber, everything)
    await clock.pass(60_000)
    expect(await replaying).toEqual({ delivered: 5, failed: 1 })
    expect(subscriber.attempts.filter((key) => key === '1/1').length).toBe(4)
    expect(subscriber.attempts).not.toContain('1/2')
  })

  test('leaves out auctions that are unknown or unreadable', async () => {
    const unreadable = new UnreadableStoredError('entry', { id: 2 }, 'an invalid field')
    const { service, subscriber } = await history(({ listEntries }) => ({
      listEntries: async (id, query) => (id === 2 ? Promise.reject(unreadable) : listEntries(id, query)),
    }))
    expect(await service.replay(subscriber, { auctionId: auctionIdOf(9) })).toEqual({ delivered: 0, failed: 1 })
    expect(await service.replay(subscriber, everything)).toEqual({ delivered: 5, failed: 1 })
  })

  test('fails if the store does', async () => {
    const { service, subscriber } = await history(() => ({ listEntries: () => Promise.reject(noResponse()) }))
    await expect(service.replay(subscriber, everything)).rejects.toMatchObject({ code: 'store-unavailable' })
  })
})
