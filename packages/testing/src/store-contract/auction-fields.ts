import type { Auction } from '@auction/domain/auction'
import {
  type AuctionSample,
  sampleAuction,
  sampleFallingAuction,
  sampleSealedAuction,
  strangeTexts,
} from '../samples.ts'
import { creationKey, findByKey, listed, withoutDescription } from './helpers.ts'
import type { Suite } from './suite.ts'

const softCloseUntil = (latestEndTime: string) => ({ windowSeconds: 1, extensionSeconds: 1, latestEndTime })

const steps = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ fromPriceMinor: index + 1, incrementMinor: 5_00 + index }))

type Keeps = (name: string, samples: readonly AuctionSample[], make?: (sample: AuctionSample) => Auction) => void

/** Every read returns an auction as it was inserted, and every list returns it without its description. */
export function auctionFields(suite: Suite): void {
  const keeps = createKeeps(suite)
  requiredFields(keeps)
  optionalFields(keeps)
  increments(keeps)
}

function createKeeps({ test, expect }: Suite): Keeps {
  return (name, samples, make = sampleAuction) =>
    test(name, async ({ store }) => {
      for (const [index, sample] of samples.entries()) {
        const key = creationKey(`${index}`)
        expect(await store.insertAuction({ ...make(sample), requestKey: key })).toBe('inserted')
        expect(await store.findAuction(make(sample).id)).toStrictEqual(make(sample))
        expect(await findByKey(store, key)).toStrictEqual(withoutDescription(make(sample)))
      }
      const expected = samples.map((sample) => withoutDescription(make(sample)))
      expect(await listed(store)).toStrictEqual(expected.toReversed())
      const onAgenda = await listed(store, { order: 'agenda' })
      for (const auction of expected) {
        expect(onAgenda.find(({ id }) => id === auction.id)).toStrictEqual(auction)
      }
    })
}

