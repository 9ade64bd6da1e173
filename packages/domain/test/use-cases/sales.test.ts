import { createManualClock, createMemorySealer, createMemoryStore } from '@auction/adapters/memory'
import {
  sampleEndTime,
  sampleLots,
  sampleNewBid,
  sampleNewRegister,
  sampleNewSale,
  samplePurchase,
  sampleSaleExtension,
} from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { parseLotsCancellation, parseNewLots, parseNewSale } from '../../src/sale/fields.ts'
import { StoreUnavailableError } from '../../src/store/errors.ts'
import { verifyDirectory } from '../../src/use-cases/verify-listed.ts'
import { verifySale } from '../../src/use-cases/verify-sale.ts'
import { type AuctionId, type SaleId, toSaleId } from '../../src/values/ids.ts'
import { isoOf, toMoment } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import { codeOf, createTestService, keyOf, openTime, storeWith, type TestService } from '../support/service.ts'

const editor = 'clerk'
const endMs = toMoment(sampleEndTime).epochMs

const createSale = async (service: TestService, fields: object = {}) =>
  unwrap(await service.createSale({ sale: sampleNewSale(fields), editor }))

const add = (service: TestService, saleId: SaleId, lots: readonly object[], retry?: string) =>
  service.addLots({ saleId, lots: sampleLots(...lots), editor }, retry === undefined ? undefined : keyOf(retry))

const extend = (service: TestService, saleId: SaleId, seconds: number, key: string) =>
  service.extendSale({ saleId, extension: sampleSaleExtension(seconds), editor }, keyOf(key))

const window = { windowSeconds: 60, extensionSeconds: 60 }
const lotDefaults = { productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5 }

/** A service with a sale of these lots. */
async function serveSale(lots: readonly object[], fields: object = {}, service = createTestService()) {
  const sale = await createSale(service, fields)
  const added = lots.length === 0 ? [] : unwrap(await add(service, sale.id, lots)).lots
  const ids = added.map(({ auctionId }) => auctionId as AuctionId) // Only a trial has none.
  return { service, sale, ids }
}

const listed = async (service: TestService, saleId: SaleId, limit = 100) => {
  const { items, next } = unwrap(await service.listLots(saleId, { limit }))
  const lots = items.map(({ auction, effectiveEndTime }) => [auction.lot, effectiveEndTime.epochMs - endMs])
  return { lots, next }
}

