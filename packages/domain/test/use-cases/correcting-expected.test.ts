import { createMemoryStore } from '@auction/adapters/memory'
import { sampleEndTime, sampleExtension } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { AuctionView } from '../../src/auction/view.ts'
import type { Store } from '../../src/store/store.ts'
import { toEntryId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  cancel,
  codeOf,
  correct,
  createAuction,
  createTestService,
  keyOf,
  ledgerOf,
  newBid,
  noResponse,
  outcomeOf,
  serveAuction,
  storeWith,
} from '../support/service.ts'
import { createHeldStore } from '../support/stores.ts'

const sample = { title: 'Desk', description: 'Four drawers.' }
const titled = (title: string) => (view: AuctionView) => view.auction.title === title

describe('a correction with an expectation', () => {
  test('is refused unless the auction is as expected', async () => {
    const { service, auction } = await serveAuction(sample)
    const correctTo = (title: string, expected: string) =>
      correct(service, auction, { title }, { isExpected: titled(expected) })
    expect(codeOf(await correctTo('Oak desk', 'Chair'))).toBe('precondition-failed')
    expect(codeOf(await correctTo('Oak desk', 'Desk'))).toBe('accepted')
    expect(codeOf(await correctTo('Pine desk', 'Desk'))).toBe('precondition-failed')
    expect(await ledgerOf(service.store, auction)).toHaveLength(1)
  })

  test('receives the whole view, with a corrected description', async () => {
    const { service, auction } = await serveAuction(sample)
    unwrap(await correct(service, auction, { description: 'Worn.' }))
    const views: AuctionView[] = []
    const isExpected = (view: AuctionView) => views.push(view) > 0
    const { sequence: _, ...before } = unwrap(await service.readAuction(auction.id))
    unwrap(await correct(service, auction, { title: 'Oak desk' }, { isExpected }))
    expect(views).toStrictEqual([before])
  })

  test.each(['one process', 'two processes'])('succeeds once, if several in %s expect the same', async (where) => {
    const { service, auction } = await serveAuction(sample)
    const other = where === 'one process' ? service : createTestService({ store: service.store })
    const asked = [service, other, service].map((process, index) =>
      correct(process, auction, { title: `${index}` }, { isExpected: titled('Desk') }),
    )
    const results = await Promise.all(asked)
    expect(results.map(codeOf).toSorted()).toEqual(['accepted', 'precondition-failed', 'precondition-failed'])
    expect(await ledgerOf(service.store, auction)).toHaveLength(1)
  })

  test.each([
    { what: 'a correction', code: 'precondition-failed' },
    { what: 'a bid', code: 'auction-has-bids' },
    { what: 'a cancellation', code: 'auction-cancelled' },
  ])('is refused if $what is recorded after the read', async ({ what, code }) => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }), sample)
    const held = createHeldStore(right)
    const texts = { title: 'Oak desk' }
    const corrected = correct(createTestService({ store: held }), auction, texts, { isExpected: titled('Desk') })
    const append = await held.nextAppend()
    const service = createTestService({ store: right })
    if (what === 'a correction') unwrap(await correct(service, auction, { ...texts, description: 'Worn.' }))
    if (what === 'a bid') unwrap(await service.placeBid(newBid(auction, 2, 100)))
    if (what === 'a cancellation') unwrap(await cancel(service, auction))
    await append.release()
    expect(codeOf(await corrected)).toBe(code)
    expect(await ledgerOf(right, auction)).toHaveLength(1)
  })

  test('is made if staff extend the auction after the read that found it ended', async () => {
    const right = createMemoryStore()
    const { service: staff, auction } = await serveAuction(sample, { store: right })
    let isExtended = false
    const store: Store = {
      ...right,
      async findEntriesByKey(...values) {
        const asking = { auctionId: auction.id, editor: 'staff' }
        if (!isExtended) unwrap(await staff.extendAuction({ ...asking, extension: sampleExtension() }))
        isExtended = true
        return right.findEntriesByKey(...values)
      },
    }
    const service = createTestService({ store })
    for (const { clock } of [staff, service]) clock.set(sampleEndTime)
    const options = { isExpected: titled('Desk'), retry: keyOf('k') }
    expect(codeOf(await correct(service, auction, { title: 'Oak desk' }, options))).toBe('accepted')
  })

  test('that throws fails, and nothing is changed', async () => {
    const { service, auction } = await serveAuction(sample)
    const isExpected = () => {
      throw new Error('a bug of the caller')
    }
    const corrected = correct(service, auction, { title: 'Oak desk' }, { isExpected })
    await expect(corrected).rejects.toThrow('a bug of the caller')
    expect(await ledgerOf(service.store, auction)).toEqual([])
  })
})

