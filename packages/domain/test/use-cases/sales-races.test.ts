import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { sampleEndTime, sampleLots, sampleNewRegister, sampleNewSale } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { parseLotsCancellation, parseSaleExtension } from '../../src/sale/fields.ts'
import { StoreUnavailableError } from '../../src/store/errors.ts'
import type { CompleteStore, Store } from '../../src/store/store.ts'
import type { AuctionId, SaleId } from '../../src/values/ids.ts'
import { toMoment } from '../../src/values/moment.ts'
import { unwrap } from '../../src/values/result.ts'
import { createTestService, keyOf, openTime, type TestService } from '../support/service.ts'

// What several requests and servers do to a sale at the same time, and what a server leaves that ends in between.

const editor = 'clerk'
const endMs = toMoment(sampleEndTime).epochMs

const add = (service: TestService, saleId: SaleId, ...lots: readonly object[]) =>
  service.addLots({ saleId, lots: sampleLots(...lots), editor })

const extend = (service: TestService, saleId: SaleId, seconds: number, key: string) =>
  service.extendSale(
    { saleId, extension: unwrap(parseSaleExtension({ seconds, reason: 'Outage' })), editor },
    keyOf(key),
  )

/** The ends of lots after that of lot 1, in seconds. */
const endsOf = async (service: TestService, saleId: SaleId) => {
  const { items } = unwrap(await service.listLots(saleId, { limit: 100 }))
  return items.map(({ auction, effectiveEndTime }) => [auction.lot, (effectiveEndTime.epochMs - endMs) / 1000])
}

/** A sale, a server whose store the test replaces in part, and another server over the same store. */
async function serveTwo(replaced: (right: CompleteStore, other: TestService) => Partial<Store>, fields: object = {}) {
  const right = createMemoryStore()
  const clock = createManualClock(openTime)
  const other = createTestService({ store: right, clock: createManualClock('2030-01-31T13:00:05Z') })
  const service = createTestService({ store: { ...right, ...replaced(right, other) }, clock })
  const { id } = unwrap(await other.createSale({ sale: sampleNewSale(fields), editor }))
  return { right, service, other, id }
}

/** A function that runs work the first time that it is called. */
function once(work: () => Promise<unknown>): () => Promise<unknown> {
  let done: Promise<unknown> | undefined
  return () => {
    done ??= work()
    return done
  }
}

describe('two servers', () => {
  test('that add the same lot at the same time both return it', async () => {
    let addByOther = async (): Promise<unknown> => undefined
    const { service, other, id } = await serveTwo(({ insertAuction }) => ({
      async insertAuction(auction) {
        await addByOther()
        return insertAuction(auction)
      },
    }))
    addByOther = once(() => add(other, id, { lot: '1' }))
    const [lot] = unwrap(await add(service, id, { lot: '1' })).lots
    expect(lot?.auctionId).toBe(unwrap(await service.listLots(id, { limit: 1 })).items[0]?.auction.id)
  })

  test('extend a lot once that one of them creates while the other extends the sale', async () => {
    let addByOther = async (): Promise<unknown> => undefined
    let isDown = true
    const { service, other, id } = await serveTwo(({ insertAuction, findAuctions }) => ({
      insertAuction: (auction) =>
        isDown ? Promise.reject(new StoreUnavailableError('the store is down')) : insertAuction(auction),
      async findAuctions(wanted, signal) {
        const found = await findAuctions(wanted, signal)
        if (!isDown) await addByOther()
        return found
      },
    }))
    await expect(add(service, id, { lot: '1' })).rejects.toThrow('down')
    isDown = false
    addByOther = once(() => add(other, id, { lot: '1' }))
    unwrap(await extend(service, id, 30, 'e'))
    expect(await endsOf(service, id)).toEqual([['1', 30]])
    expect(unwrap(await extend(service, id, 30, 'e')).lots).toMatchObject([{ lot: '1', outcome: 'extended' }])
    expect(await endsOf(service, id)).toEqual([['1', 30]])
  })

  test('keep the extension of one for a lot that the other stores later, or the outcome is unknown', async () => {
    let extendByOther = async (): Promise<unknown> => undefined
    let isDown = true
    const { service, other, id } = await serveTwo(({ insertAuction, append }) => ({
      async insertAuction(auction) {
        await extendByOther()
        return insertAuction(auction)
      },
      append: (entries, options) =>
        isDown && entries[0]?.event.type === 'extended'
          ? Promise.reject(new StoreUnavailableError('the store is down'))
          : append(entries, options),
    }))
    extendByOther = once(() => extend(other, id, 30, 'e'))
    await expect(add(service, id, { lot: '1' })).rejects.toMatchObject({ outcome: 'unknown' })
    isDown = false
    unwrap(await add(service, id, { lot: '1' }))
    expect(await endsOf(service, id)).toEqual([['1', 30]])
  })
})

