import { describe, expect, test } from 'vitest'
import type { AuctionView } from '../../src/auction/view.ts'
import { toBidId, toUserId } from '../../src/values/ids.ts'
import { unwrap } from '../../src/values/result.ts'
import { everythingSettled } from '../support/clocks.ts'
import { createCountingStore } from '../support/counting-store.ts'
import { createPlainStore } from '../support/plain-store.ts'
import {
  codeOf,
  createAuction,
  createTestService,
  keyOf,
  ledgerOf,
  newBid,
  noAnswer,
  outcomeOf,
  storeWith,
} from '../support/service.ts'
import { createHeldStore } from '../support/unreliable-store.ts'

const editor = 'staff'
const sample = { title: 'Desk', description: 'Four drawers.' }
const atOpenMs = Date.parse('2030-01-31T13:00:00Z')

describe('a correction', () => {
  test('changes the texts in reads and lists, and is kept with its editor', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const texts = { title: 'Oak desk', description: 'Four drawers, one key.' }
    const view = unwrap(await service.correctAuction({ auctionId: auction.id, ...texts, editor }))
    expect(view).toMatchObject({ auction: { ...auction, ...texts }, status: 'Active', correctedAtMs: atOpenMs })
    expect(unwrap(await service.readAuction(auction.id))).toStrictEqual({ ...view, sequence: 1 })
    const { items } = unwrap(await service.listAuctions({ order: 'newest', limit: 10 }))
    expect(items).toMatchObject([{ auction: { title: 'Oak desk' }, correctedAtMs: atOpenMs }])
    expect(await ledgerOf(service.store, auction)).toMatchObject([
      { sequence: 1, atMs: atOpenMs, event: { type: 'corrected', ...texts, editor } },
    ])
  })

  test('removes texts, and keeps those that it does not name', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const correct = async (texts: object) =>
      unwrap(await service.correctAuction({ auctionId: auction.id, ...texts, editor })).auction
    const { title: _, description: __, ...bare } = auction
    expect(await correct({ title: null })).toStrictEqual({ ...bare, description: 'Four drawers.' })
    expect(await correct({ description: null })).toStrictEqual(bare)
    expect(await correct({ title: 'Oak desk' })).toStrictEqual({ ...bare, title: 'Oak desk' })
    expect(unwrap(await service.readAuction(auction.id)).auction).toStrictEqual({ ...bare, title: 'Oak desk' })
    expect(await ledgerOf(service.store, auction)).toHaveLength(3)
  })

  test.each(['closing', 'cancelling', 'buying'] as const)('outlives bids and %s', async (end) => {
    const service = createTestService()
    const auction = await createAuction(service, { ...sample, buyNowPrice: 900, reservePrice: 800 })
    const texts = { title: 'Oak desk', description: 'Worn.' }
    unwrap(await service.correctAuction({ auctionId: auction.id, ...texts, editor }))
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    unwrap(await service.placeBid(newBid(auction, 3, 200)))
    const ended =
      end === 'cancelling'
        ? await service.cancelAuction({ auctionId: auction.id, reason: 'A fake.', mayForce: true })
        : end === 'buying'
          ? await service.buyNow({ auctionId: auction.id, buyerId: toUserId(4) })
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

  test.each([
    ['after a bid', 'auction-has-bids'],
    ['after a cancellation', 'auction-cancelled'],
    ['after the end', 'auction-ended'],
    ['of another auction', 'auction-not-found'],
  ])('is refused %s, by processes with and without the auction in memory', async (when, code) => {
    const service = createTestService()
    const auction = await createAuction(service)
    const other = createTestService({ store: service.store })
    await other.placeBid(newBid(auction, 2, 1)) // Refused as too low, so that the process caches the auction.
    if (when === 'after a bid') unwrap(await service.placeBid(newBid(auction, 2, 100)))
    if (when === 'after a cancellation') unwrap(await service.cancelAuction({ auctionId: auction.id }))
    const auctionId = when === 'of another auction' ? (await createAuction(createTestService())).id : auction.id
    for (const process of [service, other]) {
      if (when === 'after the end') process.clock.set('2030-02-07T12:00:00Z')
      const store = when === 'of another auction' ? createTestService() : process
      expect(codeOf(await store.correctAuction({ auctionId, title: 'Oak desk', editor }))).toBe(code)
    }
  })

  test('is refused after 20 others', async () => {
    const service = createTestService()
    const auction = await createAuction(service)
    const correct = (title: string) => service.correctAuction({ auctionId: auction.id, title, editor })
    for (let count = 1; count <= 20; count++) unwrap(await correct(`Title ${count}`))
    expect(codeOf(await correct('Title 21'))).toBe('too-many-corrections')
    expect(unwrap(await service.readAuction(auction.id)).auction.title).toBe('Title 20')
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
    unwrap(await service.correctAuction({ auctionId: auction.id, title: 'Oak desk', editor }))
    expect(await read()).toEqual(['Four drawers.', 'findAuction', 'findHeads'])
    unwrap(await service.correctAuction({ auctionId: auction.id, description: 'Worn.', editor }))
    expect(await read()).toEqual(['Worn.', 'findAuction', 'findEntries', 'findHeads'])
  })
})

