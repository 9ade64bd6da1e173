import { describe, expect, test } from 'vitest'
import type { Auction } from '../src/auction/auction.ts'
import type { Entry } from '../src/ledger/entry.ts'
import { parseStoredAuction, parseStoredEntry, storedVersion, withoutKey } from '../src/stored.ts'
import {
  sampleAuction,
  sampleClosed,
  sampleEntries,
  sampleEntry,
  sampleKey,
  strangeTexts,
} from '../src/testing/samples.ts'

/** What a store reads of something that it was given: all of it, made of nothing but JSON, and the version beside it. */
const read = (value: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify({ version: storedVersion, ...value }))

/** The same with one field changed, or left out, by its path. */
function changed(value: object, path: string, change: unknown): unknown {
  const whole = read(value)
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.reduce<unknown>((part, name) => Reflect.get(part as object, name), whole) as object // Each part is there.
  if (change === undefined) Reflect.deleteProperty(holder, last)
  else Reflect.set(holder, last, change)
  return whole
}

describe('a stored entry', () => {
  test.each<readonly [string, Entry]>([
    ['a bid', sampleEntry()],
    ['a bid with a key', sampleEntry({ requestKey: 'a' })],
    [
      'a bid of greatest numbers',
      sampleEntry({ id: 2 ** 53 - 1, auctionId: 2 ** 53 - 1, bidderId: 2 ** 53 - 1, amountMinor: 1e15 - 1 }),
    ],
    ['a bid of a currency that is gone', sampleEntry({ currency: 'DEM', currencyExponent: 3 })],
    ['a bid of before 1970', sampleEntry({ atMs: -1 })],
    ['an end with a sale', sampleClosed({ id: 4, sequence: 4, requestKey: 'b' })],
    ['an end without a bid', sampleClosed()],
    ...sampleEntries(3).map((entry) => [`the entry of sequence ${entry.sequence}`, entry] as const),
  ])('is read as it was given: %s', (_, entry) => {
    expect(parseStoredEntry(read(entry))).toStrictEqual(entry)
  })

  test('drops what a store keeps beside it', () => {
    const parsed = parseStoredEntry({ ...read(sampleEntry()), _id: 'x', bucket: 7 })
    expect(parsed).toStrictEqual(sampleEntry())
  })

  const sold = sampleClosed({ id: 2, sequence: 2 })
  test.each([
    [sampleEntry(), 'version', 2],
    [sampleEntry(), 'version', undefined],
    [sampleEntry(), 'id', 0],
    [sampleEntry(), 'id', '1'],
    [sampleEntry(), 'auctionId', undefined],
    [sampleEntry(), 'sequence', 0],
    [sampleEntry(), 'sequence', 1.5],
    [sampleEntry(), 'atMs', 0.5],
    [sampleEntry(), 'atMs', 2 ** 53],
    [sampleEntry(), 'requestKey', null],
    [sampleEntry(), 'requestKey', 7],
    [sampleEntry(), 'currency', 'USD'],
    [sampleEntry(), 'currency.code', 'usd'],
    [sampleEntry(), 'currency.exponent', 9],
    [sampleEntry(), 'currency.exponent', undefined],
    [sampleEntry(), 'event', undefined],
    [sampleEntry(), 'event.type', 'bought'],
    [sampleEntry(), 'event.bidderId', 0],
    [sampleEntry(), 'event.amountMinor', -1],
    [sampleEntry(), 'event.amountMinor', undefined],
    [sampleEntry(), 'state', null],
    [sampleEntry(), 'state.phase', 'sold'],
    [sampleEntry(), 'state.bidCount', -1],
    [sampleEntry(), 'state.leader', undefined],
    [sampleEntry(), 'state.leader.amountMinor', 0.5],
    [sampleEntry(), 'state.leader.bidId', undefined],
    [sampleEntry(), 'state.atMs', '0'],
    [sold, 'event.result', undefined],
    [sold, 'event.result.outcome', 'cancelled'],
    [sold, 'event.result.priceMinor', undefined],
    [sold, 'state.result', undefined],
    [sold, 'state.result.winnerId', 1.5],
    [sampleClosed(), 'state.result.reason', 'reserve-not-met'],
  ])('is refused with its id and the faulty field: %#, %s, %j', (entry, path, change) => {
    expect(() => parseStoredEntry(changed(entry, path, change))).toThrow(
      `the stored entry ${path === 'id' ? change : entry.id} has a faulty field ${path}: `,
    )
  })

  test.each([undefined, null, 7, 'entry', []])('is an object, and not %j', (data) => {
    expect(() => parseStoredEntry(data)).toThrow('the stored entry without an id has a faulty field')
  })
})

