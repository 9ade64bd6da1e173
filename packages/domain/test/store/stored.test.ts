import {
  type AuctionSample,
  sampleAuction,
  sampleClosed,
  sampleEntries,
  sampleEntry,
  sampleKey,
  strangeTexts,
} from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import type { Entry } from '../../src/auction/entry.ts'
import { parseStoredAuction, parseStoredEntry, storedVersion, withoutKey } from '../../src/store/stored.ts'
import { toBidId } from '../../src/values/ids.ts'
import { bid, buy, cancel, close, endMs, marginMs, play, type Step, termsWith } from '../auction/play.ts'

/** Returns a value as a store reads it: complete, as plain JSON, with the version added. */
const read = (value: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify({ version: storedVersion, ...value }))

/** Returns a copy with the field at `path` changed or left out. */
function changed(value: object, path: string, change: unknown): unknown {
  const whole = read(value)
  const names = path.split('.')
  const last = names.pop() ?? ''
  const holder = names.reduce<unknown>((part, name) => Reflect.get(part as object, name), whole) as object // Each part exists.
  if (change === undefined) Reflect.deleteProperty(holder, last)
  else Reflect.set(holder, last, change)
  return whole
}

const allFormats = {
  softClose: { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T13:00:00Z' },
  reservePriceMinor: 150_00,
  buyNowPriceMinor: 400_00,
  cancellableUntilEnd: true,
}

/** The entries of an auction with all formats, whose reserve is 250 yen, after the given commands. */
function entriesOf(...steps: readonly Step[]): readonly Entry[] {
  const terms = termsWith({ ...allFormats, reservePriceMinor: 250, buyNowPriceMinor: 400 })
  return play(terms, ...steps).map((played, index) => {
    if (!played.ok) throw new Error(`it was refused: ${JSON.stringify(played.refusal)}`)
    const { event, state, nowMs: atMs } = played
    const sequence = index + 1
    const id = toBidId(sequence * 10)
    return { id, auctionId: terms.id, sequence, atMs, currency: terms.currency, event, state }
  })
}

describe('a stored entry', () => {
  test.each<readonly [string, Entry]>([
    ['a bid', sampleEntry()],
    ['a bid with a key', sampleEntry({ requestKey: 'a' })],
    [
      'a bid with the largest numbers',
      sampleEntry({ id: 2 ** 53 - 1, auctionId: 2 ** 53 - 1, bidderId: 2 ** 53 - 1, amountMinor: 1e15 - 1 }),
    ],
    ['a bid in a withdrawn currency', sampleEntry({ currency: 'DEM', currencyExponent: 3 })],
    ['a bid before 1970', sampleEntry({ atMs: -1 })],
    ['an end with a sale', sampleClosed({ id: 4, sequence: 4, requestKey: 'b' })],
    ['an end without a bid', sampleClosed()],
    ...sampleEntries(3).map((entry) => [`the entry of sequence ${entry.sequence}`, entry] as const),
  ])('is read as it was written: %s', (_, entry) => {
    expect(parseStoredEntry(read(entry))).toStrictEqual(entry)
  })

  const lateMs = endMs - 1

  test.each<readonly [string, readonly Step[]]>([
    ['a bid', [bid(2, 105)]],
    ['a bid after another', [bid(2, 105), bid(3, 110)]],
    ['the end without a bid', [[close, endMs + marginMs]]],
    ['the end with a bid', [bid(2, 105), [close, endMs + marginMs]]],
    ['a bid that outbids a maximum', [bid(2, 105, 200), bid(3, 300)]],
    ['a bid with a maximum', [bid(2, 105, 200)]],
    ['a bid with a maximum that is its amount', [bid(2, 105, 105)]],
    ['a bid below a maximum', [bid(2, 105, 200), bid(3, 110)]],
    ['a bid equal to a maximum', [bid(2, 105, 200), bid(3, 200)]],
    ['a bid of a leader who keeps the maximum', [bid(2, 105, 200), bid(2, 110)]],
    ['a raised maximum', [bid(2, 105, 200), bid(2, 105, 300)]],
    ['a raised maximum that meets the reserve', [bid(2, 105), bid(2, 105, 500)]],
    ['a bid that moves the end', [[bid(2, 105), lateMs]]],
    [
      'a bid after one that has moved the end',
      [
        [bid(2, 105), lateMs],
        [bid(3, 110), lateMs],
      ],
    ],
    ['a purchase', [bid(2, 105), buy(3)]],
    ['a cancellation', [cancel()]],
    ['a cancellation with a reason', [bid(2, 105), cancel(1, 'It broke.')]],
    [
      'the end after bids have moved it',
      [
        [bid(2, 105), lateMs],
        [close, endMs + 1e6],
      ],
    ],
    ['the end with a maximum that is left', [bid(2, 105, 200), [close, endMs + marginMs]]],
  ])('is read as it was written: %s', (_, steps) => {
    const entries = entriesOf(...steps)
    expect(entries.map((entry) => parseStoredEntry(read(entry)))).toStrictEqual(entries)
  })

  const [met, extended, bought] = [
    entriesOf(bid(2, 105, 200), bid(3, 110)).at(-1) ?? sampleEntry(),
    entriesOf([bid(2, 105), lateMs]).at(-1) ?? sampleEntry(),
    entriesOf(buy(3)).at(-1) ?? sampleEntry(),
  ]
  test.each([
    [met, 'event.automatic.bidderId', undefined],
    [met, 'event.automatic.amountMinor', -1],
    [met, 'event.automatic', null],
    [met, 'event.maximumMinor', '7'],
    [met, 'state.leader.maximumMinor', 0.5],
    [met, 'state.extendedEndMs', null],
    [extended, 'event.extendedEndMs', '7'],
    [extended, 'state.extendedEndMs', 0.5],
    [bought, 'event.buyerId', 0],
    [bought, 'event.priceMinor', undefined],
    [bought, 'state.result.buyerId', undefined],
    [bought, 'state.result.outcome', 'given away'],
  ])('is refused for an invalid part of a format: %#, %s, %j', (entry, path, change) => {
    expect(() => parseStoredEntry(changed(entry, path, change))).toThrow(
      `the stored entry ${entry.id} of auction 1 has an invalid field ${path}: `,
    )
  })

  test('ignores additional fields of a store', () => {
    const parsed = parseStoredEntry({ ...read(sampleEntry()), _id: 'x', bucket: 7 })
    expect(parsed).toStrictEqual(sampleEntry())
  })

  const sold = sampleClosed({ id: 2, sequence: 2 })
  test.each([
    [sampleEntry(), 'version', 2],
    [sampleEntry(), 'version', undefined],
    [sampleEntry(), 'id', 0],
    [sampleEntry(), 'auctionId', undefined],
    [sampleEntry(), 'sequence', 0],
    [sampleEntry(), 'atMs', 0.5],
    [sampleEntry(), 'requestKey', null],
    [sampleEntry(), 'currency.code', 'usd'],
    [sampleEntry(), 'currency.exponent', undefined],
    [sampleEntry(), 'event', undefined],
    [sampleEntry(), 'event.type', 'sold'],
    [sampleEntry(), 'event.bidderId', 0],
    [sampleEntry(), 'event.amountMinor', -1],
    [sampleEntry(), 'state', null],
    [sampleEntry(), 'state.phase', 'sold'],
    [sampleEntry(), 'state.bidCount', -1],
    [sampleEntry(), 'state.leader', undefined],
    [sampleEntry(), 'state.leader.amountMinor', 0.5],
    [sampleEntry(), 'state.leader.bidId', undefined],
    [sold, 'event.result', undefined],
    [sold, 'event.result.outcome', 'cancelled'],
    [sold, 'event.result.priceMinor', undefined],
    [sold, 'state.result', undefined],
    [sold, 'state.result.winnerId', 1.5],
    [sampleClosed(), 'state.result.reason', 'withdrawn'],
    [sampleClosed(), 'event.result.reason', undefined],
  ])('is refused with its id and the invalid field: %#, %s, %j', (entry, path, change) => {
    expect(() => parseStoredEntry(changed(entry, path, change))).toThrow(
      new RegExp(
        `the stored entry ${path === 'id' ? change : entry.id}${path === 'auctionId' ? '' : ' of auction 1'} has an invalid field ${path}: `,
      ),
    )
  })

  test.each([undefined, null, 7, 'entry', []])('must be an object, not %j', (data) => {
    expect(() => parseStoredEntry(data)).toThrow('the stored entry without an id has an invalid ')
  })
})

describe('a stored auction', () => {
  test.each<readonly [string, Auction]>([
    ['with texts', sampleAuction({ title: 'A vase', description: '' })],
    ['without texts', sampleAuction()],
    [
      'with the largest numbers',
      sampleAuction({ id: 2 ** 53 - 1, startingPriceMinor: 1e15 - 1, minimumBidIncrementMinor: 1e15 - 1 }),
    ],
    ['of the smallest numbers', sampleAuction({ startingPriceMinor: 0, minimumBidIncrementMinor: 1, createdAtMs: 0 })],
    ['of a currency with another exponent than today', sampleAuction({ currency: 'USD', currencyExponent: 0 })],
    [
      'with the first and the last moment',
      sampleAuction({ startTime: '0001-01-01T00:00:00Z', endTime: '9999-12-31T23:59:59.999999999Z' }),
    ],
    ...strangeTexts.map((text) => [`titled ${text}`, sampleAuction({ title: text })] as const),
  ])('is read as it was written: %s', (_, auction) => {
    expect(parseStoredAuction(read(auction))).toStrictEqual(auction)
  })

  test.each<readonly [string, AuctionSample]>([
    ['a soft close', { softClose: allFormats.softClose }],
    ['a reserve', { reservePriceMinor: 150_00 }],
    ['a reserve of zero', { reservePriceMinor: 0 }],
    ['a buy-now price', { buyNowPriceMinor: 400_00 }],
    ['cancellableUntilEnd', { cancellableUntilEnd: true }],
    ['cancellableUntilEnd set to false', { cancellableUntilEnd: false }],
    ['all formats', allFormats],
  ])('is read as it was written with %s', (_, formats) => {
    const auction = sampleAuction(formats)
    expect(parseStoredAuction(read(auction))).toStrictEqual(auction)
  })

  test('is read even if requests may no longer contain its values', () => {
    const old = {
      ...sampleAuction({ currency: 'DEM', currencyExponent: 2 }),
      title: 'x'.repeat(1_000),
      startTime: { iso: '2030-01-31T13:00:00+01:00', epochMs: Date.UTC(2030, 0, 31, 12) },
    }
    expect(parseStoredAuction(read(old))).toStrictEqual(old)
  })

  test('is read without its request key and additional fields of a store', () => {
    const data = { ...read(sampleAuction()), requestKey: sampleKey('a'), _id: 1 }
    expect(parseStoredAuction(data)).toStrictEqual(sampleAuction())
  })

  test.each([
    ['version', 2],
    ['version', undefined],
    ['id', undefined],
    ['productId', '7'],
    ['ownerId', null],
    ['title', null],
    ['description', {}],
    ['startingPriceMinor', -1],
    ['minimumBidIncrementMinor', 0.5],
    ['currency', undefined],
    ['currency.code', 'US'],
    ['startTime', '2030-01-31T12:00:00Z'],
    ['startTime.epochMs', '0'],
    ['endTime', undefined],
    ['endTime.iso', undefined],
    ['softClose', null],
    ['softClose.windowSeconds', -1],
    ['softClose.extensionSeconds', 0.5],
    ['softClose.latestEndTime', '2030-02-07T13:00:00Z'],
    ['reservePriceMinor', null],
    ['buyNowPriceMinor', 0.5],
    ['cancellableUntilEnd', 1],
    ['createdAtMs', undefined],
  ])('is refused with its id and the invalid field: %s, %j', (path, change) => {
    const id = path !== 'id' ? 1 : change === undefined ? 'without an id' : change
    expect(() => parseStoredAuction(changed(sampleAuction({ title: 'A vase', ...allFormats }), path, change))).toThrow(
      `the stored auction ${id} has an invalid field ${path}: `,
    )
  })

  test('is refused if a time does not match its number', () => {
    const endTime = { iso: '2030-02-07T12:00:00Z', epochMs: 0 }
    expect(() => parseStoredAuction({ ...read(sampleAuction()), endTime })).toThrow(
      'the stored auction 1 has an invalid field endTime: epochMs does not match iso',
    )
  })
})

test('an auction is returned without its key, and otherwise unchanged', () => {
  const auction = sampleAuction({ title: 'A vase' })
  expect(withoutKey({ ...auction, requestKey: sampleKey('a') })).toStrictEqual(auction)
  expect(withoutKey(auction)).toStrictEqual(auction)
})
