import { unwrap } from '@auction/domain/result'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../tools/vitest/size.ts'
import { everythingSettled } from '../../domain/test/support/clocks.ts'
import { createAuction, newBid, noResponse } from '../../domain/test/support/service.ts'
import { createPauses, giveUpMs, leastAttempts } from '../src/attempts.ts'
import { failuresPerOutage } from '../src/outages.ts'
import type { Subscriber } from '../src/subscriber.ts'
import { createTestStore, savedIn, subscribed, type TestStore } from './support/server.ts'
import { createTestSubscriber, keyOfEvent, ok, type Reaction, refusal } from './support/subscriber.ts'

const hourMs = 3_600_000

/** Auctions with ids from 1, each with one event. */
async function createAuctions({ service }: ReturnType<typeof subscribed>, count: number) {
  for (let auctions = 0; auctions < count; auctions++) await createAuction(service)
}

describe('a failed attempt', () => {
  test('is repeated after growing pauses, and later events wait for it', async () => {
    const { service, subscriber, clock, reportsOf } = subscribed()
    const auction = await createAuction(service)
    await clock.pass(0)
    const startMs = clock.nowMs()
    const timesMs: number[] = []
    subscriber.react(({ sequence }) => {
      if (sequence === 1) timesMs.push(clock.nowMs() - startMs)
      return sequence === 1 && timesMs.length < 7 ? refusal : ok
    })
    for (const amount of [100, 110]) await service.placeBid(newBid(auction, amount / 10, amount))
    await clock.pass(hourMs)
    const pausesMs = timesMs.slice(1).map((ms, index) => ms - (timesMs[index] ?? 0))
    const expected = [1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000]
    for (const [index, pauseMs] of expected.entries()) {
      expect(pausesMs[index]).toBeGreaterThanOrEqual(pauseMs * 0.8)
      expect(pausesMs[index]).toBeLessThanOrEqual(pauseMs * 1.2)
    }
    expect(subscriber.keys()).toEqual(['1/0', '1/1', '1/2'])
    const failed = { name: 'mails', auctionId: auction.id, sequence: 1, reason: 'status 500' }
    expect(reportsOf('delivery failed')).toEqual(
      [1, 2, 3, 4, 5, 6].map((attempt) => ['delivery failed', { ...failed, attempt }]),
    )
    const delayMs = timesMs.at(-1)
    expect(reportsOf('delivered')[1]).toEqual([
      'delivered',
      { name: 'mails', auctionId: auction.id, sequence: 1, attempt: 7, delayMs },
    ])
  })

  test.each<readonly [string, Reaction | undefined, string | undefined]>([
    ['rejects', new Error('no route'), 'no route'],
    ['returns nothing, as a JavaScript program may', undefined, undefined],
    ['does not end in time', 'never', 'no outcome within 20000 ms'],
    ['reports an invalid pause', { ok: false, reason: 'x', retryAfterMs: Number.NaN }, 'x'],
  ])('is one that %s', async (_, reaction, reason) => {
    const { service, subscriber, clock, reportsOf } = subscribed()
    subscriber.react((_event, attempt) => (attempt === 1 ? (reaction as Reaction) : ok))
    await createAuction(service)
    await clock.pass(25_000)
    expect(subscriber.attempts).toEqual(['1/0', '1/0'])
    expect(reportsOf('delivery failed')).toMatchObject([['delivery failed', { attempt: 1, reason }]])
  })

  test('delays the next one as the subscriber asks, up to an hour', async () => {
    const { service, subscriber, clock } = subscribed()
    subscriber.react((_, attempt) => (attempt < 3 ? { ok: false, retryAfterMs: attempt * hourMs * 0.75 } : ok))
    await createAuction(service)
    await clock.pass(0.75 * hourMs - 1_000)
    expect(subscriber.attempts.length).toBe(1)
    await clock.pass(2_000)
    expect(subscriber.attempts.length).toBe(2)
    await clock.pass(hourMs - 2_000)
    expect(subscriber.attempts.length).toBe(2)
    await clock.pass(2_000)
    expect(subscriber.keys()).toEqual(['1/0'])
  })

  test('of one auction does not delay others', async () => {
    const { service, subscriber, clock } = subscribed()
    subscriber.react(({ auctionId }) => (auctionId === 1 ? refusal : ok))
    for (let auctions = 0; auctions < 20; auctions++) await createAuction(service)
    await clock.pass(500)
    expect(subscriber.keys().length).toBe(19)
  })

  test('reads the checkpoint again, because another server may have delivered the event', async () => {
    const right = createTestStore()
    const { service, subscriber, clock, store } = subscribed(right)
    subscriber.react(() => refusal)
    const auction = await createAuction(service)
    await clock.pass(0)
    const checkpoint = { auctionId: auction.id, name: 'mails', sequence: 0 }
    await store.checkpoints.save([checkpoint])
    await clock.pass(10_000)
    expect(subscriber.attempts).toEqual(['1/0'])
  })
})

