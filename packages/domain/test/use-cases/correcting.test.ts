import { createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import type { CorrectionJson } from '../../src/auction/correction.ts'
import { isoOf } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import {
  auctionIdOf,
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
  type TestService,
} from '../support/service.ts'
import { createCountingStore } from '../support/stores.ts'

const sample = { title: 'Desk', description: 'Four drawers.' }
const atOpenMs = Date.parse('2030-01-31T13:00:00Z')

describe('a correction of texts', () => {
  test('changes the texts in reads and lists, and is kept with its editor', async () => {
    const { service, auction } = await serveAuction(sample)
    const texts = { title: 'Oak desk', description: 'Four drawers, one key.' }
    const view = unwrap(await correct(service, auction, texts))
    expect(view).toMatchObject({ auction: { ...auction, ...texts }, status: 'Active', correctedAtMs: atOpenMs })
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 1 })
    const { items } = unwrap(await service.listAuctions({ order: 'newest', limit: 10 }))
    expect(items).toMatchObject([{ auction: { title: 'Oak desk' }, correctedAtMs: atOpenMs }])
    expect(await ledgerOf(service.store, auction)).toMatchObject([
      { sequence: 1, atMs: atOpenMs, event: { type: 'corrected', ...texts, editor: 'staff' } },
    ])
  })

  test('removes texts, and keeps those that it does not name', async () => {
    const { service, auction } = await serveAuction(sample)
    const corrected = async (texts: CorrectionJson) => unwrap(await correct(service, auction, texts)).auction
    const { title: _, description: __, ...bare } = auction
    expect(await corrected({ title: null })).toStrictEqual({ ...bare, description: 'Four drawers.' })
    expect(await corrected({ description: null })).toStrictEqual(bare)
    expect(await corrected({ title: 'Oak desk' })).toStrictEqual({ ...bare, title: 'Oak desk' })
    expect(unwrap(await service.readAuction(auction.id)).auction).toStrictEqual({ ...bare, title: 'Oak desk' })
  })

  test('reads an entry for the description only if it was corrected', async () => {
    const { store, calls } = createCountingStore()
    const { service, auction } = await serveAuction(sample, { store })
    const read = async () => {
      calls.length = 0
      const view = unwrap(await service.readAuction(auction.id))
      return [view.auction.description, ...calls.toSorted()]
    }
    expect(await read()).toEqual(['Four drawers.', 'findAuction', 'findHeads'])
    unwrap(await correct(service, auction, { title: 'Oak desk' }))
    expect(await read()).toEqual(['Four drawers.', 'findAuction', 'findHeads'])
    unwrap(await correct(service, auction, { description: 'Worn.' }))
    expect(await read()).toEqual(['Worn.', 'findAuction', 'findEntries', 'findHeads'])
  })
})

describe('a correction of terms', () => {
  const [earlier, later] = ['2030-02-01T12:00:00Z', '2030-02-09T12:00:00Z']
  const dueOf = async ({ store }: Pick<TestService, 'store'>) => {
    const { items } = await store.listAuctions({ order: 'agenda', limit: 10 })
    return items.map(({ position }) => isoOf(position.timeMs).replace('.000', ''))
  }
  /** The closings of another process at a time. */
  const closeAt = ({ store }: Pick<TestService, 'store'>, iso: string) => {
    const other = createTestService({ store })
    other.clock.set(iso)
    return other.closeDue()
  }

  test('is in reads, lists and events, and in those of other processes that know the auction', async () => {
    const { service, auction } = await serveAuction({ metadata: { color: 'red' } })
    const other = createTestService({ store: service.store })
    expect(codeOf(await other.placeBid(newBid(auction, 2, 60)))).toBe('bid-too-low')
    const fields = { startingPrice: 50, endTime: earlier, metadata: { color: null, lot: '7' } }
    const view = unwrap(await correct(service, auction, fields))
    const shown = { startingPriceMinor: 50_00, endTime: { iso: earlier }, metadata: { lot: '7' } }
    expect(view).toMatchObject({ auction: shown, currentPriceMinor: 50_00, minimumNextBidMinor: 50_00 })
    expect(unwrap(await other.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 1 })
    expect(unwrap(await other.listAuctions({ order: 'newest', limit: 1 })).items).toMatchObject([{ auction: shown }])
    expect(codeOf(await other.placeBid(newBid(auction, 2, 60)))).toBe('accepted')
    other.clock.set('2030-02-01T12:00:02Z')
    expect(await other.closeDue()).toMatchObject({ closed: 1 })
    const { items } = unwrap(await other.listEvents(auction.id, { after: 0, limit: 10 }))
    expect(items).toMatchObject([
      { type: 'corrected', fields: ['startingPrice', 'endTime', 'metadata'] },
      { type: 'bids', currentPriceMinor: 60_00, effectiveEndTime: { iso: earlier } },
      { type: 'ended', result: { outcome: 'sold' }, metadata: { lot: '7' } },
    ])
  })

  test('moves the auction on the agenda to an earlier or a later end', async () => {
    const { service, auction } = await serveAuction()
    for (const endTime of [earlier, later, earlier]) {
      unwrap(await correct(service, auction, { endTime }))
      expect(await dueOf(service)).toEqual([endTime])
    }
    // Of a process that has not noticed the last one.
    await service.store.updateAgenda([{ auctionId: auction.id, dueMs: Date.parse(later), changeCount: 2 }])
    unwrap(await correct(service, auction, { startingPrice: 1 }))
    expect(await closeAt(service, '2030-02-01T12:00:02Z')).toEqual({ closed: 1, left: 0 })
    service.clock.set('2030-02-01T12:00:02Z')
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({ result: { outcome: 'unsold' } })
  })

  test('ends and opens the auction in time, even if the process ends before it updates the agenda', async () => {
    const store = storeWith((right) => ({
      updateAgenda: async (updates) => {
        if (updates.some((update) => 'dueMs' in update)) throw noResponse()
        return right.updateAgenda(updates)
      },
    }))
    const { service, auction } = await serveAuction({}, { store })
    unwrap(await correct(service, auction, { endTime: earlier }))
    const start = '2030-02-03T12:00:00Z'
    const pending = await createAuction(service, { startTime: '2030-02-05T12:00:00Z', endTime: later })
    unwrap(await correct(service, pending, { startTime: start }))
    service.clock.set(earlier)
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('auction-ended')
    expect(unwrap(await service.readAuction(auction.id)).status).toBe('Ended')
    expect(await dueOf(service)).toEqual([earlier, start])
    expect(await closeAt(service, '2030-02-01T12:00:02Z')).toMatchObject({ closed: 1 })
  })

  test('that is not recorded after its check costs one read', async () => {
    const right = createMemoryStore()
    const store = { ...right, append: () => Promise.reject(noResponse()) }
    const { service, auction } = await serveAuction({}, { store })
    expect(await outcomeOf(correct(service, auction, { endTime: earlier }))).toBe('unknown')
    expect(await dueOf(service)).toEqual([earlier])
    expect(await closeAt({ store: right }, '2030-02-01T12:00:02Z')).toEqual({ closed: 0, left: 0 })
    expect(await dueOf(service)).toEqual(['2030-02-07T12:00:00Z'])
  })

  test('is not recorded without its check', async () => {
    const store = storeWith(() => ({ updateAgenda: () => Promise.reject(noResponse()) }))
    const { service, auction } = await serveAuction({}, { store })
    expect(await outcomeOf(correct(service, auction, { endTime: earlier }))).toBe('nothing-changed')
    expect(await ledgerOf(service.store, auction)).toEqual([])
  })

  test('that another one makes possible is recorded, even if it was read before that one', async () => {
    let afterRead = async () => {}
    const store = storeWith((right) => ({
      async findHeads(ids) {
        const heads = await right.findHeads(ids)
        await afterRead()
        return heads
      },
    }))
    const { service, auction } = await serveAuction({ reservePrice: 150 }, { store })
    afterRead = async () => {
      afterRead = async () => {}
      unwrap(await correct(createTestService({ store }), auction, { reservePrice: null }))
    }
    const view = unwrap(await correct(service, auction, { startingPrice: 200 }))
    expect(view).toMatchObject({ auction: { startingPriceMinor: 20_000 } })
    expect(await ledgerOf(service.store, auction)).toHaveLength(2)
  })
})

