import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  codeOf,
  createAuction,
  createTestService,
  endTime,
  keyOf,
  newAuction,
  openTime,
  outcomeOf,
  storeWith,
} from '../support/service.ts'
import { type CallOutcome, createUnreliableStore, many } from '../support/stores.ts'

const auctionsIn = async (store: Store) =>
  (await store.listAuctions({ limit: 100, order: 'newest' })).items.map(({ auction }) => auction)

describe('creating an auction', () => {
  test('stores the request, with an id and the time', async () => {
    const service = createTestService()
    const fields = newAuction({ title: 'A vase', description: 'It is old.' })
    const auction = unwrap(await service.createAuction(fields))
    expect(auction).toStrictEqual({ ...fields, id: 1, createdAtMs: service.clock.nowMs() })
    expect(await service.store.findAuction(auction.id)).toStrictEqual(auction)
    expect(await auctionsIn(service.store)).toMatchObject([{ id: 1 }])
  })

  test.each([
    { title: 'a millisecond after its end', now: '2030-02-07T12:00:00.001Z', code: 'validation-failed' },
    { title: 'at its end', now: endTime, code: 'validation-failed' },
    { title: 'a millisecond before its end', now: '2030-02-07T11:59:59.999Z', code: 'accepted' },
  ])('$title: $now', async ({ now, code }) => {
    const service = createTestService()
    service.clock.set(now)
    expect(codeOf(await service.createAuction(newAuction()))).toBe(code)
    expect((await auctionsIn(service.store)).length).toBe(code === 'accepted' ? 1 : 0)
  })
})

describe('an auction whose insert is not confirmed', () => {
  const losing = (faults: readonly CallOutcome[], looks: readonly CallOutcome[] = []) =>
    createUnreliableStore(createMemoryStore(), { insertAuction: faults, findAuction: looks })

  test.each<[CallOutcome]>([['lost-before-storing'], ['lost-after-storing'], ['repeated']])(
    'is created once: %s',
    async (fault) => {
      const service = createTestService({ store: losing([fault]) })
      const auction = unwrap(await service.createAuction(newAuction()))
      expect(await auctionsIn(service.store)).toStrictEqual([auction])
    },
  )

  test('is found after the last try', async () => {
    const store = losing(
      ['lost-after-storing', ...many('lost-before-storing').slice(0, 2)],
      many('lost-before-storing').slice(0, 6),
    )
    const service = createTestService({ store })
    const auction = unwrap(await service.createAuction(newAuction()))
    expect(await auctionsIn(service.store)).toStrictEqual([auction])
  })

  test('has an unknown outcome if it is not found, which the same key settles', async () => {
    const service = createTestService({ store: losing(many('lost-before-storing').slice(0, 3)) })
    const send = () => service.createAuction(newAuction(), keyOf('k'))
    expect(await outcomeOf(send())).toBe('unknown')
    const auction = unwrap(await send())
    expect(await auctionsIn(service.store)).toStrictEqual([auction])
  })

  test('has an unknown outcome if its key is taken and cannot be looked up', async () => {
    const right = createMemoryStore()
    await createTestService({ store: right }).createAuction(newAuction(), keyOf('k'))
    const store = createUnreliableStore(right, { findAuctions: many('lost-before-storing') })
    expect(await outcomeOf(createTestService({ store }).createAuction(newAuction(), keyOf('k')))).toBe('unknown')
  })

  test('has an unknown outcome after an unexpected error', async () => {
    const store = storeWith(() => ({
      insertAuction: async () => {
        throw new TypeError('a bug')
      },
    }))
    await expect(createTestService({ store }).createAuction(newAuction())).rejects.toMatchObject({
      message: 'an auction could not be stored',
      outcome: 'unknown',
      cause: { cause: { message: 'a bug' } },
    })
  })

  test('without an id changes nothing', async () => {
    const store = createUnreliableStore(createMemoryStore(), { claimNextIdBlock: many('lost-before-storing') })
    expect(await outcomeOf(createTestService({ store }).createAuction(newAuction()))).toBe('nothing-changed')
  })
})

describe('an id that another auction has', () => {
  /** Two processes have the same ids, as when two versions with different block sizes share a store. */
  async function createServiceOfOneId() {
    const store = storeWith(() => ({ claimNextIdBlock: async () => 1 }))
    const clock = createManualClock(openTime)
    const auction = await createAuction(createTestService({ store, clock }))
    return { store, clock, service: createTestService({ store, clock }), auction }
  }

  const unread = {
    message: 'the auction with the same key or id could not be read',
    outcome: 'unknown',
  }

  test('is not accepted for different fields', async () => {
    const { store, service, auction } = await createServiceOfOneId()
    await expect(service.createAuction(newAuction({ title: 'Another' }))).rejects.toMatchObject(unread)
    expect(await store.findAuction(auction.id)).toEqual(auction)
  })

  test('is not accepted for the same fields with another creation time', async () => {
    const { store, clock, service, auction } = await createServiceOfOneId()
    clock.advance(1)
    await expect(service.createAuction(newAuction())).rejects.toMatchObject(unread)
    expect(await store.findAuction(auction.id)).toEqual(auction)
  })
})
