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

const incrementSteps = [
  { fromPriceMinor: 200_00, incrementMinor: 10_00 },
  { fromPriceMinor: 200_01, incrementMinor: 10_00 },
]
const allFormats = {
  softClose: { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T13:00:00Z' },
  incrementSteps,
  maximumBidIncrementMinor: 100_00,
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

  test.each<{ readonly title: string; readonly steps: readonly Step[] }>([
    { title: 'a bid', steps: [bid(2, 105)] },
    { title: 'a bid after another', steps: [bid(2, 105), bid(3, 110)] },
    { title: 'the end without a bid', steps: [[close, endMs + marginMs]] },
    { title: 'the end with a bid', steps: [bid(2, 105), [close, endMs + marginMs]] },
    { title: 'a bid that outbids a maximum', steps: [bid(2, 105, 200), bid(3, 300)] },
    { title: 'a bid with a maximum', steps: [bid(2, 105, 200)] },
    { title: 'a bid with a maximum that is its amount', steps: [bid(2, 105, 105)] },
    { title: 'a bid below a maximum', steps: [bid(2, 105, 200), bid(3, 110)] },
    { title: 'a bid equal to a maximum', steps: [bid(2, 105, 200), bid(3, 200)] },
    { title: 'a bid of a leader who keeps the maximum', steps: [bid(2, 105, 200), bid(2, 110)] },
    { title: 'a raised maximum', steps: [bid(2, 105, 200), bid(2, 105, 300)] },
    { title: 'a raised maximum that meets the reserve', steps: [bid(2, 105), bid(2, 105, 500)] },
    { title: 'a bid that moves the end', steps: [[bid(2, 105), lateMs]] },
    {
      title: 'a bid after one that has moved the end',
      steps: [
        [bid(2, 105), lateMs],
        [bid(3, 110), lateMs],
      ],
    },
    { title: 'a purchase', steps: [bid(2, 105), buy(3)] },
    { title: 'a cancellation', steps: [cancel()] },
    { title: 'a cancellation with a reason', steps: [bid(2, 105), cancel(1, 'It broke.')] },
    {
      title: 'the end after bids have moved it',
      steps: [
        [bid(2, 105), lateMs],
        [close, endMs + 1e6],
      ],
    },
    { title: 'the end with a maximum that is left', steps: [bid(2, 105, 200), [close, endMs + marginMs]] },
  ])('is read as it was written: $title', ({ steps }) => {
    const entries = entriesOf(...steps)
    expect(entries.map((entry) => parseStoredEntry(read(entry)))).toStrictEqual(entries)
  })

  const [met, extended, bought] = [
    entriesOf(bid(2, 105, 200), bid(3, 110)).at(-1) ?? sampleEntry(),
    entriesOf([bid(2, 105), lateMs]).at(-1) ?? sampleEntry(),
    entriesOf(buy(3)).at(-1) ?? sampleEntry(),
  ]
  test.each([
    { entry: met, path: 'event.automatic.bidderId', change: undefined },
    { entry: met, path: 'event.automatic.amountMinor', change: -1 },
    { entry: met, path: 'event.automatic', change: null },
    { entry: met, path: 'event.maximumMinor', change: '7' },
    { entry: met, path: 'state.leader.maximumMinor', change: 0.5 },
    { entry: met, path: 'state.extendedEndMs', change: null },
    { entry: extended, path: 'event.extendedEndMs', change: '7' },
    { entry: extended, path: 'state.extendedEndMs', change: 0.5 },
    { entry: bought, path: 'event.buyerId', change: 0 },
    { entry: bought, path: 'event.priceMinor', change: undefined },
    { entry: bought, path: 'state.result.buyerId', change: undefined },
    { entry: bought, path: 'state.result.outcome', change: 'given away' },
  ])('is refused for an invalid part of a format: %#, $path, $change', ({ entry, path, change }) => {
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
    { entry: sampleEntry(), path: 'version', change: 2 },
    { entry: sampleEntry(), path: 'version', change: undefined },
    { entry: sampleEntry(), path: 'id', change: 0 },
    { entry: sampleEntry(), path: 'auctionId', change: undefined },
    { entry: sampleEntry(), path: 'sequence', change: 0 },
    { entry: sampleEntry(), path: 'atMs', change: 0.5 },
    { entry: sampleEntry(), path: 'requestKey', change: null },
    { entry: sampleEntry(), path: 'currency.code', change: 'usd' },
    { entry: sampleEntry(), path: 'currency.exponent', change: undefined },
    { entry: sampleEntry(), path: 'event', change: undefined },
    { entry: sampleEntry(), path: 'event.type', change: 'sold' },
    { entry: sampleEntry(), path: 'event.bidderId', change: 0 },
    { entry: sampleEntry(), path: 'event.amountMinor', change: -1 },
    { entry: sampleEntry(), path: 'state', change: null },
    { entry: sampleEntry(), path: 'state.phase', change: 'sold' },
    { entry: sampleEntry(), path: 'state.bidCount', change: -1 },
    { entry: sampleEntry(), path: 'state.leader', change: undefined },
    { entry: sampleEntry(), path: 'state.leader.amountMinor', change: 0.5 },
    { entry: sampleEntry(), path: 'state.leader.bidId', change: undefined },
    { entry: sold, path: 'event.result', change: undefined },
    { entry: sold, path: 'event.result.outcome', change: 'cancelled' },
    { entry: sold, path: 'event.result.priceMinor', change: undefined },
    { entry: sold, path: 'state.result', change: undefined },
    { entry: sold, path: 'state.result.winnerId', change: 1.5 },
    { entry: sampleClosed(), path: 'state.result.reason', change: 'withdrawn' },
    { entry: sampleClosed(), path: 'event.result.reason', change: undefined },
  ])('is refused with its id and the invalid field: %#, $path, $change', ({ entry, path, change }) => {
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

  test.each<{ readonly title: string; readonly formats: AuctionSample }>([
    { title: 'a soft close', formats: { softClose: allFormats.softClose } },
    { title: 'a reserve', formats: { reservePriceMinor: 150_00 } },
    { title: 'a reserve of zero', formats: { reservePriceMinor: 0 } },
    { title: 'a buy-now price', formats: { buyNowPriceMinor: 400_00 } },
    { title: 'cancellableUntilEnd', formats: { cancellableUntilEnd: true } },
    { title: 'cancellableUntilEnd set to false', formats: { cancellableUntilEnd: false } },
    { title: 'steps of increments', formats: { incrementSteps } },
    { title: 'an increment in percent', formats: { incrementBasisPoints: 250 } },
    { title: 'a maximum increment', formats: { maximumBidIncrementMinor: 100_00 } },
    { title: 'all formats', formats: allFormats },
  ])('is read as it was written with $title', ({ formats }) => {
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
    { path: 'version', change: 2 },
    { path: 'version', change: undefined },
    { path: 'id', change: undefined },
    { path: 'productId', change: '7' },
    { path: 'ownerId', change: null },
    { path: 'title', change: null },
    { path: 'description', change: {} },
    { path: 'startingPriceMinor', change: -1 },
    { path: 'minimumBidIncrementMinor', change: 0.5 },
    { path: 'currency', change: undefined },
    { path: 'currency.code', change: 'US' },
    { path: 'startTime', change: '2030-01-31T12:00:00Z' },
    { path: 'startTime.epochMs', change: '0' },
    { path: 'endTime', change: undefined },
    { path: 'endTime.iso', change: undefined },
    { path: 'softClose', change: null },
    { path: 'softClose.windowSeconds', change: -1 },
    { path: 'softClose.extensionSeconds', change: 0.5 },
    { path: 'softClose.latestEndTime', change: '2030-02-07T13:00:00Z' },
    { path: 'reservePriceMinor', change: null },
    { path: 'buyNowPriceMinor', change: 0.5 },
    { path: 'cancellableUntilEnd', change: 1 },
    { path: 'incrementSteps', change: {} },
    { path: 'incrementSteps.0.fromPriceMinor', change: -1 },
    { path: 'incrementSteps.1.incrementMinor', change: 0.5 },
    { path: 'incrementBasisPoints', change: 2.5 },
    { path: 'maximumBidIncrementMinor', change: null },
    { path: 'createdAtMs', change: undefined },
  ])('is refused with its id and the invalid field: $path, $change', ({ path, change }) => {
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
