import { createMemoryStore } from '@auction/adapters/memory'
import { sampleEntry, sampleLots, sampleNewSale } from '@auction/testing/samples'
import { describe, expect, test } from 'vitest'
import { UnreadableStoredError } from '../../src/store/errors.ts'
import { pollMs } from '../../src/use-cases/watch-auctions.ts'
import { unwrap } from '../../src/values/result.ts'
import { createAuction, newBid } from '../support/service.ts'
import { createSilentStore, createWatching, watch } from '../support/watching.ts'

describe('watching an auction', () => {
  test('notices entries of the same service when they are stored, without a read', async () => {
    const two = createWatching()
    const auction = await createAuction(two.service)
    const { seen } = watch(two)
    two.calls.length = 0
    const placed = two.service.placeBid(newBid(auction, 2, 100))
    expect(seen).toEqual([])
    unwrap(await placed)
    expect(seen).toEqual([1])
    await Promise.all([120, 140, 160].map((amount, at) => two.service.placeBid(newBid(auction, 2 + (at % 2), amount))))
    expect(seen.at(-1)).toBe(4)
    expect(two.reads()).toBe(0)
    expect(await two.service.placeBid(newBid(auction, 3, 100))).toMatchObject({ ok: false })
    expect(seen.at(-1)).toBe(4)
  })

  test('notices entries of others at the next poll, several at once', async () => {
    const two = createWatching()
    const auction = await createAuction(two.other)
    const { seen } = watch(two)
    await two.clock.pass(pollMs)
    expect(seen).toEqual([])
    await two.other.placeBid(newBid(auction, 2, 100))
    await two.other.placeBid(newBid(auction, 3, 110))
    await two.clock.pass(pollMs - 1)
    expect(seen).toEqual([])
    await two.clock.pass(1)
    expect(seen).toEqual([2])
    await two.clock.pass(10 * pollMs)
    expect(seen).toEqual([2])
  })

  test('notifies each callback that is not stopped, whatever others throw', async () => {
    const two = createWatching()
    const auction = await createAuction(two.service)
    two.service.watchAuction(auction.id, () => {
      throw new Error('a fault of the caller')
    })
    const [stopped, early] = [watch(two), watch(two)]
    for (let times = 0; times < 2; times++) stopped.stop()
    expect(await two.service.placeBid(newBid(auction, 2, 100))).toMatchObject({ ok: true })
    const late = watch(two)
    await two.other.placeBid(newBid(auction, 3, 110))
    await two.clock.pass(pollMs)
    expect({ stopped: stopped.seen, early: early.seen, late: late.seen }).toEqual({
      stopped: [],
      early: [1, 2],
      late: [2],
    })
  })

  test('reads 100 auctions at once, and nothing while none is watched', async () => {
    const two = createWatching()
    const watches = Array.from({ length: 250 }, (_, at) => watch(two, at + 1))
    await two.clock.pass(pollMs)
    expect(two.reads()).toBe(3)
    for (const { stop } of watches.slice(1)) stop()
    await two.clock.pass(pollMs)
    expect(two.reads()).toBe(4)
    watches[0]?.stop()
    await two.clock.pass(100 * pollMs)
    expect(two.reads()).toBe(4)
    watch(two)
    await two.clock.pass(pollMs)
    expect(two.reads()).toBe(5)
  })

  test('does not begin a poll before the last one has ended, nor one after the service is closed', async () => {
    const right = createSilentStore()
    const { promise, resolve } = Promise.withResolvers<void>()
    const two = createWatching({
      ...right,
      async findHeads(ids) {
        await promise
        return right.findHeads(ids)
      },
    })
    watch(two, 1)
    await two.clock.pass(pollMs)
    watch(two, 2)
    await two.clock.pass(4 * pollMs)
    expect(two.reads()).toBe(1)
    const closing = two.service.close()
    resolve()
    await two.clock.pass(10 * pollMs)
    await closing
    expect(two.reads()).toBe(1)
  })

  test('stops reading an auction that is over', async () => {
    const two = createWatching()
    const auction = await createAuction(two.other)
    const { seen } = watch(two)
    await two.other.cancelAuction({ auctionId: auction.id })
    await two.clock.pass(pollMs)
    expect(seen).toEqual([1])
    const reads = two.reads()
    await two.clock.pass(10 * pollMs)
    expect(two.reads()).toBe(reads)
  })

  test('does not wait for a part of the store that hangs', async () => {
    const right = createSilentStore()
    const isHung = (id: number) => id % 2 === 1
    const two = createWatching({
      ...right,
      partOf: (id) => id % 2,
      findHeads: (ids) => (ids.some(isHung) ? new Promise(() => undefined) : right.findHeads(ids)),
    })
    for (const _ of [1, 2]) await createAuction(two.other)
    const { seen: hung } = watch(two, 1)
    const { seen } = watch(two, 2)
    await right.append([sampleEntry({ auctionId: 2 })])
    await two.clock.pass(pollMs)
    expect({ hung, seen }).toEqual({ hung: [], seen: [1] })
  })

  test('is not prevented by another auction whose last entry is unreadable', async () => {
    const right = createSilentStore()
    const two = createWatching({
      ...right,
      async findHeads(ids) {
        if (ids.some((id) => id === 1)) throw new UnreadableStoredError('entry', { auctionId: 1 }, 'no state')
        return right.findHeads(ids)
      },
    })
    await createAuction(two.other)
    const second = await createAuction(two.other)
    const [broken, watched] = [watch(two, 1), watch(two, second.id)]
    unwrap(await two.other.placeBid(newBid(second, 2, 100)))
    await two.clock.pass(pollMs)
    expect({ broken: broken.seen, watched: watched.seen }).toEqual({ broken: [], watched: [1] })
  })

  test('pauses for longer than a slow read took, so that other work comes first', async () => {
    const right = createSilentStore()
    const two = createWatching({
      ...right,
      async findHeads(ids) {
        two.clock.advance(50)
        return right.findHeads(ids)
      },
    })
    watch(two)
    await two.clock.pass(pollMs)
    expect(two.reads()).toBe(1)
    await two.clock.pass(999)
    expect(two.reads()).toBe(1)
    await two.clock.pass(1)
    expect(two.reads()).toBe(2)
  })

  test('ends when the service closes', async () => {
    const two = createWatching()
    const auction = await createAuction(two.other)
    const { seen } = watch(two)
    await two.service.close()
    watch(two)
    await two.other.placeBid(newBid(auction, 2, 100))
    await two.clock.pass(10 * pollMs)
    expect({ seen, reads: two.reads() }).toEqual({ seen: [], reads: 0 })
  })
})

describe('watching a sale', () => {
  test.each([
    ['reports appends', createMemoryStore],
    ['does not', createSilentStore],
  ])('notices what this service and others add to it, in a store that %s', async (_, createStore) => {
    const two = createWatching(createStore())
    const sale = unwrap(await two.other.createSale({ sale: sampleNewSale(), editor: 'clerk' }))
    const seen: number[] = []
    two.service.watchSale(sale.id, (sequence) => seen.push(sequence))
    const add = async (service: typeof two.other, lot: string) => {
      const adding = service.addLots({ saleId: sale.id, lots: sampleLots({ lot }), editor: 'clerk' })
      // Lots are checked in turns.
      await two.clock.pass(1)
      unwrap(await adding)
    }
    await add(two.other, '1')
    await two.clock.pass(pollMs)
    expect(seen).toEqual([2])
    await add(two.service, '2')
    expect(seen).toEqual([2, 3])
    await two.clock.pass(10 * pollMs)
    expect(seen).toEqual([2, 3])
    const { lots, extendedSeconds } = unwrap(await two.service.listLotIds(sale.id))
    expect({ lots: lots.map(({ lot }) => lot), extendedSeconds }).toEqual({ lots: ['1', '2'], extendedSeconds: 0 })
  })
})