describe('a search', () => {
  const found = async ({ listAuctions }: ReturnType<typeof createTestService>, word: string) =>
    unwrap(await listAuctions({ order: 'newest', limit: 10, words: [word] })).items.length

  test('finds the corrected title, and not the previous one', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    unwrap(await service.correctAuction({ auctionId: auction.id, title: 'Oak table', editor }))
    expect([await found(service, 'oak'), await found(service, 'desk')]).toEqual([1, 0])
    unwrap(await service.correctAuction({ auctionId: auction.id, title: 'Desk', editor }))
    expect([await found(service, 'oak'), await found(service, 'desk')]).toEqual([0, 1])
    unwrap(await service.correctAuction({ auctionId: auction.id, title: null, editor }))
    expect([await found(service, 'oak'), await found(service, 'desk')]).toEqual([0, 0])
  })

  test('has the words before the correction is recorded, and none of a correction that is not expected', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const { id: auctionId } = await createAuction(service, sample)
    calls.length = 0
    unwrap(await service.correctAuction({ auctionId, title: 'Oak desk', editor }))
    expect(calls.indexOf('addTitleWords')).toBeLessThan(calls.indexOf('append'))
    calls.length = 0
    await service.correctAuction({ auctionId, title: 'Pine desk', editor, isExpected: () => false })
    expect(calls).not.toContain('addTitleWords')
  })

  test.each(['after a bid', 'after a cancellation', 'after 20 others', 'with the key of another'])(
    'gets no words of a correction that is refused %s, so that its index has a bound',
    async (when) => {
      const { store, calls } = createCountingStore()
      const service = createTestService({ store })
      const { id: auctionId } = await createAuction(service, sample)
      const correct = (title: string, ...retry: [] | [ReturnType<typeof keyOf>]) =>
        service.correctAuction({ auctionId, title, editor }, ...retry)
      if (when === 'after a bid') unwrap(await service.placeBid(newBid({ id: auctionId }, 2, 100)))
      if (when === 'after a cancellation') unwrap(await service.cancelAuction({ auctionId }))
      if (when === 'after 20 others') for (let n = 1; n <= 20; n++) unwrap(await correct(`Title ${n}`))
      if (when === 'with the key of another') unwrap(await correct('Oak desk', keyOf('k')))
      calls.length = 0
      expect(codeOf(await correct('Pine desk', keyOf('k')))).not.toBe('accepted')
      expect(calls).not.toContain('addTitleWords')
    },
  )

  test('that cannot have the words stops the correction before it is recorded', async () => {
    const store = storeWith(() => ({ addTitleWords: async () => Promise.reject(noAnswer()) }))
    const service = createTestService({ store, limits: { maxTries: 1 } })
    const { id: auctionId } = await createAuction(service, sample)
    expect(await outcomeOf(service.correctAuction({ auctionId, title: 'Oak desk', editor }))).toBe('nothing-changed')
    expect(await ledgerOf(store, { id: auctionId })).toEqual([])
  })
})

