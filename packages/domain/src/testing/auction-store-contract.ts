import type { AuctionStore } from '../ports/auction-store.ts'
import { auctionListingContract } from './auction-listing-contract.ts'
import type { TestRunner } from './runner.ts'
import { type AuctionSample, sampleAuction, strangeTexts } from './samples.ts'
import { otherHandle, type StoreSubject, tamper, testsOf } from './subject.ts'

export type AuctionStoreSubject = StoreSubject<AuctionStore>

/** What every auction store must do, whatever it keeps auctions in. */
export function auctionStoreContract(runner: TestRunner, makeSubject: () => Promise<AuctionStoreSubject>): void {
  runner.describe('an auction store', () => {
    inserting(runner, makeSubject)
    keepingFields(runner, makeSubject)
    keepingToItself(runner, makeSubject)
    auctionListingContract(runner, makeSubject)
  })
}

type MakeSubject = () => Promise<AuctionStoreSubject>

function inserting(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('stores an auction, and finds and lists it', async ({ store }) => {
    const sample = { title: 'A vase', description: 'It is old.' }
    expect(await store.insert(sampleAuction(sample))).toBe('inserted')
    expect(await store.find(sampleAuction().id)).toStrictEqual(sampleAuction(sample))
    expect(await store.list({ limit: 10 })).toStrictEqual([sampleAuction(sample)])
  })

  test('knows nothing of an auction that was not inserted', async ({ store }) => {
    expect(await store.find(sampleAuction({ id: 1 }).id)).toBe(undefined)
    expect(await store.list({ limit: 10 })).toStrictEqual([])
    await store.insert(sampleAuction({ id: 11 }))
    expect(await store.find(sampleAuction({ id: 1 }).id)).toBe(undefined)
  })

  test('answers taken for an id that is stored, and keeps what is stored', async ({ store }) => {
    await store.insert(sampleAuction({ title: 'the first' }))
    expect(await store.insert(sampleAuction({ title: 'the first' }))).toBe('taken')
    expect(await store.insert(sampleAuction({ title: 'the second', createdAtMs: 1 }))).toBe('taken')
    expect(await store.find(sampleAuction().id)).toStrictEqual(sampleAuction({ title: 'the first' }))
    expect(await store.list({ limit: 10 })).toStrictEqual([sampleAuction({ title: 'the first' })])
  })

  test('lets exactly one of many concurrent inserts of an id win', async (subject) => {
    const stores = [subject.store, await otherHandle(subject)]
    const contenders = Array.from({ length: 10 }, (_, index) => ({ title: `contender ${index}` }))
    const inserts = contenders.map((sample, index) => stores[index % 2]?.insert(sampleAuction(sample)))
    const answers = await Promise.all(inserts)
    const winners = contenders.filter((_, index) => answers[index] === 'inserted')
    expect(winners.length).toBe(1)
    expect(answers.filter((answer) => answer === 'taken').length).toBe(9)
    expect(await subject.store.list({ limit: 10 })).toStrictEqual(winners.map(sampleAuction))
  })

  test('shows what was inserted to another handle at once', async (subject) => {
    const other = await otherHandle(subject)
    for (let id = 1; id <= 5; id++) {
      await subject.store.insert(sampleAuction({ id }))
      expect(await other.find(sampleAuction({ id }).id)).toStrictEqual(sampleAuction({ id }))
      expect((await other.list({ limit: 10 })).length).toBe(id)
      expect(await other.insert(sampleAuction({ id }))).toBe('taken')
    }
  })
}

function keepingFields(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  const keeps = (name: string, samples: readonly AuctionSample[]): void =>
    test(name, async ({ store }) => {
      for (const sample of samples) {
        await store.insert(sampleAuction(sample))
        expect(await store.find(sampleAuction(sample).id)).toStrictEqual(sampleAuction(sample))
      }
      const newestFirst = samples.toReversed().map(sampleAuction)
      expect(await store.list({ limit: samples.length })).toStrictEqual(newestFirst)
    })

  keeps('keeps an absent title or description absent', [
    { id: 1 },
    { id: 2, title: 'only a title' },
    { id: 3, description: 'only a description' },
    { id: 4, description: '' },
  ])
  keeps(
    'keeps texts as they are, to the last character',
    strangeTexts.map((text, index) => ({ id: index + 1, title: text, description: `${text}${text}` })),
  )
  keeps('keeps the longest texts', [{ title: '🏺'.repeat(200), description: '🏺'.repeat(10_000) }])
  keeps('keeps the least and the greatest numbers exact', [
    { id: 1, productId: 1, ownerId: 1, startingPriceMinor: 0, minimumBidIncrementMinor: 1, createdAtMs: 0 },
    { id: 2, startingPriceMinor: 2 ** 31, minimumBidIncrementMinor: 2 ** 32 + 1, createdAtMs: 2 ** 31 },
    {
      id: Number.MAX_SAFE_INTEGER,
      productId: Number.MAX_SAFE_INTEGER - 2,
      ownerId: Number.MAX_SAFE_INTEGER,
      startingPriceMinor: 1e15 - 1,
      minimumBidIncrementMinor: 1e15 - 2,
      createdAtMs: 253_402_300_799_999,
    },
  ])
  keeps('keeps times as they were written', [
    { id: 1, startTime: '2030-01-31T12:00:00.123456789Z', endTime: '2030-01-31T12:00:00.124000000Z' },
    { id: 2, startTime: '2030-01-31T12:00:00.000Z', endTime: '2030-01-31T12:00:00.5Z' },
    { id: 3, startTime: '0001-01-01T00:00:00Z', endTime: '9999-12-31T23:59:59.999999999Z' },
  ])
  keeps('keeps the currency', [
    { id: 1, currency: 'JPY' },
    { id: 2, currency: 'KWD' },
    { id: 3, currency: 'EUR' },
  ])
  keeps('keeps a currency that has left ISO 4217, or has another exponent there by now', [
    { id: 1, currency: 'DEM', currencyExponent: 2 },
    { id: 2, currency: 'USD', currencyExponent: 0 },
    { id: 3, currency: 'JPY', currencyExponent: 4 },
    { id: 4, currency: 'MGA', currencyExponent: 1 },
  ])
}

function keepingToItself(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('is not changed by what becomes of an auction that was passed in', async ({ store }) => {
    const passed = sampleAuction({ title: 'A vase' })
    await store.insert(passed)
    tamper(passed)
    expect(await store.find(sampleAuction().id)).toStrictEqual(sampleAuction({ title: 'A vase' }))
    expect(await store.list({ limit: 10 })).toStrictEqual([sampleAuction({ title: 'A vase' })])
  })

  test('is not changed by what becomes of its answers', async ({ store }) => {
    await store.insert(sampleAuction({ title: 'A vase' }))
    tamper(await store.find(sampleAuction().id))
    tamper(await store.list({ limit: 10 }))
    expect(await store.find(sampleAuction().id)).toStrictEqual(sampleAuction({ title: 'A vase' }))
    expect(await store.list({ limit: 10 })).toStrictEqual([sampleAuction({ title: 'A vase' })])
  })
}