describe('a sale', () => {
  test('is created once for a key, and listed newest first with its terms only', async () => {
    const service = createTestService()
    const sale = sampleNewSale({ lotsPerInterval: 2, metadata: { hall: 'B' } })
    const first = await service.createSale({ sale, editor }, keyOf('s'))
    expect(await service.createSale({ sale, editor }, keyOf('s'))).toEqual({ ...first, isRepeated: true })
    const other = await service.createSale({ sale: sampleNewSale({ title: 'Coins' }), editor }, keyOf('s'))
    expect(codeOf(other)).toBe('idempotency-key-reused')
    const second = await createSale(service)
    const page = unwrap(await service.listSales({ limit: 1 }))
    expect(page.items).toStrictEqual([second])
    expect(unwrap(await service.listSales({ limit: 1, before: page.next })).items).toStrictEqual([unwrap(first)])
  })

  test('is not found by the id of an auction, nor of a register', async () => {
    const { service, ids } = await serveSale([{ lot: '1' }])
    const register = unwrap(await service.createRegister({ register: sampleNewRegister(), editor }))
    for (const id of [Number(ids[0]), Number(register.id), 999])
      expect(codeOf(await service.readSale(toSaleId(id)))).toBe('sale-not-found')
  })

  test('whose first lot has ended is refused, unless its key created it before', async () => {
    const service = createTestService()
    const sale = sampleNewSale()
    unwrap(await service.createSale({ sale, editor }, keyOf('s')))
    service.clock.advance(endMs - service.clock.nowMs() + 1)
    expect((await service.createSale({ sale, editor }, keyOf('s'))).ok).toBe(true)
    expect(await service.createSale({ sale, editor }, keyOf('t'))).toMatchObject({
      refusal: { errors: [{ pointer: '/firstEndTime' }] },
    })
  })

  test.each([
    ['an end before the start', { firstEndTime: '2029-01-01T00:00:00Z' }, '/firstEndTime'],
    ['a title among the defaults', { lotDefaults: { title: 'Desk' } }, '/lotDefaults/title'],
    ['another currency among the defaults', { lotDefaults: { currency: 'EUR' } }, '/lotDefaults/currency'],
    [
      'a register, and one among the defaults',
      { registerId: 1, lotDefaults: { registerId: 2 } },
      '/lotDefaults/registerId',
    ],
    ['a wrong default', { lotDefaults: { startingPrice: -1 } }, '/lotDefaults/startingPrice'],
    ['a price that its currency does not have', { lotDefaults: { reservePrice: 1.005 } }, '/lotDefaults/reservePrice'],
    ['defaults that contradict', { lotDefaults: { startingPrice: 9, reservePrice: 8 } }, '/lotDefaults/reservePrice'],
    ['paddles without a register', { lotDefaults: { showPaddles: true } }, '/lotDefaults/showPaddles'],
    [
      'a latest end before that of lot 1',
      { lotDefaults: { softClose: { ...window, latestEndTime: '2030-01-01T12:00:00Z' } } },
      '/lotDefaults/softClose/latestEndTime',
    ],
    ['long defaults', { lotDefaults: { metadata: { a: 'x'.repeat(17_000) } } }, '/lotDefaults/metadata/a'],
  ])('has no %s', (_, fields, pointer) => {
    const sent = { title: 'Sale', currency: 'USD', startTime: '2030-01-01T00:00:00Z', firstEndTime: sampleEndTime }
    expect(parseNewSale({ ...sent, intervalSeconds: 1, ...fields })).toMatchObject({
      refusal: { errors: [{ pointer }] },
    })
  })
})

