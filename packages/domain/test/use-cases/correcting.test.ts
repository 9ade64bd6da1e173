import { createMemoryStore } from '@auction/adapters/memory'
import { sampleCancellation, sampleEndTime, sampleExtension } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { CorrectionJson } from '../../src/auction/correction.ts'
import type { AuctionView } from '../../src/auction/view.ts'
import type { Store } from '../../src/store/store.ts'
import { toBidId } from '../../src/values/ids.ts'
import { isoOf } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import { everythingSettled } from '../support/clocks.ts'
import {
  buy,
  codeOf,
  correct,
  createAuction,
  createTestService,
  keyOf,
  ledgerOf,
  newBid,
  noAnswer,
  outcomeOf,
  storeWith,
  type TestService,
} from '../support/service.ts'
import { createCountingStore, createHeldStore } from '../support/stores.ts'

const sample = { title: 'Desk', description: 'Four drawers.' }
const atOpenMs = Date.parse('2030-01-31T13:00:00Z')

describe('a correction', () => {
  test('changes the texts in reads and lists, and is kept with its editor', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
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
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const corrected = async (texts: CorrectionJson) => unwrap(await correct(service, auction, texts)).auction
    const { title: _, description: __, ...bare } = auction
    expect(await corrected({ title: null })).toStrictEqual({ ...bare, description: 'Four drawers.' })
    expect(await corrected({ description: null })).toStrictEqual(bare)
    expect(await corrected({ title: 'Oak desk' })).toStrictEqual({ ...bare, title: 'Oak desk' })
    expect(unwrap(await service.readAuction(auction.id)).auction).toStrictEqual({ ...bare, title: 'Oak desk' })
    expect(await ledgerOf(service.store, auction)).toHaveLength(3)
  })

  test.each(['closing', 'cancelling', 'buying'] as const)('outlives bids and %s', async (end) => {
    const service = createTestService()
    const auction = await createAuction(service, { ...sample, buyNowPrice: 900, reservePrice: 800 })
    const texts = { title: 'Oak desk', description: 'Worn.' }
    unwrap(await correct(service, auction, texts))
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    unwrap(await service.placeBid(newBid(auction, 3, 200)))
    const ended =
      end === 'cancelling'
        ? await service.cancelAuction({
            auctionId: auction.id,
            cancellation: sampleCancellation('Fake'),
            mayForce: true,
          })
        : end === 'buying'
          ? await buy(service, auction, 4)
          : undefined
    if (ended !== undefined) expect(unwrap(ended).auction).toMatchObject(texts)
    service.clock.set('2030-02-07T12:00:02Z')
    await service.closeDue()
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({
      auction: texts,
      bidCount: 2,
      result: expect.anything(),
      correctedAtMs: atOpenMs,
    })
    const bids = unwrap(await service.listBids(auction.id, { limit: 2 }))
    expect(bids.items).toHaveLength(2)
    expect(bids.next).toBeUndefined()
  })

  test('reads an entry for the description only if it was corrected', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const auction = await createAuction(service, sample)
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
  const dueOf = async ({ store }: TestService) => {
    const { items } = await store.listAuctions({ order: 'agenda', limit: 10 })
    return items.map(({ position }) => isoOf(position.timeMs))
  }

  /** A store that loses new places on the agenda. */
  const withoutPlaces = () =>
    storeWith((right) => ({
      updateAgenda: async (updates) => {
        if (updates.some((update) => 'dueMs' in update)) throw noAnswer()
        return right.updateAgenda(updates)
      },
    }))

  test('is in reads, lists and events, and in those of other processes that know the auction', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { metadata: { color: 'red' } })
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

  test.each([
    { first: 'the correction', sequence: ['corrected'], code: 'bid-too-low' },
    { first: 'the bid', sequence: ['bid-placed'], code: 'accepted' },
  ])('of the price meets a first bid of another process: $first is first', async ({ first, sequence, code }) => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }))
    const stores = [createHeldStore(right), createHeldStore(right)] as const
    const [editor, bidder] = stores.map((store) => createTestService({ store })) as [TestService, TestService]
    const corrected = correct(editor, auction, { startingPrice: 120 })
    const placed = bidder.placeBid(newBid(auction, 2, 100))
    const appends = await Promise.all(stores.map((store) => store.nextAppend()))
    for (const append of first === 'the bid' ? appends.toReversed() : appends) await append.release()
    expect(codeOf(await placed)).toBe(code)
    expect(codeOf(await corrected)).toBe(first === 'the bid' ? 'auction-has-bids' : 'accepted')
    expect((await ledgerOf(right, auction)).map(({ event }) => event.type)).toEqual(sequence)
  })

  test('moves the auction on the agenda to an earlier or a later end', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    for (const endTime of [earlier, later, earlier]) {
      unwrap(await correct(service, auction, { endTime }))
      expect(await dueOf(service)).toEqual([endTime.replace('Z', '.000Z')])
    }
    // Of a process that has not noticed the last one.
    await service.store.updateAgenda([{ auctionId: auction.id, dueMs: Date.parse(later), corrections: 2 }])
    unwrap(await correct(service, auction, { startingPrice: 1 }))
    service.clock.set('2030-02-01T12:00:02Z')
    const other = createTestService({ store: service.store })
    other.clock.set('2030-02-01T12:00:02Z')
    expect(await other.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(unwrap(await service.readAuction(auction.id))).toMatchObject({
      status: 'Ended',
      result: { outcome: 'unsold' },
    })
  })

  test('of an end ends the auction in time, even if the process ends before it updates the agenda', async () => {
    const store = withoutPlaces()
    const service = createTestService({ store })
    const auction = await createAuction(service)
    unwrap(await correct(service, auction, { endTime: earlier }))
    service.clock.set(earlier)
    expect(codeOf(await service.placeBid(newBid(auction, 2, 100)))).toBe('auction-ended')
    expect(unwrap(await service.readAuction(auction.id)).status).toBe('Ended')
    const other = createTestService({ store })
    other.clock.set('2030-02-01T12:00:02Z')
    expect(await other.closeDue()).toMatchObject({ closed: 1 })
  })

  test('of a start opens the auction in time, even if the process ends before it updates the agenda', async () => {
    const store = withoutPlaces()
    const service = createTestService({ store })
    const [start, end] = ['2030-02-03T12:00:00Z', '2030-02-09T12:00:00Z']
    const auction = await createAuction(service, { startTime: '2030-02-05T12:00:00Z', endTime: end })
    unwrap(await correct(service, auction, { startTime: start }))
    expect(await dueOf(service)).toEqual([start.replace('Z', '.000Z')])
  })

  test('that is not recorded after its check costs one read', async () => {
    const right = createMemoryStore()
    const service = createTestService({ store: { ...right, append: () => Promise.reject(noAnswer()) } })
    const auction = await createAuction(service)
    expect(await outcomeOf(correct(service, auction, { endTime: earlier }))).toBe('unknown')
    expect(await dueOf(service)).toEqual([earlier.replace('Z', '.000Z')])
    const other = createTestService({ store: right })
    other.clock.set('2030-02-01T12:00:02Z')
    expect(await other.closeDue()).toEqual({ closed: 0, left: 0 })
    expect(await dueOf(other)).toEqual(['2030-02-07T12:00:00.000Z'])
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
    const service = createTestService({ store })
    const auction = await createAuction(service, { reservePrice: 150 })
    afterRead = async () => {
      afterRead = async () => {}
      unwrap(await correct(createTestService({ store }), auction, { reservePrice: null }))
    }
    expect(unwrap(await correct(service, auction, { startingPrice: 200 })).auction).toMatchObject({
      startingPriceMinor: 20_000,
    })
    expect(await ledgerOf(service.store, auction)).toHaveLength(2)
  })

  test('is not recorded without its check', async () => {
    const store = storeWith(() => ({ updateAgenda: () => Promise.reject(noAnswer()) }))
    const service = createTestService({ store })
    const auction = await createAuction(service)
    expect(await outcomeOf(correct(service, auction, { endTime: earlier }))).toBe('nothing-changed')
    expect(await ledgerOf(service.store, auction)).toEqual([])
  })

  test('with a key is the same request only with the same fields', async () => {
    const service = createTestService()
    const auction = await createAuction(service, { metadata: { color: 'red' } })
    const fields = { reservePrice: null, startingPrice: 50.5, endTime: later, metadata: { color: null, lot: '7' } }
    const first = unwrap(await correct(service, auction, fields, { retry: keyOf('k') }))
    const { metadata, ...rest } = fields
    for (const same of [fields, { metadata: { lot: '7', color: null }, ...rest }]) {
      expect(await correct(service, auction, same, { retry: keyOf('k') })).toStrictEqual({
        ok: true,
        value: first,
        isRepeated: true,
      })
    }
    for (const other of [
      rest,
      { ...fields, startingPrice: 50 },
      { ...fields, metadata: { lot: '7' } },
      { ...fields, title: null },
    ]) {
      expect(codeOf(await correct(service, auction, other, { retry: keyOf('k') }))).toBe('idempotency-key-reused')
    }
  })

  test('that is invalid is refused as that if the auction is as expected, and otherwise as not', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const invalid = (isAsExpected: boolean) =>
      correct(service, auction, { buyNowPrice: 1 }, { isExpected: () => isAsExpected })
    expect([codeOf(await invalid(true)), codeOf(await invalid(false))]).toEqual([
      'validation-failed',
      'precondition-failed',
    ])
  })
})