describe('an event is given up', () => {
  test('after 75 hours of attempts, and those after it are delivered', async () => {
    const { service, subscriber, clock, store, reportsOf } = subscribed()
    subscriber.react((event) => (keyOfEvent(event) === '1/1' ? refusal : ok))
    const auction = await createAuction(service)
    for (const amount of [100, 110]) await service.placeBid(newBid(auction, amount / 10, amount))
    await clock.pass(giveUpMs - 1)
    expect(reportsOf('delivery given up')).toEqual([])
    await clock.pass(15 * hourMs)
    expect(reportsOf('delivery given up')).toMatchObject([
      ['delivery given up', { name: 'mails', auctionId: auction.id, sequence: 1, reason: 'status 500' }],
    ])
    expect(subscriber.keys()).toEqual(['1/0', '1/2'])
    expect(await savedIn(store)).toEqual(['mails 1/2'])
    const attempts = subscriber.attempts.filter((key) => key === '1/1').length
    await clock.pass((isLong ? 100 : 20) * hourMs)
    expect(subscriber.attempts.filter((key) => key === '1/1').length).toBe(attempts)
  })

  test('not before its tenth attempt, even if it is old', async () => {
    const { service, subscriber, clock, reportsOf } = subscribed()
    await clock.pass(0)
    subscriber.react(() => 'never')
    const auction = await createAuction(service)
    clock.advance(giveUpMs)
    await clock.pass(0)
    subscriber.react(() => refusal)
    await clock.pass(20_000 + hourMs)
    expect(reportsOf('delivery given up')).toEqual([])
    await clock.pass(24 * hourMs)
    const attempt = leastAttempts
    expect(reportsOf('delivery given up')).toMatchObject([
      ['delivery given up', { auctionId: auction.id, sequence: 0, attempt }],
    ])
  })
})