describe('a correction with an expectation', () => {
  const titled = (title: string) => (view: AuctionView) => view.auction.title === title

  test('is refused unless the auction is as expected', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const correct = (title: string, expected: string) =>
      service.correctAuction({ auctionId: auction.id, title, editor, isExpected: titled(expected) })
    expect(codeOf(await correct('Oak desk', 'Chair'))).toBe('precondition-failed')
    expect(codeOf(await correct('Oak desk', 'Desk'))).toBe('accepted')
    expect(codeOf(await correct('Pine desk', 'Desk'))).toBe('precondition-failed')
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    expect(codeOf(await correct('Pine desk', 'Desk'))).toBe('auction-has-bids')
    expect(await ledgerOf(service.store, auction)).toHaveLength(2)
  })

  test('receives the whole view, with a corrected description', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    unwrap(await service.correctAuction({ auctionId: auction.id, description: 'Worn.', editor }))
    const views: AuctionView[] = []
    const isExpected = (view: AuctionView) => views.push(view) > 0
    const { sequence: _, ...before } = unwrap(await service.readAuction(auction.id))
    unwrap(await service.correctAuction({ auctionId: auction.id, title: 'Oak desk', editor, isExpected }))
    expect(views).toStrictEqual([before])
  })

  test.each(['one process', 'two processes'])('succeeds once, if several in %s expect the same', async (where) => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const other = where === 'one process' ? service : createTestService({ store: service.store })
    const correct = (process: typeof service, title: string) =>
      process.correctAuction({ auctionId: auction.id, title, editor, isExpected: titled('Desk') })
    const results = await Promise.all([correct(service, 'A'), correct(other, 'B'), correct(service, 'C')])
    expect(results.map(codeOf).toSorted()).toEqual(['accepted', 'precondition-failed', 'precondition-failed'])
    expect(await ledgerOf(service.store, auction)).toHaveLength(1)
  })

  test.each(['a correction', 'a bid', 'a cancellation'])(
    'is refused if %s is recorded after the read',
    async (what) => {
      const right = createPlainStore()
      const auction = await createAuction(createTestService({ store: right }), sample)
      const held = createHeldStore(right)
      const slow = createTestService({ store: held })
      const correct = { auctionId: auction.id, title: 'Oak desk', editor }
      const corrected = slow.correctAuction({ ...correct, isExpected: titled('Desk') })
      const append = await held.nextAppend()
      const service = createTestService({ store: right })
      if (what === 'a correction') unwrap(await service.correctAuction({ ...correct, description: 'Worn.' }))
      if (what === 'a bid') unwrap(await service.placeBid(newBid(auction, 2, 100)))
      if (what === 'a cancellation') unwrap(await service.cancelAuction({ auctionId: auction.id }))
      await append.release()
      const codes = { 'a correction': 'precondition-failed', 'a bid': 'auction-has-bids' } as Record<string, string>
      expect(codeOf(await corrected)).toBe(codes[what] ?? 'auction-cancelled')
      expect(await ledgerOf(right, auction)).toHaveLength(1)
    },
  )

  test('is refused if it waits behind two others', async () => {
    const held = createHeldStore(createPlainStore())
    const service = createTestService({ store: held })
    const auction = await createAuction(service, sample)
    const correction = { auctionId: auction.id, editor }
    const others = [service.correctAuction({ ...correction, title: 'A' })]
    const append = await held.nextAppend()
    others.push(service.correctAuction({ ...correction, title: 'B' }))
    const last = service.correctAuction({ ...correction, title: 'C', isExpected: titled('Desk') })
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
    await expect(
      service.correctAuction({ auctionId: auction.id, title: 'Oak desk', editor, isExpected }),
    ).rejects.toThrow('a bug of the caller')
    expect(await ledgerOf(service.store, auction)).toEqual([])
  })
})