describe('a search', () => {
  const found = async ({ listAuctions }: ReturnType<typeof createTestService>, word: string) =>
    unwrap(await listAuctions({ order: 'newest', limit: 10, words: [word] })).items.length

  test('finds the corrected title, and not the previous one', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    unwrap(await correct(service, auction, { title: 'Oak table' }))
    expect([await found(service, 'oak'), await found(service, 'desk')]).toEqual([1, 0])
    unwrap(await correct(service, auction, { title: 'Desk' }))
    expect([await found(service, 'oak'), await found(service, 'desk')]).toEqual([0, 1])
    unwrap(await correct(service, auction, { title: null }))
    expect([await found(service, 'oak'), await found(service, 'desk')]).toEqual([0, 0])
  })

  test('has the words before the correction is recorded, and none of a correction that is not expected', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const { id: auctionId } = await createAuction(service, sample)
    calls.length = 0
    unwrap(await correct(service, { id: auctionId }, { title: 'Oak desk' }))
    expect(calls.indexOf('addTitleWords')).toBeLessThan(calls.indexOf('append'))
    calls.length = 0
    await correct(service, { id: auctionId }, { title: 'Pine desk' }, { isExpected: () => false })
    expect(calls).not.toContain('addTitleWords')
  })

  test.each(['after a bid', 'after a cancellation', 'after 40 others', 'with the key of another'])(
    'gets no words of a correction that is refused %s, so that its index has a bound',
    async (when) => {
      const { store, calls } = createCountingStore()
      const service = createTestService({ store })
      const { id: auctionId } = await createAuction(service, sample)
      const correctTo = (title: string, key?: string) =>
        correct(service, { id: auctionId }, { title }, key === undefined ? {} : { retry: keyOf(key) })
      if (when === 'after a bid') unwrap(await service.placeBid(newBid({ id: auctionId }, 2, 100)))
      if (when === 'after a cancellation') unwrap(await service.cancelAuction({ auctionId }))
      if (when === 'after 40 others') for (let n = 1; n <= 40; n++) unwrap(await correctTo(`Title ${n}`))
      if (when === 'with the key of another') unwrap(await correctTo('Oak desk', 'k'))
      calls.length = 0
      expect(codeOf(await correctTo('Pine desk', 'k'))).not.toBe('accepted')
      expect(calls).not.toContain('addTitleWords')
    },
  )

  test('that cannot have the words stops the correction before it is recorded', async () => {
    const store = storeWith(() => ({ addTitleWords: async () => Promise.reject(noAnswer()) }))
    const service = createTestService({ store, limits: { maxTries: 1 } })
    const { id: auctionId } = await createAuction(service, sample)
    expect(await outcomeOf(correct(service, { id: auctionId }, { title: 'Oak desk' }))).toBe('nothing-changed')
    expect(await ledgerOf(store, { id: auctionId })).toEqual([])
  })
})