describe('an outage of a subscriber', () => {
  test('begins when several auctions fail in a row, and ends at the first success', async () => {
    const one = subscribed()
    const { clock, subscriber, reportsOf, subscription } = one
    subscriber.react(() => refusal)
    await createAuctions(one, failuresPerOutage - 1)
    await clock.pass(500)
    expect(reportsOf('outage')).toEqual([])
    await createAuctions(one, 20)
    await clock.pass(0)
    expect(reportsOf('outage')).toEqual([['outage', { name: 'mails', state: 'begins', reason: 'status 500' }]])
    const begun = subscriber.attempts.length
    expect(begun).toBeLessThanOrEqual(32 + failuresPerOutage)
    await clock.pass(2 * hourMs)
    // One at a time: after 1, 5 and 30 seconds, 2 minutes, and then every 10 minutes.
    const probes = subscriber.attempts.length - begun
    expect(probes).toBeGreaterThan(12)
    expect(probes).toBeLessThan(20)
    expect(subscription.status()).toEqual({ pending: 24, oldestPendingMs: 2 * hourMs + 500 })
    subscriber.react(() => ok)
    await clock.pass(12 * 60_000)
    expect(subscriber.keys().length).toBe(24)
    expect(reportsOf('outage').slice(1)).toMatchObject([['outage', { name: 'mails', state: 'ends' }]])
    expect(subscription.status()).toEqual({ pending: 0, oldestPendingMs: 0 })
  })

  test('gives nothing up, however long it lasts', async () => {
    const one = subscribed()
    const { clock, subscriber, reportsOf } = one
    subscriber.react(() => refusal)
    await createAuctions(one, 10)
    await clock.pass(isLong ? 2 * giveUpMs : giveUpMs + 15 * hourMs)
    expect(reportsOf('delivery given up')).toEqual([])
    subscriber.react(() => ok)
    await clock.pass(hourMs)
    expect(subscriber.keys().length).toBe(10)
  })

  test('pauses as long as the subscriber asks', async () => {
    const one = subscribed()
    const { clock, subscriber } = one
    subscriber.react(() => ({ ok: false, retryAfterMs: hourMs / 2 }))
    await createAuctions(one, 10)
    await clock.pass(1_000)
    const before = subscriber.attempts.length
    await clock.pass(hourMs / 2 - 2_000)
    expect(subscriber.attempts.length).toBe(before)
    await clock.pass(2_000)
    expect(subscriber.attempts.length).toBe(before + 1)
  })

  test('tries the next auction if one has no event left', async () => {
    const one = subscribed()
    const { clock, subscriber, store } = one
    subscriber.react(() => refusal)
    await createAuctions(one, 8)
    await clock.pass(100)
    const auctions = (await store.listAuctions({ order: 'agenda', limit: 9 })).items.map(({ auction }) => auction)
    // Another server has delivered all but one.
    const others = auctions.slice(0, -1).map(({ id: auctionId }) => ({ auctionId, name: 'mails', sequence: 0 }))
    await store.checkpoints.save(others)
    subscriber.react(() => ok)
    await clock.pass(2_000)
    expect(subscriber.keys()).toEqual(['8/0'])
  })
})

describe('while the store is unavailable', () => {
  test('events wait, and nothing counts as a failure of the subscriber', async () => {
    const right = createTestStore()
    let isAway = true
    const store: TestStore = {
      ...right,
      findAuctions: (...wanted) => (isAway ? Promise.reject(noResponse()) : right.findAuctions(...wanted)),
    }
    const { service, clock, subscriber, reportsOf } = subscribed(store)
    for (let auctions = 0; auctions < 9; auctions++) await createAuction(service)
    await clock.pass(60_000)
    expect(subscriber.keys()).toEqual([])
    isAway = false
    await clock.pass(6_000)
    expect(subscriber.keys().length).toBe(9)
    expect(reportsOf('outage', 'delivery failed')).toEqual([])
  })
})

describe('closing', () => {
  test('waits for deliveries in progress, saves their checkpoints, and begins no other', async () => {
    const { service, clock, subscriber, subscription, store } = subscribed()
    const { promise, resolve } = Promise.withResolvers<Reaction>()
    subscriber.react(() => promise)
    const auction = await createAuction(service)
    await service.placeBid(newBid(auction, 2, 100))
    await everythingSettled()
    let isClosed = false
    const closing = subscription.close().then(() => {
      isClosed = true
    })
    await everythingSettled()
    expect(isClosed).toBe(false)
    resolve(ok)
    await closing
    expect(await savedIn(store)).toEqual(['mails 1/0'])
    await clock.pass(10 * 60_000)
    expect(subscriber.attempts).toEqual(['1/0'])
  })

  test('of the service closes its subscriptions, and leaves no timer', async () => {
    const { service, clock, subscriber, store, reportsOf } = subscribed()
    subscriber.react(({ auctionId }) => (auctionId < 3 ? ok : refusal))
    for (let auctions = 0; auctions < 4; auctions++) await createAuction(service)
    await clock.pass(100)
    await service.close()
    expect(await savedIn(store)).toEqual(['mails 1/0', 'mails 2/0'])
    const attempts = subscriber.attempts.length
    await clock.pass(100 * hourMs)
    expect(subscriber.attempts.length).toBe(attempts)
    expect(reportsOf('outage')).toEqual([])
  })

  test('ends after the deadline if a delivery does not', async () => {
    const { service, clock, subscriber, subscription } = subscribed()
    subscriber.react(() => 'never')
    await createAuction(service)
    await everythingSettled()
    const closing = Promise.all([subscription.close(), service.close()])
    await clock.pass(10_000)
    await closing
  })

  test('of a subscription frees its name; the auctions that end in the meantime are found later', async () => {
    const { service, clock, subscription, subscriber } = subscribed()
    const auction = await createAuction(service)
    await subscription.close()
    unwrap(await service.cancelAuction({ auctionId: auction.id }))
    await clock.pass(1_000)
    const next = createTestSubscriber()
    service.subscribe(next)
    await clock.pass(3 * 60_000)
    expect([...subscriber.keys(), ...next.keys()]).toEqual(['1/0', '1/1'])
  })
})

