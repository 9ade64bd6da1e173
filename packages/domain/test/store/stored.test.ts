import {
  type AuctionSample,
  sampleAuction,
  sampleClosed,
  sampleEntries,
  sampleEntry,
  sampleKey,
  strangeTexts,
} from '@auction/testing/samples'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Auction } from '../../src/auction/auction.ts'
import type { Entry } from '../../src/store/store.ts'
import { parseStoredAuction, parseStoredEntry, versionOfEntry, withoutKey } from '../../src/store/stored.ts'
import { anyTerms } from '../auction/any-history.ts'
import { bid, buy, endMs, type Step, termsWith } from '../auction/play.ts'
import { anyRepairedSteps, ledgerOf } from '../support/ledgers.ts'

/** Returns a value as a store reads it: complete, as plain JSON, with the version added. */
const read = (value: object): Record<string, unknown> => JSON.parse(JSON.stringify({ version: 1, ...value }))

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

/** The paths of all members of a value, but those of the names in metadata. */
const pathsIn = (value: object): readonly string[] =>
  Object.entries(value).flatMap(([name, member]) =>
    typeof member !== 'object' || member === null
      ? [name]
      : [name, ...(name === 'metadata' ? [] : pathsIn(member).map((path) => `${name}.${path}`))],
  )