describe('a correction with an expectation', () => {
  const titled = (title: string) => (view: AuctionView) => view.auction.title === title

  test('is refused unless the auction is as expected', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const correctTo = (title: string, expected: string) =>
      correct(service, auction, { title }, { isExpected: titled(expected) })
    expect(codeOf(await correctTo('Oak desk', 'Chair'))).toBe('precondition-failed')
    expect(codeOf(await correctTo('Oak desk', 'Desk'))).toBe('accepted')
    expect(codeOf(await correctTo('Pine desk', 'Desk'))).toBe('precondition-failed')
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    expect(codeOf(await correctTo('Pine desk', 'Desk'))).toBe('auction-has-bids')
    expect(await ledgerOf(service.store, auction)).toHaveLength(2)
  })

  test('receives the whole view, with a corrected description', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    unwrap(await correct(service, auction, { description: 'Worn.' }))
    const views: AuctionView[] = []
    const isExpected = (view: AuctionView) => views.push(view) > 0
    const { sequence: _, ...before } = unwrap(await service.readAuction(auction.id))
    unwrap(await correct(service, auction, { title: 'Oak desk' }, { isExpected }))
    expect(views).toStrictEqual([before])
  })

  test.each(['one process', 'two processes'])('succeeds once, if several in %s expect the same', async (where) => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const other = where === 'one process' ? service : createTestService({ store: service.store })
    const asked = [service, other, service].map((process, index) =>
      correct(process, auction, { title: `${index}` }, { isExpected: titled('Desk') }),
    )
    const results = await Promise.all(asked)
    expect(results.map(codeOf).toSorted()).toEqual(['accepted', 'precondition-failed', 'precondition-failed'])
    expect(await ledgerOf(service.store, auction)).toHaveLength(1)
  })

  test.each(['a correction', 'a bid', 'a cancellation'])(
    'is refused if %s is recorded after the read',
    async (what) => {
      const right = createMemoryStore()
      const auction = await createAuction(createTestService({ store: right }), sample)
      const held = createHeldStore(right)
      const slow = createTestService({ store: held })
      const texts = { title: 'Oak desk' }
      const corrected = correct(slow, auction, texts, { isExpected: titled('Desk') })
      const append = await held.nextAppend()
      const service = createTestService({ store: right })
      if (what === 'a correction') unwrap(await correct(service, auction, { ...texts, description: 'Worn.' }))
      if (what === 'a bid') unwrap(await service.placeBid(newBid(auction, 2, 100)))
      if (what === 'a cancellation') unwrap(await service.cancelAuction({ auctionId: auction.id }))
      await append.release()
      const codes = { 'a correction': 'precondition-failed', 'a bid': 'auction-has-bids' } as Record<string, string>
      expect(codeOf(await corrected)).toBe(codes[what] ?? 'auction-cancelled')
      expect(await ledgerOf(right, auction)).toHaveLength(1)
    },
  )

  test('is made if staff extend the auction after the read that found it ended', async () => {
    const right = createMemoryStore()
    const auction = await createAuction(createTestService({ store: right }), sample)
    const staff = createTestService({ store: right })
    let isExtended = false
    const store: Store = {
      ...right,
      async findEntriesByKey(...values) {
        if (!isExtended) unwrap(await staff.extendAuction({ ...asking, extension: sampleExtension() }))
        isExtended = true
        return right.findEntriesByKey(...values)
      },
    }
    const asking = { auctionId: auction.id, editor: 'staff' }
    const service = createTestService({ store })
    for (const { clock } of [staff, service]) clock.set(sampleEndTime)
    const options = { isExpected: titled('Desk'), retry: keyOf('k') }
    expect(codeOf(await correct(service, auction, { title: 'Oak desk' }, options))).toBe('accepted')
  })

  test('is refused if it waits behind two others', async () => {
    const held = createHeldStore(createMemoryStore())
    const service = createTestService({ store: held })
    const auction = await createAuction(service, sample)
    const others = [correct(service, auction, { title: 'A' })]
    const append = await held.nextAppend()
    others.push(correct(service, auction, { title: 'B' }))
    const last = correct(service, auction, { title: 'C' }, { isExpected: titled('Desk') })
    await everythingSettled()
    await append.release()
    const next = await held.nextAppend()
    expect(next.entries).toMatchObject([{ event: { title: 'B' } }])
    await next.release()
    expect((await Promise.all(others)).map(codeOf)).toEqual(['accepted', 'accepted'])
    expect(codeOf(await last)).toBe('precondition-failed')
  })

  test('that throws fails, and nothing is changed', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const isExpected = () => {
      throw new Error('a bug of the caller')
    }
    await expect(correct(service, auction, { title: 'Oak desk' }, { isExpected })).rejects.toThrow(
      'a bug of the caller',
    )
    expect(await ledgerOf(service.store, auction)).toEqual([])
  })
})