describe('lots', () => {
  test('end by their numbers, with the same time for letters, and are listed by number, then letter', async () => {
    const { service, sale } = await serveSale(
      [
        { lot: '12A' },
        { lot: '3' },
        { lot: '12' },
        { lot: '1' },
        { lot: '2' },
        { lot: '7', endTime: '2030-03-01T00:00:00Z' },
      ],
      { lotsPerInterval: 2 },
    )
    const own = toMoment('2030-03-01T00:00:00Z').epochMs - endMs
    const all = [
      ['1', 0],
      ['2', 0],
      ['3', 60_000],
      ['7', own],
      ['12', 300_000],
      ['12A', 300_000],
    ]
    expect((await listed(service, sale.id)).lots).toEqual(all)
    const { next } = await listed(service, sale.id, 4)
    const rest = unwrap(await service.listLots(sale.id, { limit: 4, after: next }))
    expect(rest.items.map(({ auction }) => auction.lot)).toEqual(['12', '12A'])
    expect(rest.next).toBeUndefined()
  })

  test('have the defaults of their format, of which their own fields win, and the register of the sale', async () => {
    const service = createTestService({ sealer: createMemorySealer() })
    const { id: registerId } = unwrap(
      await service.createRegister({ register: sampleNewRegister({ admits: 'everyone' }), editor }),
    )
    const lotDefaults = { productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5, buyNowPrice: 90 }
    const { ids } = await serveSale(
      [
        { lot: '1', startingPrice: 20.5, buyNowPrice: null },
        { lot: '2', format: 'sealed', pricing: 'second', ownerId: 3 },
        {
          lot: '3',
          format: 'falling',
          startingPrice: 80,
          falling: { decrement: 1, intervalSeconds: 60, floorPrice: 2 },
        },
      ],
      { registerId, lotDefaults },
      service,
    )
    const auctions = await Promise.all(ids.map(async (id) => unwrap(await service.readAuction(id)).auction))
    expect(auctions).toMatchObject([
      { lot: '1', startingPriceMinor: 2050, ownerId: 1, registerId, registerAdmits: 'everyone' },
      { lot: '2', format: 'sealed', startingPriceMinor: 1000, ownerId: 3, registerId },
      { lot: '3', format: 'falling', startingPriceMinor: 8000, registerId },
    ])
    expect(auctions.map((auction) => auction.buyNowPriceMinor)).toEqual([undefined, undefined, undefined])
  })

  test('have the latest end of a default as long after their ends as lot 1, whenever they are added', async () => {
    const latestEndTime = isoOf(endMs + 600_000)
    const { service, sale } = await serveSale([{ lot: '1' }, { lot: '31' }], {
      lotDefaults: { ...lotDefaults, softClose: { ...window, latestEndTime } },
    })
    unwrap(await extend(service, sale.id, 3_600, 'e'))
    unwrap(await add(service, sale.id, [{ lot: '1A' }, { lot: '31A' }]))
    const { items } = unwrap(await service.listLots(sale.id, { limit: 9 }))
    const shown = items.map(({ auction, effectiveEndTime }) => [
      auction.lot,
      effectiveEndTime.epochMs - endMs,
      (auction.softClose?.latestEndTime.epochMs ?? 0) - endMs,
    ])
    expect(shown).toEqual([
      ['1', 3_600_000, 4_200_000],
      ['1A', 3_600_000, 4_200_000],
      ['31', 5_400_000, 6_000_000],
      ['31A', 5_400_000, 6_000_000],
    ])
  })

  test('cannot end after the year 9999', async () => {
    const { service, sale } = await serveSale([], { firstEndTime: '9999-12-31T00:00:00Z', intervalSeconds: 86_400 })
    expect(await add(service, sale.id, [{ lot: '1' }, { lot: '2' }])).toMatchObject({
      refusal: { errors: [{ pointer: '/lots/1/lot' }] },
    })
  })

  test('with a reserve are taken, whatever another editor sends who may not read reserves', async () => {
    const { service, sale } = await serveSale([{ lot: '1', reservePrice: 437 }, { lot: '2' }])
    const sent = (reservePrice: number | undefined, lot = '1') =>
      service.addLots({
        ...{ saleId: sale.id, lots: sampleLots({ lot, ...(reservePrice && { reservePrice }) }), isTrial: true },
        ...{ editor: 'other', mayReadReserve: false },
      })
    for (const guess of [undefined, 436, 437]) expect(codeOf(await sent(guess))).toBe('lot-taken')
    expect((await sent(undefined, '2')).ok).toBe(true)
    expect((await add(service, sale.id, [{ lot: '1', reservePrice: 437 }])).ok).toBe(true)
  })

  test('stay the same for the same content, and refuse other content whole', async () => {
    const { service, sale, ids } = await serveSale([{ lot: '1', title: 'Desk' }, { lot: '2' }])
    const again = unwrap(await add(service, sale.id, [{ lot: '2' }, { title: 'Desk', lot: '1' }]))
    expect(again.lots.map(({ auctionId }) => auctionId)).toEqual([ids[1], ids[0]])
    const other = await add(service, sale.id, [{ lot: '9' }, { lot: '2', title: 'Chair' }])
    expect(other).toMatchObject({ refusal: { code: 'lot-taken', lots: ['2'] } })
    expect((await listed(service, sale.id)).lots).toHaveLength(2)
    expect(await service.store.listEntries(sale.id as number as AuctionId, { limit: 9 })).toHaveLength(2)
  })

  test('are added once for a key, which holds only their content', async () => {
    const { service, sale } = await serveSale([])
    const first = await add(service, sale.id, [{ lot: '1' }], 'k')
    expect(await add(service, sale.id, [{ lot: '1' }], 'k')).toEqual({ ...first, isRepeated: true })
    expect(codeOf(await add(service, sale.id, [{ lot: '2' }], 'k'))).toBe('idempotency-key-reused')
  })

  test('are all refused with the errors of each, and a trial changes nothing', async () => {
    const { service, sale } = await serveSale([])
    const wrong = [{ lot: '1' }, { lot: '2', startingPrice: 0.001 }, { lot: '3', currency: 'EUR' }]
    expect(await add(service, sale.id, wrong)).toMatchObject({
      refusal: { errors: [{ pointer: '/lots/1/startingPrice' }, { pointer: '/lots/2/currency' }] },
    })
    const lots = sampleLots({ lot: '1' })
    const trial = unwrap(await service.addLots({ saleId: sale.id, lots, editor, isTrial: true }))
    expect(trial.lots).toEqual([{ lot: '1', auctionId: undefined, endTime: toMoment(isoOf(endMs)) }])
    expect((await listed(service, sale.id)).lots).toEqual([])
  })

  test('are not committed if one cannot be stored, such as a sealed lot without a key', async () => {
    const { service, sale } = await serveSale([], {
      lotDefaults: { ...lotDefaults, format: 'sealed', pricing: 'first' },
    })
    expect(await add(service, sale.id, [{ lot: '1', format: null }, { lot: '2' }])).toMatchObject({
      refusal: { errors: [{ pointer: '/lots/1/format' }] },
    })
    expect((await add(service, sale.id, [{ lot: '1', format: null }])).ok).toBe(true)
    expect(unwrap(await service.readSale(sale.id)).counts.lots).toBe(1)
  })

  test('are the same if two services add them at once, and other content loses whole', async () => {
    const store = createMemoryStore()
    const [one, two, three] = [1, 2, 3].map(() => createTestService({ store })) as [
      TestService,
      TestService,
      TestService,
    ]
    const sale = await createSale(one)
    const lots = Array.from({ length: 60 }, (_, index) => ({ lot: String(index + 1), title: 'Desk' }))
    const other = lots.map((lot) => ({ ...lot, title: 'Chair' }))
    const [first, second, third] = await Promise.all([
      add(one, sale.id, lots),
      add(two, sale.id, lots),
      add(three, sale.id, other),
    ])
    expect(first.ok).toBe(second.ok)
    expect(third.ok).toBe(!first.ok)
    const winners = [first, second, third].filter(({ ok }) => ok).map(unwrap)
    expect(new Set(winners.map((added) => JSON.stringify(added.lots))).size).toBe(1)
    const { items } = unwrap(await one.listLots(sale.id, { limit: 100 }))
    expect(new Set(items.map(({ auction }) => auction.title))).toEqual(new Set([third.ok ? 'Chair' : 'Desk']))
    expect(items.map(({ auction }) => auction.lot)).toEqual(lots.map(({ lot }) => lot))
  })

  test('whose time has passed are refused, unless the sale has them', async () => {
    const { service, sale } = await serveSale([{ lot: '1' }])
    service.clock.advance(endMs - service.clock.nowMs() + 1)
    expect((await add(service, sale.id, [{ lot: '1' }, { lot: '2' }])).ok).toBe(true)
    expect(await add(service, sale.id, [{ lot: '1A' }])).toMatchObject({
      refusal: { errors: [{ pointer: '/lots/0/endTime', message: expect.stringContaining('lot 1A ends at') }] },
    })
  })

  test.each([
    ['no lot', []],
    ['the same lot twice', [{ lot: '1' }, { lot: '1' }]],
    ['a lot with a leading zero', [{ lot: '01' }]],
    ['a lot with two letters', [{ lot: '1AB' }]],
    ['a lot above the limit', [{ lot: '100000' }]],
    ['a start of a lot', [{ lot: '1', startTime: '2030-01-01T00:00:00Z' }]],
    ['more than 100 lots', Array.from({ length: 101 }, (_, index) => ({ lot: String(index + 1) }))],
  ])('are refused with %s', (_, lots) => {
    expect(parseNewLots({ lots }).ok).toBe(false)
  })

  test('are checked in turns that requests take one after another, and extended in groups with rests', async () => {
    const real = createManualClock(openTime)
    let [pauses, running, mostRunning] = [0, 0, 0]
    const after: typeof real.after = (ms, callback) => {
      if (ms > 0) return real.after(ms, callback)
      pauses += 1
      running += 1
      mostRunning = Math.max(mostRunning, running)
      return real.after(ms, () => {
        running -= 1
        callback()
      })
    }
    const service = createTestService({ clock: { ...real, after } })
    const lots = Array.from({ length: 55 }, (_, index) => ({ lot: `${index + 1}`, title: 'Lot' }))
    const [sale, other] = [await createSale(service), await createSale(service)]
    await Promise.all([sale, other].map(async ({ id }) => unwrap(await add(service, id, lots))))
    expect({ pauses, mostRunning }).toEqual({ pauses: 12, mostRunning: 1 })
    unwrap(await extend(service, sale.id, 60, 'x'))
    expect(pauses).toBe(13)
  })

  test('are at most 3,000 in a sale', async () => {
    const { service, sale } = await serveSale([], { intervalSeconds: 1 })
    const group = (start: number) => Array.from({ length: 100 }, (_, index) => ({ lot: String(start + index) }))
    for (let start = 1; start < 3_000; start += 100) unwrap(await add(service, sale.id, group(start)))
    expect(codeOf(await add(service, sale.id, [{ lot: '3001' }]))).toBe('too-many-lots')
    expect((await add(service, sale.id, group(101))).ok).toBe(true)
    expect(unwrap(await service.readSale(sale.id)).counts.lots).toBe(3_000)
  })

  test('that were committed without their auctions are in no list, and the same request completes them', async () => {
    const clock = createManualClock('2030-01-31T13:00:00Z')
    const right = createMemoryStore()
    let left = 1
    const store = {
      ...right,
      insertAuction: async (auction: Parameters<typeof right.insertAuction>[0]) => {
        if (left-- > 0) return right.insertAuction(auction)
        throw new StoreUnavailableError('the store is down')
      },
    }
    const { service, sale } = await serveSale([], {}, createTestService({ store, clock }))
    const lots = [{ lot: '1' }, { lot: '2' }, { lot: '3' }]
    await expect(add(service, sale.id, lots)).rejects.toMatchObject({ outcome: 'unknown' })
    expect((await listed(service, sale.id)).lots).toHaveLength(1)
    expect(unwrap(await service.readSale(sale.id)).counts.lots).toBe(1)
    expect(unwrap(await verifySale(store, sale.id))).toMatchObject({
      difference: undefined,
      unfinishedLots: ['2', '3'],
    })
    // An extension in between is that of the late lots, too.
    unwrap(await extend(service, sale.id, 30, 'e'))
    left = 2
    expect(unwrap(await add(service, sale.id, lots)).lots).toHaveLength(3)
    expect((await listed(service, sale.id)).lots).toEqual([
      ['1', 30_000],
      ['2', 90_000],
      ['3', 150_000],
    ])
    expect(unwrap(await verifySale(store, sale.id))).toMatchObject({ difference: undefined, unfinishedLots: [] })
    expect(await verifyDirectory(store, 'sales')).toEqual({ entries: 1, difference: undefined })
  })
})

