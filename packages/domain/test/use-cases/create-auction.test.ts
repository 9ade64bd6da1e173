import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { isSameRequest } from '../../src/use-cases/insert-auction.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  codeOf,
  createTestService,
  endTime,
  keyOf,
  newAuction,
  outcomeOf,
  serveAuction,
  storeWith,
} from '../support/service.ts'
import { type CallOutcome, type CallOutcomes, createUnreliableStore, many } from '../support/stores.ts'

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

test('a lot is the same request, whatever the sale was when it was created', () => {
  const lot = { saleId: 7, lot: '12A' }
  const created = sampleAuction({ ...lot, saleSequence: 3, registerId: 9, registerAdmits: 'listed' })
  const again = { ...sampleAuction({ ...lot, saleSequence: 4, registerId: 9, registerAdmits: 'everyone' }) }
  expect(isSameRequest(created, again)).toBe(true)
  expect(isSameRequest(created, { ...again, lot: '12' })).toBe(false)
})

describe('an auction whose insert is not confirmed', () => {
  const down = many('lost-before-storing')
  const lostAtLast: readonly CallOutcome[] = ['lost-after-storing', ...down.slice(0, 2)]

  test.each<{ readonly title: string; readonly faults: CallOutcomes; readonly code?: string }>([
    { title: 'is created once if it is lost', faults: { insertAuction: ['lost-before-storing'] } },
    { title: 'is created once if its response is lost', faults: { insertAuction: ['lost-after-storing'] } },
    { title: 'is created once if it is sent twice', faults: { insertAuction: ['repeated'] } },
    { title: 'is found after the last try', faults: { insertAuction: lostAtLast, findAuction: down.slice(0, 6) } },
    { title: 'is unknown, until its key settles it', faults: { insertAuction: down.slice(0, 3) }, code: 'unknown' },
    { title: 'changes nothing without an id', faults: { claimNextIdBlock: down.slice(0, 3) }, code: 'nothing-changed' },
  ])('$title', async ({ faults, code = 'accepted' }) => {
    const service = createTestService({ store: createUnreliableStore(createMemoryStore(), faults) })
    const send = () => service.createAuction(newAuction(), keyOf('k'))
    expect(await outcomeOf(send())).toBe(code)
    const auction = unwrap(await send())
    expect(await auctionsIn(service.store)).toStrictEqual([auction])
  })

  test('has an unknown outcome if its key is taken and cannot be looked up', async () => {
    const right = createMemoryStore()
    await createTestService({ store: right }).createAuction(newAuction(), keyOf('k'))
    const store = createUnreliableStore(right, { findAuctions: down })
    expect(await outcomeOf(createTestService({ store }).createAuction(newAuction(), keyOf('k')))).toBe('unknown')
  })

  test('has an unknown outcome after an unexpected error', async () => {
    const store = storeWith(() => ({ insertAuction: () => Promise.reject(new TypeError('a bug')) }))
    const error = { message: 'an auction could not be stored', outcome: 'unknown', cause: { message: 'a bug' } }
    await expect(createTestService({ store }).createAuction(newAuction())).rejects.toMatchObject(error)
  })
})

test.each([
  { title: 'different fields', fields: { title: 'Another' }, laterMs: 0 },
  { title: 'the same fields with another creation time', fields: {}, laterMs: 1 },
])('an id that another auction has is not accepted for $title', async ({ fields, laterMs }) => {
  // Two processes have the same ids, as when two versions with different block sizes share a store.
  const store = storeWith(() => ({ claimNextIdBlock: async () => 1 }))
  const { service: founder, auction } = await serveAuction({}, { store })
  const service = createTestService({ store, clock: founder.clock })
  service.clock.advance(laterMs)
  const unread = { message: 'the auction with the same key or id could not be read', outcome: 'unknown' }
  await expect(service.createAuction(newAuction(fields))).rejects.toMatchObject(unread)
  expect(await store.findAuction(auction.id)).toEqual(auction)
})