describe('a search', () => {
  test('finds the corrected title, and not the previous one', async () => {
    const { service, auction } = await serveAuction(sample)
    const found = async (word: string) =>
      unwrap(await service.listAuctions({ order: 'newest', limit: 10, words: [word] })).items.length
    for (const { title, oak, desk } of [
      { title: 'Oak table', oak: 1, desk: 0 },
      { title: 'Desk', oak: 0, desk: 1 },
      { title: null, oak: 0, desk: 0 },
    ]) {
      unwrap(await correct(service, auction, { title }))
      expect([await found('oak'), await found('desk')]).toEqual([oak, desk])
    }
  })

  test('has the words before the correction is recorded', async () => {
    const { store, calls } = createCountingStore()
    const { service, auction } = await serveAuction(sample, { store })
    unwrap(await correct(service, auction, { title: 'Oak desk' }))
    expect(calls.filter((call) => call === 'addTitleWords' || call === 'append')).toEqual(['addTitleWords', 'append'])
  })

  test.each(['after a bid', 'after a cancellation', 'after 40 others', 'with the key of another', 'as not expected'])(
    'gets no words of a correction that is refused %s, so that its index has a bound',
    async (when) => {
      const { store, calls } = createCountingStore()
      const { service, auction } = await serveAuction(sample, { store })
      const correctTo = (title: string, key?: string) =>
        correct(service, auction, { title }, key === undefined ? {} : { retry: keyOf(key) })
      if (when === 'after a bid') unwrap(await service.placeBid(newBid(auction, 2, 100)))
      if (when === 'after a cancellation') unwrap(await service.cancelAuction({ auctionId: auction.id }))
      if (when === 'after 40 others') for (let n = 1; n <= 40; n++) unwrap(await correctTo(`Title ${n}`))
      if (when === 'with the key of another') unwrap(await correctTo('Oak desk', 'k'))
      calls.length = 0
      const isExpected = () => when !== 'as not expected'
      const refused = correct(service, auction, { title: 'Pine desk' }, { retry: keyOf('k'), isExpected })
      expect(codeOf(await refused)).not.toBe('accepted')
      expect(codeOf(await correct(service, { id: auctionIdOf(99) }, { title: 'Oak desk' }))).toBe('auction-not-found')
      expect(calls).not.toContain('addTitleWords')
    },
  )

  test('that cannot have the words stops the correction before it is recorded', async () => {
    const store = storeWith(() => ({ addTitleWords: async () => Promise.reject(noResponse()) }))
    const { service, auction } = await serveAuction(sample, { store, limits: { maxTries: 1 } })
    expect(await outcomeOf(correct(service, auction, { title: 'Oak desk' }))).toBe('nothing-changed')
    expect(await ledgerOf(store, auction)).toEqual([])
  })
})