describe('a correction with a key', () => {
  test('is made once, and returns the first result again, even after others and after the end', async () => {
    const service = createTestService()
    const auction = await createAuction(service, sample)
    const isExpected = ({ auction: { title } }: AuctionView) => title === 'Desk'
    const correct = (texts: object) =>
      service.correctAuction({ auctionId: auction.id, ...texts, editor, isExpected }, keyOf('k'))
    const texts = { title: 'Oak desk', description: 'Worn.' }
    const first = unwrap(await correct(texts))
    expect(await correct(texts)).toStrictEqual({ ok: true, value: first, isRepeated: true })
    unwrap(await service.correctAuction({ auctionId: auction.id, description: null, editor }))
    unwrap(await service.placeBid(newBid(auction, 2, 100)))
    const later = createTestService({ store: service.store })
    later.clock.set('2030-03-01T00:00:00Z')
    expect(
      await later.correctAuction({ auctionId: auction.id, ...texts, editor, isExpected }, keyOf('k')),
    ).toStrictEqual({ ok: true, value: first, isRepeated: true })
    expect(codeOf(await correct({ title: 'Oak desk' }))).toBe('idempotency-key-reused')
    expect(codeOf(await correct({ ...texts, title: null }))).toBe('idempotency-key-reused')
    expect((await ledgerOf(service.store, auction)).map(({ requestKey }) => requestKey)).toEqual([
      'correct-auction user-2 k',
      undefined,
      undefined,
    ])
  })
})

describe('the outcome of a correction is', () => {
  const correctionOf = (auctionId: Parameters<typeof newBid>[0]['id']) => ({ auctionId, title: 'Oak desk', editor })

  test('known if the auction cannot be read before it', async () => {
    const store = storeWith(() => ({ findHeads: async () => Promise.reject(noAnswer()) }))
    const auction = await createAuction(createTestService({ store }))
    const service = createTestService({ store, limits: { maxTries: 1 } })
    const correct = { ...correctionOf(auction.id), isExpected: () => true }
    expect(await outcomeOf(service.correctAuction(correct))).toBe('nothing-changed')
    expect(await ledgerOf(store, auction)).toEqual([])
  })

  test('unknown if the auction cannot be read after it', async () => {
    let isReadable = true
    const store = storeWith((right) => ({
      findEntries: async (ids) => (isReadable ? right.findEntries(ids) : Promise.reject(noAnswer())),
    }))
    const service = createTestService({ store, limits: { maxTries: 1 } })
    const auction = await createAuction(service)
    unwrap(await service.correctAuction({ auctionId: auction.id, description: 'Worn.', editor }))
    isReadable = false
    expect(await outcomeOf(service.correctAuction(correctionOf(auction.id), keyOf('k')))).toBe('unknown')
    isReadable = true
    expect(unwrap(await service.correctAuction(correctionOf(auction.id), keyOf('k'))).auction).toMatchObject({
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
    unwrap(await service.correctAuction({ auctionId: auction.id, description: 'Worn.', editor }))
    await expect(service.readAuction(auction.id)).rejects.toThrow('the corrected description in entry 1 is not stored')
  })
})

describe('a correction of a program is refused if', () => {
  test.each([
    ['it is nothing', undefined, 'a correction must be an object'],
    ['it has no auction', { title: 'A', editor }, 'the auctionId of a correction must be an integer from 1'],
    ['it has no editor', { auctionId: 1, title: 'A' }, 'the editor of a correction must be a string of 1 to 100'],
    ['its editor is empty', { auctionId: 1, title: 'A', editor: '' }, 'the editor of a correction must be a string'],
    ['it changes nothing', { auctionId: 1, editor }, 'a correction must contain a title, a description or both'],
    ['its title is empty', { auctionId: 1, title: '', editor }, 'the title of a correction must be a string of 1 to'],
    ['its title is a number', { auctionId: 1, title: 7, editor }, 'the title of a correction must be a string of 1'],
    [
      'its description is too long',
      { auctionId: 1, description: 'x'.repeat(10_001), editor },
      'the description of a correction must be a string of up to 10000 characters',
    ],
  ])('%s', async (_, correction, message) => {
    const service = createTestService()
    await createAuction(service)
    // A JavaScript program may pass anything.
    const error = await service.correctAuction(correction as never).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'invalid-value', message: expect.stringContaining(message) })
  })
})