describe('a subscriber is refused', () => {
  // The last two are values of programs in JavaScript.
  test.each<unknown>(['', 'A', 'a b', 'ä', 'a'.repeat(33), undefined, 5])('with the name "%s"', (given) => {
    const { service } = subscribed()
    const name = given as string
    expect(() => service.subscribe(createTestSubscriber({ name }))).toThrow('the name of a subscriber must be')
  })

  test('with the name of another one, or without a function', () => {
    const { service } = subscribed()
    expect(() => service.subscribe(createTestSubscriber())).toThrow('the subscriber mails is subscribed already')
    const { deliver: _, ...rest } = createTestSubscriber({ name: 'b' })
    expect(() => service.subscribe(rest as unknown as Subscriber)).toThrow('the function deliver')
  })
})

test('for any course of failures, each event is accepted once and in order, and at last every checkpoint is the head', async () => {
  const reaction = fc.constantFrom<Reaction>(ok, ok, refusal, new Error('reset'), 'never', {
    ok: false,
    retryAfterMs: 9_000,
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(reaction, { maxLength: 25 }),
      fc.array(fc.nat(3), { maxLength: 25 }),
      async (course, bids) => {
        const { service, clock, subscriber, subscription, store } = subscribed()
        const reactions = [...course]
        subscriber.react(() => reactions.shift() ?? ok)
        const auctions = await Promise.all([0, 1, 2, 3].map(() => createAuction(service)))
        for (const [index, at] of bids.entries()) {
          const auction = auctions[at] as (typeof auctions)[0] // One of four.
          unwrap(await service.placeBid(newBid(auction, 2 + (index % 2), 100 + 10 * index)))
          if (index % 5 === 0) await clock.pass(3_000)
        }
        for (let hours = 0; hours < 90 && subscription.status().pending > 0; hours++) await clock.pass(hourMs)
        await clock.pass(1_000)
        const expected = auctions.flatMap(({ id }, at) =>
          Array.from({ length: 1 + bids.filter((each) => each === at).length }, (_, sequence) => `${id}/${sequence}`),
        )
        expect(subscriber.keys().toSorted()).toEqual(expected.toSorted())
        for (const { id } of auctions) {
          const sequences = subscriber.received
            .filter(({ auctionId }) => auctionId === id)
            .map(({ sequence }) => sequence)
          expect(sequences).toEqual(sequences.map((_, index) => index))
        }
        expect((await savedIn(store)).length).toBe(4)
      },
    ),
    { numRuns: 30 },
  )
})

test('pauses spread by up to a fifth, and are never equal in a row', () => {
  const pauses = createPauses()
  const all = Array.from({ length: 1_000 }, () => pauses.afterAttempt(1, { ok: false }))
  expect(Math.min(...all)).toBeGreaterThanOrEqual(800)
  expect(Math.max(...all)).toBeLessThanOrEqual(1_200)
  expect(Math.max(...all) - Math.min(...all)).toBeGreaterThan(390)
  expect(all.some((each, index) => each === all[index + 1])).toBe(false)
})