const incrementSteps = [
  { fromPriceMinor: 200_00, incrementMinor: 10_00 },
  { fromPriceMinor: 200_01, incrementMinor: 10_00 },
]
const allFormats = {
  softClose: { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T13:00:00Z' },
  ...{ incrementSteps, maximumBidIncrementMinor: 100_00, reservePriceMinor: 150_00, buyNowPriceMinor: 400_00 },
  cancellableUntilEnd: true,
}

/** The last entry of an auction with all formats, whose reserve is 250 yen. */
function lastOf(...steps: readonly Step[]): Entry {
  const entry = ledgerOf(termsWith({ ...allFormats, reservePriceMinor: 250, buyNowPriceMinor: 400 }), ...steps).at(-1)
  if (entry === undefined) throw new Error('the first command was refused')
  return entry
}

const sold = sampleClosed({ id: 2, sequence: 2 })
const met = lastOf([bid(2, 105, 200), endMs - 2], [bid(3, 110), endMs - 1])
const bought = lastOf(buy(3))

describe('a stored entry', () => {
  test('of any history is read as it was written', () => {
    fc.assert(
      fc.property(anyTerms, anyRepairedSteps, (terms, steps) => {
        const ledger = ledgerOf(terms, ...steps)
        expect(
          ledger.map((entry) => parseStoredEntry(read({ version: versionOfEntry(entry), ...entry }))),
        ).toStrictEqual(ledger)
      }),
      { numRuns: 50 },
    )
  })

  const most = 2 ** 53 - 1
  test.each<readonly [string, Entry]>([
    ['with a key', sampleEntry({ requestKey: 'a' })],
    ['with the largest numbers', sampleEntry({ id: most, auctionId: most, bidderId: most, amountMinor: 1e15 - 1 })],
    ['in a withdrawn currency', sampleEntry({ currency: 'DEM', currencyExponent: 3 })],
    ['before 1970', sampleEntry({ atMs: -1 })],
    ['of an end with a sale', sampleClosed({ id: 4, sequence: 4, requestKey: 'b' })],
    ...sampleEntries(3).map((entry) => [`of sequence ${entry.sequence}`, entry] as const),
  ])('is read as it was written: %s', (_, entry) => {
    expect(parseStoredEntry(read(entry))).toStrictEqual(entry)
    expect(parseStoredEntry({ ...read(entry), _id: 'x', bucket: 7 })).toStrictEqual(entry)
  })

  test.each([sampleEntry({ requestKey: 'a' }), sold, sampleClosed(), met, bought])(
    'is refused if any field is of another type: %#',
    (entry) => {
      for (const path of pathsIn(read(entry)))
        expect(() => parseStoredEntry(changed(entry, path, ['x']))).toThrow(` has an invalid field ${path}`)
    },
  )

  test.each([
    ...[2, undefined].map((change) => ({ entry: met, path: 'version', change })),
    { entry: met, path: 'sequence', change: 0 },
    { entry: met, path: 'atMs', change: 0.5 },
    { entry: met, path: 'auctionId', change: undefined },
    { entry: met, path: 'requestKey', change: null },
    { entry: met, path: 'currency.code', change: 'usd' },
    { entry: met, path: 'event.type', change: 'sold' },
    { entry: met, path: 'event.bidderId', change: 0 },
    { entry: met, path: 'event.amountMinor', change: -1 },
    { entry: met, path: 'event.automatic.bidderId', change: undefined },
    { entry: met, path: 'event.automatic', change: null },
    { entry: met, path: 'event.extendedEndMs', change: 0.5 },
    { entry: met, path: 'state', change: undefined },
    { entry: met, path: 'state.phase', change: 'sold' },
    { entry: met, path: 'state.bidCount', change: -1 },
    { entry: met, path: 'state.leader', change: undefined },
    { entry: met, path: 'state.leader.maximumMinor', change: 0.5 },
    { entry: bought, path: 'event.priceMinor', change: undefined },
    { entry: bought, path: 'state.result.buyerId', change: undefined },
    { entry: bought, path: 'state.result.outcome', change: 'given away' },
    { entry: sold, path: 'event.result', change: undefined },
    { entry: sold, path: 'event.result.outcome', change: 'cancelled' },
    { entry: sold, path: 'state.result', change: undefined },
    { entry: sampleClosed(), path: 'state.result.reason', change: 'withdrawn' },
  ])('is refused for an invalid value: $path, $change', ({ entry, path, change }) => {
    const of = path === 'auctionId' ? '' : ` of auction ${entry.auctionId}`
    const message = `the stored entry ${entry.id}${of} has an invalid field ${path}: `
    expect(() => parseStoredEntry(changed(entry, path, change))).toThrow(message)
  })

  test.each([undefined, null, 7, 'entry', []])('must be an object, not %j', (data) => {
    expect(() => parseStoredEntry(data)).toThrow('the stored entry without an id has an invalid ')
  })
})

describe('a stored auction', () => {
  const whole = sampleAuction({ title: 'A vase', description: 'It is old.', ...allFormats })

  test.each<readonly [string, Auction]>([
    ['without texts', sampleAuction()],
    ['with all fields', whole],
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
    ...[{ reservePriceMinor: 0 }, { cancellableUntilEnd: false }, { incrementBasisPoints: 250 }].map(
      (formats: AuctionSample) => [`with ${JSON.stringify(formats)}`, sampleAuction(formats)] as const,
    ),
  ])('is read as it was written: %s', (_, auction) => {
    expect(parseStoredAuction(read(auction))).toStrictEqual(auction)
    expect(parseStoredAuction({ ...read(auction), requestKey: sampleKey('a'), _id: 1 })).toStrictEqual(auction)
  })

  test('is read even if requests may no longer contain its values', () => {
    const old = {
      ...sampleAuction({ currency: 'DEM', currencyExponent: 2 }),
      title: 'x'.repeat(1_000),
      startTime: { iso: '2030-01-31T13:00:00+01:00', epochMs: Date.UTC(2030, 0, 31, 12) },
    }
    expect(parseStoredAuction(read(old))).toStrictEqual(old)
  })

  test('is refused if any field is of another type', () => {
    for (const path of pathsIn(read(whole))) {
      const change = path.startsWith('incrementSteps') ? {} : ['x']
      expect(() => parseStoredAuction(changed(whole, path, change))).toThrow(` has an invalid field ${path}`)
    }
  })

  test.each<{ readonly path: string; readonly change: unknown; readonly why?: string }>([
    ...[2, undefined].map((change) => ({ path: 'version', change })),
    { path: 'ownerId', change: null },
    { path: 'startingPriceMinor', change: -1 },
    { path: 'minimumBidIncrementMinor', change: 0.5 },
    { path: 'currency', change: undefined },
    { path: 'currency.code', change: 'US' },
    { path: 'startTime', change: '2030-01-31T12:00:00Z' },
    { path: 'endTime.iso', change: undefined },
    { path: 'softClose', change: null },
    { path: 'softClose.windowSeconds', change: -1 },
    { path: 'softClose.extensionSeconds', change: 0.5 },
    { path: 'reservePriceMinor', change: null },
    { path: 'incrementSteps.0.fromPriceMinor', change: -1 },
    { path: 'incrementSteps.1.incrementMinor', change: 0.5 },
    { path: 'incrementBasisPoints', change: 2.5 },
    { path: 'createdAtMs', change: undefined },
    { path: 'endTime', change: { iso: '2030-02-07T12:00:00Z', epochMs: 0 }, why: 'epochMs does not match iso' },
  ])('is refused with its id and the invalid field: $path, $change', ({ path, change, why = '' }) => {
    const message = `the stored auction 1 has an invalid field ${path}: ${why}`
    expect(() => parseStoredAuction(changed(whole, path, change))).toThrow(message)
  })

  test('without an id is refused', () => {
    const message = 'the stored auction without an id has an invalid field id: '
    expect(() => parseStoredAuction(changed(whole, 'id', undefined))).toThrow(message)
  })
})

test('an auction is returned without its key, and otherwise unchanged', () => {
  const auction = sampleAuction({ title: 'A vase' })
  expect(withoutKey({ ...auction, requestKey: sampleKey('a') })).toStrictEqual(auction)
  expect(withoutKey(auction)).toStrictEqual(auction)
})

test('a line of the directory of registers is read in its earlier form, too', () => {
  const currency = { code: 'USD', exponent: 2 }
  const whole = { id: 1, auctionId: Number.MAX_SAFE_INTEGER, kind: 'directory', sequence: 1, atMs: 5 }
  const entryOf = (event: object) =>
    parseStoredEntry({ version: 2, ...whole, event, state: { count: 1, atMs: 5 } }).event as unknown // Of its kind.
  const fields = { currency, admits: 'listed', title: 'Guests' }
  const line = { type: 'register-listed', createdAtMs: 4, editor: 'staff' }
  expect(entryOf({ ...line, registerId: 7, register: fields })).toStrictEqual({ ...line, id: 7, fields })
  expect(entryOf({ ...line, id: 7, fields })).toStrictEqual({ ...line, id: 7, fields })
  expect(() => entryOf({ ...line, id: 7 })).toThrow('has an invalid field event.fields')
})