function requiredFields(keeps: Keeps): void {
  keeps('keeps an absent title or description absent', [
    { id: 1 },
    { id: 2, title: 'only a title' },
    { id: 3, description: 'only a description' },
    { id: 4, description: '' },
  ])
  keeps(
    'keeps every character of texts',
    strangeTexts.map((text, index) => ({ id: index + 1, title: text, description: `${text}${text}` })),
  )
  keeps('keeps the longest texts', [{ title: '🏺'.repeat(200), description: '🏺'.repeat(10_000) }])
  keeps('keeps the smallest and largest numbers of an auction exact', [
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
  // In the local time of New York and of Berlin, the times of each pair are equal. A store that keeps local times fails
  // when the tests run in such a time zone.
  keeps('distinguishes the two hours with one local time at the end of summer time', [
    { id: 1, createdAtMs: Date.parse('2030-10-27T00:30:00Z'), endTime: '2030-10-27T00:30:00Z' },
    { id: 2, createdAtMs: Date.parse('2030-10-27T01:30:00Z'), endTime: '2030-10-27T01:30:00Z' },
    { id: 3, createdAtMs: Date.parse('2030-11-03T05:30:00Z'), endTime: '2030-11-03T05:30:00Z' },
    { id: 4, createdAtMs: Date.parse('2030-11-03T06:30:00Z'), endTime: '2030-11-03T06:30:00Z' },
  ])
  keeps('keeps the currency of an auction', [
    { id: 1, currency: 'JPY' },
    { id: 2, currency: 'KWD' },
    { id: 3, currency: 'EUR' },
  ])
  keeps('keeps the currency of an auction after ISO 4217 removes it or changes its exponent', [
    { id: 1, currency: 'DEM', currencyExponent: 2 },
    { id: 2, currency: 'USD', currencyExponent: 0 },
    { id: 3, currency: 'JPY', currencyExponent: 4 },
    { id: 4, currency: 'MGA', currencyExponent: 1 },
  ])
}

function optionalFields(keeps: Keeps): void {
  keeps('keeps a soft close, and its latest end as it was written', [
    { id: 1, softClose: softCloseUntil('2030-02-07T12:00:00.001Z') },
    { id: 2, softClose: softCloseUntil('2030-02-07T12:00:00.500000000Z') },
    { id: 3, softClose: { ...softCloseUntil('2030-02-07T12:30:00.999999999Z'), windowSeconds: 604_800 } },
    { id: 4, softClose: { ...softCloseUntil('2030-02-14T12:00:00.0Z'), extensionSeconds: 604_800 } },
    {
      id: 5,
      startTime: '0001-01-01T00:00:00Z',
      endTime: '9999-12-31T23:59:59.9Z',
      softClose: softCloseUntil('9999-12-31T23:59:59.999999999Z'),
    },
  ])
  keeps('keeps a reserve and a buy-now price exact', [
    { id: 1, reservePriceMinor: 0, startingPriceMinor: 0 },
    { id: 2, reservePriceMinor: 1e15 - 1 },
    { id: 3, buyNowPriceMinor: 1, startingPriceMinor: 0 },
    { id: 4, buyNowPriceMinor: 1e15 - 1, reservePriceMinor: 1e15 - 2 },
    { id: 5, buyNowPriceMinor: 2 ** 32 + 1, reservePriceMinor: 2 ** 31 },
  ])
  keeps('keeps whether an auction is cancellable, and the absence of that field', [
    { id: 1, cancellableUntilEnd: true },
    { id: 2, cancellableUntilEnd: false },
    { id: 3 },
  ])
  keeps('keeps who may bid, and what an auction comes from', [
    { id: 1, registerId: 7, registerAdmits: 'listed' },
    { id: 2, registerId: Number.MAX_SAFE_INTEGER, registerAdmits: 'everyone', showPaddles: true },
    { id: 3, registerId: 7, registerAdmits: 'listed', showPaddles: false, relistOf: 1 },
    { id: 4, relistOf: Number.MAX_SAFE_INTEGER },
    { id: 5, offerOf: 1, offeredTo: Number.MAX_SAFE_INTEGER },
  ])
  keeps('keeps the sale of a lot, its number and the entry of the sale', [
    { id: 1, saleId: 7, lot: '12A', saleSequence: 0 },
    { id: 2, saleId: Number.MAX_SAFE_INTEGER, lot: '99999', saleSequence: Number.MAX_SAFE_INTEGER },
  ])
  keeps('keeps the metadata of an auction', [
    { id: 1, metadata: { pictureUrl: 'https://pictures.example/1.jpg', 'shop.lot-number': '17', _: '' } },
    { id: 2, metadata: {} },
    // Names that stores or programs may give a meaning.
    {
      id: 3,
      metadata: {
        constructor: 'a',
        prototype: 'b',
        toString: 'c',
        _id: 'd',
        'a.b': 'e',
        a: 'f',
        '.': 'g',
        '-1': 'h',
        7: 'i',
      },
    },
    { id: 4, metadata: Object.fromEntries(strangeTexts.map((text, index) => [`text-${index}`, text])) },
  ])
}

function increments(keeps: Keeps): void {
  keeps('keeps the steps of increments exact, in their order', [
    { id: 1, incrementSteps: [{ fromPriceMinor: 0, incrementMinor: 5_00 }] },
    {
      id: 2,
      incrementSteps: [
        { fromPriceMinor: 9, incrementMinor: 5_00 },
        { fromPriceMinor: 10, incrementMinor: 2 ** 32 + 1 },
        { fromPriceMinor: 2 ** 31, incrementMinor: 2 ** 32 + 1 },
        { fromPriceMinor: 1e15 - 1, incrementMinor: 1e15 - 2 },
      ],
    },
    { id: 3, incrementSteps: steps(20) },
  ])
  keeps('keeps a ladder exact, in its order', [
    { id: 1, bidSteps: [{ fromPriceMinor: 0, amountsMinor: [5_00] }] },
    {
      id: 2,
      bidSteps: [
        { fromPriceMinor: 2 ** 31, amountsMinor: [1, 9, 10, 2 ** 32 + 1] },
        { fromPriceMinor: 1e15 - 1, amountsMinor: [1e15 - 2, 1e15 - 1] },
      ],
      onlySteps: true,
    },
  ])
  const most = {
    startingPrice: 9_999_999_999_999.99,
    falling: { decrement: 0.01, intervalSeconds: 86_400, floorPrice: 0 },
  }
  // The casts: the samples are of that format.
  const falling = [{ id: 1 }, { id: 2, ...most, cancellableUntilEnd: true }] as unknown as readonly AuctionSample[]
  keeps('keeps an auction whose price falls, with its format', falling, sampleFallingAuction as () => Auction)
  const sealed = [
    { id: 1 },
    { id: 2, pricing: 'first', reveal: 'bids', reservePrice: 9_999_999_999_999.99, key: 'é 🏺' },
  ]
  keeps(
    'keeps an auction with sealed bids, with its format and the name of its key',
    sealed as unknown as readonly AuctionSample[],
    sampleSealedAuction as () => Auction,
  )
  keeps('keeps an increment in percent, and the maximum increment', [
    { id: 1, incrementBasisPoints: 1 },
    { id: 2, incrementBasisPoints: 10_000, maximumBidIncrementMinor: 1e15 - 1 },
    { id: 3, maximumBidIncrementMinor: 2 ** 32 + 1 },
  ])
  keeps('keeps all optional fields of one auction together', [
    {
      metadata: { color: 'blue' },
      softClose: softCloseUntil('2030-02-07T13:00:00Z'),
      reservePriceMinor: 200_00,
      buyNowPriceMinor: 900_00,
      cancellableUntilEnd: true,
      incrementSteps: steps(2),
      maximumBidIncrementMinor: 900_00,
      title: 'A vase',
    },
  ])
}