describe('an extension of a sale', () => {
  test('moves every lot without a result once, and the lots that are added later', async () => {
    const { service, sale, ids } = await serveSale([{ lot: '1' }, { lot: '2' }], {
      lotDefaults: { productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5, buyNowPrice: 90 },
    })
    unwrap(await service.buyNow({ auctionId: ids[0] as AuctionId, purchase: samplePurchase(2) } as never))
    const extended = await extend(service, sale.id, 30, 'e')
    expect(unwrap(extended).lots).toMatchObject([
      { lot: '1', outcome: 'auction-ended' },
      { lot: '2', outcome: 'extended', endTime: { epochMs: endMs + 90_000 } },
    ])
    expect(await extend(service, sale.id, 30, 'e')).toEqual({ ...extended, isRepeated: true })
    unwrap(await add(service, sale.id, [{ lot: '3' }, { lot: '4', endTime: '2030-03-01T00:00:00Z' }]))
    const own = toMoment('2030-03-01T00:00:00Z').epochMs - endMs
    expect((await listed(service, sale.id)).lots.slice(1)).toEqual([
      ['2', 90_000],
      ['3', 150_000],
      ['4', own],
    ])
    unwrap(await extend(service, sale.id, 1, 'f'))
    expect((await listed(service, sale.id)).lots.slice(1)).toEqual([
      ['2', 91_000],
      ['3', 151_000],
      ['4', own + 1_000],
    ])
    expect(unwrap(await service.readSale(sale.id)).extendedSeconds).toBe(31)
    expect(codeOf(await extend(service, sale.id, 2, 'f'))).toBe('idempotency-key-reused')
  })

  test('is refused for an unknown sale, and after 50', async () => {
    const { service, sale } = await serveSale([])
    expect(codeOf(await extend(service, toSaleId(999), 30, 'e'))).toBe('sale-not-found')
    for (let index = 0; index < 50; index++) unwrap(await extend(service, sale.id, 1, `k${index}`))
    expect(codeOf(await extend(service, sale.id, 1, 'last'))).toBe('too-many-extensions')
  })

  test('names the lot that the store could not extend, and the same request extends it', async () => {
    const right = createMemoryStore()
    let isDown = false
    const store = storeWith(() => ({
      ...right,
      append: async (entries, options) => {
        if (isDown && entries[0]?.event.type === 'extended') throw new StoreUnavailableError('down')
        return right.append(entries, options)
      },
    }))
    const { service, sale } = await serveSale([{ lot: '1' }], {}, createTestService({ store }))
    isDown = true
    expect(unwrap(await extend(service, sale.id, 30, 'e')).lots).toMatchObject([{ outcome: 'store-unavailable' }])
    isDown = false
    expect(unwrap(await extend(service, sale.id, 30, 'e')).lots).toMatchObject([{ outcome: 'extended' }])
  })
})