test('a lot that is stored after an extension has who may bid, like every lot', async () => {
  const right = createMemoryStore()
  let isDown = true
  const insertAuction: Store['insertAuction'] = (auction) =>
    isDown ? Promise.reject(new StoreUnavailableError('the store is down')) : right.insertAuction(auction)
  const service = createTestService({ store: { ...right, insertAuction } })
  const register = sampleNewRegister({ admits: 'everyone' })
  const { id: registerId } = unwrap(await service.createRegister({ register, editor }))
  const { id } = unwrap(await service.createSale({ sale: sampleNewSale({ registerId }), editor }))
  const softClose = { windowSeconds: 60, extensionSeconds: 60, latestEndTime: '2030-02-09T12:00:00Z' }
  await expect(add(service, id, { lot: '1', softClose })).rejects.toThrow('down')
  unwrap(await extend(service, id, 30, 'e'))
  isDown = false
  unwrap(await add(service, id, { lot: '1', softClose }))
  const [stored] = await right.findAuctions({ ids: [lotIdOf(await service.listLots(id, { limit: 1 }))] })
  expect(stored?.auction).toMatchObject({
    registerId,
    registerAdmits: 'everyone',
    saleId: id,
    lot: '1',
    saleSequence: 3,
  })
})

const lotIdOf = (listed: Awaited<ReturnType<TestService['listLots']>>): AuctionId => {
  const [lot] = unwrap(listed).items
  if (lot === undefined) throw new Error('the sale has no lot')
  return lot.auction.id
}

test('a repeated extension has the lots of the first one only', async () => {
  const service = createTestService()
  const { id } = unwrap(await service.createSale({ sale: sampleNewSale(), editor }))
  unwrap(await add(service, id, { lot: '1' }))
  const extended = await extend(service, id, 30, 'e')
  unwrap(await add(service, id, { lot: '2', endTime: '2030-03-01T00:00:00Z' }))
  expect(await extend(service, id, 30, 'e')).toEqual({ ...extended, isRepeated: true })
})

test('a cancellation of many lots ends at the deadline, whatever the store does', async () => {
  const right = createMemoryStore()
  let isDown = false
  let onHanging = () => {}
  const hanging = new Promise<void>((resolve) => {
    onHanging = resolve
  })
  const append: Store['append'] = (entries, options) => {
    if (!isDown) return right.append(entries, options)
    onHanging()
    return new Promise(() => {})
  }
  const service = createTestService({ store: { ...right, append } })
  const { id } = unwrap(await service.createSale({ sale: sampleNewSale(), editor }))
  const lots = Array.from({ length: 60 }, (_, index) => String(index + 1))
  unwrap(await add(service, id, ...lots.map((lot) => ({ lot }))))
  isDown = true
  const cancellation = unwrap(parseLotsCancellation({ lots, reason: 'Stolen' }))
  const cancelled = service.cancelLots({ saleId: id, cancellation }).catch((error: unknown) => error)
  await hanging
  service.clock.advance(10_000)
  expect(await cancelled).toMatchObject({ outcome: 'unknown' })
})