describe('a correction with a key', () => {
  test('is made once, and returns the first result again, even after others and after the end', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const isExpected = ({ auction: { title } }: AuctionView) => title === 'Desk'
    const options = { isExpected, retry: keyOf('k') }
    const texts = { title: 'Oak desk', description: 'Worn.' }
    const first = unwrap(await correct(service, auction, texts, options))
    expect(await correct(service, auction, texts, options)).toStrictEqual({ ok: true, value: first, isRepeated: true })
    unwrap(await correct(service, auction, { description: null }))
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    const later = createTestService({ store: service.store })
    later.clock.set('2030-03-01T00:00:00Z')
    expect(await correct(later, auction, texts, options)).toStrictEqual({ ok: true, value: first, isRepeated: true })
    for (const other of [{ title: 'Oak desk' }, { ...texts, title: null }]) {
      expect(codeOf(await correct(service, auction, other, options))).toBe('idempotency-key-reused')
    }
    expect((await ledgerOf(service.store, auction)).map(({ requestKey }) => requestKey)).toEqual([
      'correct-auction user-2 k',
      undefined,
      undefined,
    ])
  })
})

describe('the outcome of a correction is', () => {
  const texts = { title: 'Oak desk' }

  test('known if the auction cannot be read before it', async () => {
    const store = storeWith(() => ({ findHeads: async () => Promise.reject(noAnswer()) }))
    const auction = await createAuction(createTestService({ store }))
    const service = createTestService({ store, limits: { maxTries: 1 } })
    expect(await outcomeOf(correct(service, auction, texts, { isExpected: () => true }))).toBe('nothing-changed')
    expect(await ledgerOf(store, auction)).toEqual([])
  })

  test('unknown if the auction cannot be read after it', async () => {
    let isReadable = true
    const store = storeWith((right) => ({
      findEntries: async (ids) => (isReadable ? right.findEntries(ids) : Promise.reject(noAnswer())),
    }))
    const service = createTestService({ store, limits: { maxTries: 1 } })
    const auction = await createAuction(service)
    unwrap(await correct(service, auction, { description: 'Worn.' }))
    isReadable = false
    expect(await outcomeOf(correct(service, auction, texts, { retry: keyOf('k') }))).toBe('unknown')
    isReadable = true
    expect(unwrap(await correct(service, auction, texts, { retry: keyOf('k') })).auction).toMatchObject({
      title: 'Oak desk',
      description: 'Worn.',
    })
    expect(await ledgerOf(store, auction)).toHaveLength(2)
  })

  test('an error if the entry of the description is missing', async () => {
    const store = storeWith((right) => ({
      findEntries: async (ids) => (await right.findEntries(ids)).filter(({ id }) => id !== toBidId(1)),
    }))
    const service = createTestService({ store })
    const auction = await createAuction(service)
    unwrap(await correct(service, auction, { description: 'Worn.' }))
    await expect(service.readAuction(auction.id)).rejects.toThrow('the corrected description in entry 1 is not stored')
  })
})
