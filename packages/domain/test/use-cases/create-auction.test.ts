import { describe, expect, test } from 'vitest'
import { toAuctionId } from '../../src/ids.ts'
import { unwrap } from '../../src/result.ts'
import type { Store } from '../../src/store.ts'
import { createStillClock } from '../support/clocks.ts'
import { createFaultyStore, type Fault, many } from '../support/faulty-store.ts'
import { createPlainStore } from '../support/plain-store.ts'
import {
  codeOf,
  createAuction,
  createServiceWithIds,
  createTestService,
  endTime,
  keyOf,
  newAuction,
  openTime,
  outcomeOf,
  storeWith,
} from '../support/service.ts'

const auctionsIn = async (store: Store) =>
  (await store.listAuctions({ limit: 100, order: 'newest' })).items.map(({ auction }) => auction)

describe('creating an auction', () => {
  test('stores what was sent, with an id and the time', async () => {
    const service = createTestService()
    const fields = newAuction({ title: 'A vase', description: 'It is old.' })
    const auction = unwrap(await service.createAuction(fields))
    expect(auction).toStrictEqual({ ...fields, id: 1, createdAtMs: service.clock.nowMs() })
    expect(await service.store.findAuction(auction.id)).toStrictEqual(auction)
    expect(await auctionsIn(service.store)).toMatchObject([{ id: 1 }])
  })

  test('gives each its own id', async () => {
    const service = createTestService()
    const created = await Promise.all(Array.from({ length: 250 }, () => service.createAuction(newAuction())))
    expect(new Set(created.map((result) => unwrap(result).id)).size).toBe(250)
  })

  test.each([
    ['a millisecond after its end', '2030-02-07T12:00:00.001Z', 'validation-failed'],
    ['at its end', endTime, 'validation-failed'],
    ['a millisecond before its end', '2030-02-07T11:59:59.999Z', 'accepted'],
  ])('%s: %s', async (_, now, code) => {
    const service = createTestService()
    service.clock.set(now)
    expect(codeOf(await service.createAuction(newAuction()))).toBe(code)
    expect((await auctionsIn(service.store)).length).toBe(code === 'accepted' ? 1 : 0)
  })
})

describe('an auction whose insert was not answered', () => {
  const losing = (faults: readonly Fault[], looks: readonly Fault[] = []) =>
    createFaultyStore(createPlainStore(), { insertAuction: faults, findAuction: looks })

  test.each<[Fault]>([['lost-before-storing'], ['lost-after-storing'], ['repeated']])(
    '%s: is created once',
    async (fault) => {
      const service = createTestService({ store: losing([fault]) })
      const auction = unwrap(await service.createAuction(newAuction()))
      expect(await auctionsIn(service.store)).toStrictEqual([auction])
    },
  )

  test('is found after all tries', async () => {
    const store = losing(
      ['lost-after-storing', ...many('lost-before-storing').slice(0, 2)],
      many('lost-before-storing').slice(0, 6),
    )
    const service = createTestService({ store })
    const auction = unwrap(await service.createAuction(newAuction()))
    expect(await auctionsIn(service.store)).toStrictEqual([auction])
  })

  test('and which is not found, has an unknown outcome, which the same key settles', async () => {
    const service = createTestService({ store: losing(many('lost-before-storing').slice(0, 3)) })
    const send = () => service.createAuction(newAuction(), keyOf('k'))
    expect(await outcomeOf(send())).toBe('unknown')
    const auction = unwrap(await send())
    expect(await auctionsIn(service.store)).toStrictEqual([auction])
  })

  test('has an unknown outcome where its key is taken and can not be looked up', async () => {
    const right = createPlainStore()
    await createTestService({ store: right }).createAuction(newAuction(), keyOf('k'))
    const store = createFaultyStore(right, { findAuctionByKey: many('lost-before-storing') })
    expect(await outcomeOf(createTestService({ store }).createAuction(newAuction(), keyOf('k')))).toBe('unknown')
  })

  test('has an unknown outcome where an error comes that nobody expects', async () => {
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

  test('for want of an id has changed nothing', async () => {
    const store = createFaultyStore(createPlainStore(), { highestIdBlock: many('lost-before-storing') })
    expect(await outcomeOf(createTestService({ store }).createAuction(newAuction()))).toBe('nothing-changed')
  })
})

describe('an id that another auction has', () => {
  /** As where two versions, with blocks of another size each, share a store. */
  async function createServiceOfOneId() {
    const store = createPlainStore()
    const clock = createStillClock(openTime)
    const noBids = () => Promise.reject(new Error('no bids'))
    const ids = {
      auctions: { next: () => toAuctionId(1) },
      entries: { next: noBids, nextPair: noBids },
    }
    const service = createServiceWithIds({ store, clock }, ids)
    return { store, clock, service, auction: await createAuction(service) }
  }

  const unread = {
    message: 'what took the key or the id of an auction could not be read',
    outcome: 'unknown',
  }

  test('is accepted for no other', async () => {
    const { store, service, auction } = await createServiceOfOneId()
    await expect(service.createAuction(newAuction({ title: 'Another' }))).rejects.toMatchObject(unread)
    expect(await store.findAuction(auction.id)).toEqual(auction)
  })

  test('is accepted for none of the same fields, either, that was created at another time', async () => {
    const { store, clock, service, auction } = await createServiceOfOneId()
    clock.advance(1)
    await expect(service.createAuction(newAuction())).rejects.toMatchObject(unread)
    expect(await store.findAuction(auction.id)).toEqual(auction)
  })
})