describe('a correction with a key', () => {
  test('is made once, and returns the first result again, even after others and after the end', async () => {
    const { service, auction } = await serveAuction(sample)
    const options = { isExpected: titled('Desk'), retry: keyOf('k') }
    const texts = { title: 'Oak desk', description: 'Worn.' }
    const first = unwrap(await correct(service, auction, texts, options))
    expect(await correct(service, auction, texts, options)).toStrictEqual({ ok: true, value: first, isRepeated: true })
    unwrap(await correct(service, auction, { description: null }))
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    const later = createTestService({ store: service.store })
    later.clock.set('2030-03-01T00:00:00Z')
    expect(await correct(later, auction, texts, options)).toStrictEqual({ ok: true, value: first, isRepeated: true })
    for (const other of [{ title: 'Oak desk' }, { ...texts, title: null }])
      expect(codeOf(await correct(service, auction, other, options))).toBe('idempotency-key-reused')
    const keys = (await ledgerOf(service.store, auction)).map(({ requestKey }) => requestKey)
    expect(keys).toEqual(['correct-auction user-2 k', undefined, undefined])
  })

  test('is the same request only with the same fields', async () => {
    const { service, auction } = await serveAuction({ metadata: { color: 'red' } })
    const endTime = '2030-02-09T12:00:00Z'
    const fields = { reservePrice: null, startingPrice: 50.5, endTime, metadata: { color: null, lot: '7' } }
    const retry = keyOf('k')
    const first = unwrap(await correct(service, auction, fields, { retry }))
    const { metadata, ...rest } = fields
    for (const same of [fields, { metadata: { lot: '7', color: null }, ...rest }])
      expect(await correct(service, auction, same, { retry })).toStrictEqual({
        ok: true,
        value: first,
        isRepeated: true,
      })
    const others = [{ startingPrice: 50 }, { metadata: { lot: '7' } }, { title: null }]
    for (const other of [rest, ...others.map((changed) => ({ ...fields, ...changed }))])
      expect(codeOf(await correct(service, auction, other, { retry }))).toBe('idempotency-key-reused')
  })
})

describe('the outcome of a correction is', () => {
  const texts = { title: 'Oak desk' }

  test('known if the auction cannot be read before it', async () => {
    const store = storeWith(() => ({ findHeads: async () => Promise.reject(noResponse()) }))
    const auction = await createAuction(createTestService({ store }))
    const service = createTestService({ store, limits: { maxTries: 1 } })
    expect(await outcomeOf(correct(service, auction, texts, { isExpected: () => true }))).toBe('nothing-changed')
    expect(await ledgerOf(store, auction)).toEqual([])
  })

  test('unknown if the auction cannot be read after it', async () => {
    let isReadable = true
    const store = storeWith((right) => ({
      findEntries: async (ids) => (isReadable ? right.findEntries(ids) : Promise.reject(noResponse())),
    }))
    const { service, auction } = await serveAuction({}, { store, limits: { maxTries: 1 } })
    unwrap(await correct(service, auction, { description: 'Worn.' }))
    const retry = keyOf('k')
    isReadable = false
    expect(await outcomeOf(correct(service, auction, texts, { retry }))).toBe('unknown')
    isReadable = true
    const { auction: corrected } = unwrap(await correct(service, auction, texts, { retry }))
    expect(corrected).toMatchObject({ title: 'Oak desk', description: 'Worn.' })
    expect(await ledgerOf(store, auction)).toHaveLength(2)
  })

  test('an error if the entry of the description is missing', async () => {
    const store = storeWith((right) => ({
      findEntries: async (ids) => (await right.findEntries(ids)).filter(({ id }) => id !== toEntryId(1)),
    }))
    const { service, auction } = await serveAuction({}, { store })
    unwrap(await correct(service, auction, { description: 'Worn.' }))
    await expect(service.readAuction(auction.id)).rejects.toThrow('the corrected description in entry 1 is not stored')
  })
})