describe('a stored auction', () => {
  test.each<readonly [string, Auction]>([
    ['with texts', sampleAuction({ title: 'A vase', description: '' })],
    ['without texts', sampleAuction()],
    [
      'of greatest numbers',
      sampleAuction({ id: 2 ** 53 - 1, startingPriceMinor: 1e15 - 1, minimumBidIncrementMinor: 1e15 - 1 }),
    ],
    ['of least numbers', sampleAuction({ startingPriceMinor: 0, minimumBidIncrementMinor: 1, createdAtMs: 0 })],
    ['of a currency with another exponent than today', sampleAuction({ currency: 'USD', currencyExponent: 0 })],
    [
      'of the first and the last moment',
      sampleAuction({ startTime: '0001-01-01T00:00:00Z', endTime: '9999-12-31T23:59:59.999999999Z' }),
    ],
    ...strangeTexts.map((text) => [`titled ${text}`, sampleAuction({ title: text })] as const),
  ])('is read as it was given: %s', (_, auction) => {
    expect(parseStoredAuction(read(auction))).toStrictEqual(auction)
  })

  test('is read though nobody may offer one like it any more', () => {
    const old = {
      ...sampleAuction({ currency: 'DEM', currencyExponent: 2 }),
      title: 'x'.repeat(1_000),
      startTime: { iso: '2030-01-31T13:00:00+01:00', epochMs: Date.UTC(2030, 0, 31, 12) },
    }
    expect(parseStoredAuction(read(old))).toStrictEqual(old)
  })

  test('is read without the key of its request, and what a store keeps beside it', () => {
    const data = { ...read(sampleAuction()), requestKey: sampleKey('a'), _id: 1 }
    expect(parseStoredAuction(data)).toStrictEqual(sampleAuction())
  })

  test.each([
    ['version', 0],
    ['id', undefined],
    ['id', -1],
    ['productId', '7'],
    ['ownerId', null],
    ['title', null],
    ['title', 7],
    ['description', {}],
    ['startingPriceMinor', -1],
    ['minimumBidIncrementMinor', 0.5],
    ['currency', undefined],
    ['currency.code', 'US'],
    ['startTime', '2030-01-31T12:00:00Z'],
    ['startTime.epochMs', '0'],
    ['endTime', undefined],
    ['endTime.iso', undefined],
    ['createdAtMs', Number.MAX_SAFE_INTEGER + 1],
    ['createdAtMs', undefined],
  ])('is refused with its id and the faulty field: %s, %j', (path, change) => {
    const id = path !== 'id' ? 1 : change === undefined ? 'without an id' : change
    expect(() => parseStoredAuction(changed(sampleAuction({ title: 'A vase' }), path, change))).toThrow(
      `the stored auction ${id} has a faulty field ${path}: `,
    )
  })

  test('is refused when a time is not the number beside it', () => {
    const endTime = { iso: '2030-02-07T12:00:00Z', epochMs: 0 }
    expect(() => parseStoredAuction({ ...read(sampleAuction()), endTime })).toThrow(
      'the stored auction 1 has a faulty field endTime: the number is not that of the text',
    )
  })
})

test('an auction is shown without its key, and else as it is', () => {
  const auction = sampleAuction({ title: 'A vase' })
  expect(withoutKey({ ...auction, requestKey: sampleKey('a') })).toStrictEqual(auction)
  expect(withoutKey(auction)).toStrictEqual(auction)
})