test('lots are cancelled even after bids, each with its outcome, and count as such', async () => {
  const { service, sale, ids } = await serveSale([{ lot: '1' }, { lot: '2' }, { lot: '3' }])
  unwrap(await service.placeBid(sampleNewBid({ auctionId: ids[0] as AuctionId, bidderId: 2, amount: 20 } as never)))
  const cancellation = unwrap(parseLotsCancellation({ lots: ['1', '2', '4'], reason: 'Stolen' }))
  const cancelled = unwrap(await service.cancelLots({ saleId: sale.id, cancellation }, keyOf('c')))
  expect(cancelled.lots.map(({ lot, outcome }) => [lot, outcome])).toEqual([
    ['1', 'cancelled'],
    ['2', 'cancelled'],
    ['4', 'lot-not-found'],
  ])
  const other = unwrap(parseLotsCancellation({ lots: ['1'], reason: 'Sold elsewhere' }))
  expect(unwrap(await service.cancelLots({ saleId: sale.id, cancellation: other }, keyOf('c'))).lots).toMatchObject([
    { outcome: 'idempotency-key-reused' },
  ])
  const { counts, status } = unwrap(await service.readSale(sale.id))
  expect(counts).toEqual({ lots: 3, open: 1, sold: 0, bought: 0, unsold: 0, cancelled: 2 })
  expect(status).toBe('Active')
})

test('the view of a sale counts the results and adds the prices', async () => {
  const { service, sale, ids } = await serveSale([{ lot: '1' }, { lot: '2' }])
  unwrap(await service.placeBid(sampleNewBid({ auctionId: ids[0] as AuctionId, bidderId: 2, amount: 20 } as never)))
  service.clock.advance(endMs - service.clock.nowMs() + 70_000)
  await service.closeDue()
  const { counts, status, totalMinor } = unwrap(await service.readSale(sale.id))
  expect(counts).toEqual({ lots: 2, open: 0, sold: 1, bought: 0, unsold: 1, cancelled: 0 })
  expect([status, totalMinor]).toEqual(['Ended', 20_00n])
})
