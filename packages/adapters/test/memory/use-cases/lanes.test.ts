import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Auction } from '@auction/domain/auction'
import type { Bid } from '@auction/domain/bid'
import { unwrap } from '@auction/domain/result'
import { sampleAuction } from '@auction/domain/testing/samples'
import { placeBidUseCase } from '@auction/domain/use-cases/place-bid'
import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../../src/memory/memory-store.ts'
import { heldLedger } from './ledgers.ts'
import { createAuction, everythingSettled, ledgerOf, newBid, storeWith, testService, wordFor } from './service.ts'

/** A process whose appends wait for the test, and another one over the same store whose appends do not. */
async function heldService(auctionCount: number) {
  const store = memoryStore()
  const ledger = heldLedger(store.ledger)
  const service = testService({ store: { ...store, ledger } })
  const auctions = await Promise.all(Array.from({ length: auctionCount }, () => createAuction(service)))
  const place = (auctionNumber: number, bidderId: number, amount: number) => {
    const auction = auctions[auctionNumber - 1]
    if (auction === undefined) throw new RangeError(`there is no auction ${auctionNumber}`)
    return service.placeBid(newBid(auction, bidderId, amount))
  }
  return { service, other: testService({ store }), ledger, auctions, place }
}

/** Which auction each bid is of, and what it offers. */
const shapeOf = (bids: readonly Bid[]) => bids.map(({ auctionId, amountMinor }) => [auctionId, amountMinor / 100])

describe('while an append is under way', () => {
  test('the bids of one auction gather, and are decided in order against what it leaves', async () => {
    const { service, ledger, auctions, place } = await heldService(1)
    const first = place(1, 2, 100)
    const held = await ledger.nextAppend()
    const others = [place(1, 3, 105), place(1, 4, 105), place(1, 2, 104), place(1, 5, 110)]
    await everythingSettled()
    await held.release()
    const next = await ledger.nextAppend()
    expect(shapeOf(next.bids)).toEqual([
      [1, 105],
      [1, 110],
    ])
    await next.release()
    expect(wordFor(await first)).toBe('accepted')
    expect((await Promise.all(others)).map(wordFor)).toEqual(['accepted', 'bid-too-low', 'bid-too-low', 'accepted'])
    for (const auction of auctions) expect((await ledgerOf(service, auction)).length).toBe(3)
  })

  test('the bids of other auctions gather into one next append, in the order in which they came', async () => {
    const { ledger, place } = await heldService(4)
    const first = place(1, 2, 100)
    const held = await ledger.nextAppend()
    const others = [place(2, 2, 100), place(3, 2, 100), place(4, 2, 100)]
    await everythingSettled()
    await held.release()
    const next = await ledger.nextAppend()
    expect(shapeOf(next.bids)).toEqual([
      [2, 100],
      [3, 100],
      [4, 100],
    ])
    await next.release()
    expect((await Promise.all([first, ...others])).map(wordFor)).toEqual(Array.from({ length: 4 }, () => 'accepted'))
  })

  test('nobody is answered before the bid is stored', async () => {
    const { ledger, place } = await heldService(1)
    const answered: string[] = []
    const first = place(1, 2, 100).then((result) => answered.push(wordFor(result)))
    const held = await ledger.nextAppend()
    await everythingSettled()
    expect(answered).toEqual([])
    await held.release()
    await first
    expect(answered).toEqual(['accepted'])
  })

  test('a refusal waits for the bid that it rests on', async () => {
    const { ledger, place } = await heldService(1)
    const answered: string[] = []
    const first = place(1, 2, 100)
    const held = await ledger.nextAppend()
    const tooLow = place(1, 3, 104).then((result) => answered.push(wordFor(result)))
    await everythingSettled()
    expect(answered).toEqual([])
    await held.release()
    await Promise.all([first, tooLow])
    expect(answered).toEqual(['bid-too-low'])
  })
})

describe('a conflict in the middle of a group', () => {
  test('is the business of its auction only', async () => {
    const { service, other, ledger, auctions, place } = await heldService(5)
    const first = place(1, 2, 100)
    const held = await ledger.nextAppend()
    const others = [place(2, 2, 100), place(3, 2, 120), place(4, 2, 100)]
    await everythingSettled()
    const [, , contested] = auctions
    if (contested === undefined) throw new RangeError('there are five auctions')
    const rival = unwrap(await other.placeBid(newBid(contested, 9, 110)))
    await held.release()

    const group = await ledger.nextAppend()
    expect(group.bids.map(({ auctionId }) => auctionId)).toEqual([2, 3, 4])
    const later = place(5, 2, 100)
    await everythingSettled()
    expect(await group.release()).toEqual({ stored: 1 })
    const rest: Bid[] = []
    while (rest.length < 3) {
      const next = await ledger.nextAppend()
      rest.push(...next.bids)
      await next.release()
    }
    expect(shapeOf(rest)).toEqual([
      [4, 100],
      [5, 100],
      [3, 120],
    ])
    const bids = (await Promise.all([first, ...others, later])).map(unwrap)
    expect(bids.map(({ sequence }) => sequence)).toEqual([1, 1, 2, 1, 1])
    expect(await ledgerOf(service, contested)).toStrictEqual([rival, bids[2]])
  })

  test('refuses what the other process’s bid makes too low, with the price that it made', async () => {
    const { service, other, ledger, auctions, place } = await heldService(1)
    const [auction] = auctions
    if (auction === undefined) throw new RangeError('there is an auction')
    const mine = place(1, 2, 100)
    const held = await ledger.nextAppend()
    await other.placeBid(newBid(auction, 3, 200))
    expect(await held.release()).toEqual({ stored: 0 })
    expect(await mine).toMatchObject({
      ok: false,
      refusal: { code: 'bid-too-low', currentPriceMinor: 200_00, minimumNextBidMinor: 205_00 },
    })
    expect((await ledgerOf(service, auction)).length).toBe(1)
  })

  test('makes no refusal name a price that was decided on and never stored', async () => {
    const { other, ledger, auctions, place } = await heldService(1)
    const [auction] = auctions
    if (auction === undefined) throw new RangeError('there is an auction')
    const first = place(1, 2, 100)
    const held = await ledger.nextAppend()
    const others = [place(1, 3, 120), place(1, 4, 121)]
    await held.release()
    // Twice the other process is first: with a bid that 120 tops, and with one that it does not.
    for (const amount of [105, 119]) {
      const next = await ledger.nextAppend()
      expect(shapeOf(next.bids)).toEqual([[1, 120]])
      await everythingSettled()
      await other.placeBid(newBid(auction, 9, amount))
      expect(await next.release()).toEqual({ stored: 0 })
    }
    expect(wordFor(await first)).toBe('accepted')
    for (const result of await Promise.all(others)) {
      expect(result).toMatchObject({ refusal: { code: 'bid-too-low', currentPriceMinor: 119_00 } })
    }
  })
})

describe('two processes over one store', () => {
  test('decide again where they meet: the ledger is as if there were one', async () => {
    const service = testService()
    const other = testService({ store: service.store })
    const auction = await createAuction(service)
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? service : other).placeBid(newBid(auction, index + 2, 100 + index * 5)),
      ),
    )
    const accepted = results.flatMap((result) => (result.ok ? [result.value] : []))
    const ledger = await ledgerOf(service, auction)
    expect(ledger).toStrictEqual(accepted.toSorted((a, b) => a.sequence - b.sequence))
    expect(ledger.map(({ sequence }) => sequence)).toEqual(ledger.map((_, index) => index + 1))
    for (const [index, { amountMinor }] of ledger.entries()) {
      expect(amountMinor).toBeGreaterThanOrEqual(index === 0 ? 100_00 : (ledger[index - 1]?.amountMinor ?? 0) + 5_00)
    }
    expect(new Set(results.map(wordFor))).toEqual(new Set(['accepted', 'bid-too-low']))
  })

  test('tell the price of the other, however long ago they looked', async () => {
    const service = testService()
    const other = testService({ store: service.store })
    const auction = await createAuction(service)
    await service.placeBid(newBid(auction, 2, 100))
    await other.placeBid(newBid(auction, 3, 300))
    expect(await service.placeBid(newBid(auction, 2, 100))).toMatchObject({
      refusal: { currentPriceMinor: 300_00, minimumNextBidMinor: 305_00 },
    })
    expect(unwrap(await service.placeBid(newBid(auction, 2, 305))).sequence).toBe(3)
  })

  test('keep time from going back where their clocks differ', async () => {
    const service = testService()
    const late = testService({ store: service.store })
    const auction = await createAuction(service)
    late.clock.advance(-5_000)
    const bids = [
      unwrap(await service.placeBid(newBid(auction, 2, 100))),
      unwrap(await late.placeBid(newBid(auction, 3, 105))),
    ]
    expect(bids[1]?.timestampMs).toBe(bids[0]?.timestampMs)
  })
})

describe('limits', () => {
  const limits = {
    maxQueuedPerAuction: 2,
    maxBidsPerAppend: 3,
    maxKnownAuctions: 1,
    maxConflicts: 2,
    maxFailures: 3,
  }

  test('refuse bids past a full queue as overloaded, and only those of its auction', async () => {
    const { service, ledger, auctions } = await heldService(2)
    const placeBid = placeBidUseCase({ ...service.store, ledger, clock: service.clock }, limits)
    const [busy, idle] = auctions
    if (busy === undefined || idle === undefined) throw new RangeError('there are two auctions')
    const first = placeBid(newBid(busy, 2, 100))
    const held = await ledger.nextAppend()
    const queued = [placeBid(newBid(busy, 2, 105)), placeBid(newBid(busy, 2, 110))]
    expect(await placeBid(newBid(busy, 2, 115))).toEqual({ ok: false, refusal: { code: 'overloaded' } })
    const elsewhere = placeBid(newBid(idle, 2, 100))
    await everythingSettled()
    await held.release()
    for (let appended = 0; appended < 3; ) {
      const next = await ledger.nextAppend()
      appended += (await next.release()).stored
    }
    expect((await Promise.all([first, ...queued, elsewhere])).map(wordFor)).toEqual(
      Array.from({ length: 4 }, () => 'accepted'),
    )
    const after = placeBid(newBid(busy, 2, 115))
    await (await ledger.nextAppend()).release()
    expect(wordFor(await after)).toBe('accepted')
  })

  test('refuse a bid as overloaded whose sequence others keep taking', async () => {
    const { service, other, ledger, auctions } = await heldService(1)
    const placeBid = placeBidUseCase({ ...service.store, ledger, clock: service.clock }, limits)
    const [auction] = auctions
    if (auction === undefined) throw new RangeError('there is an auction')
    const mine = placeBid(newBid(auction, 2, 1_000))
    for (const amount of [100, 200, 300]) {
      const held = await ledger.nextAppend()
      await other.placeBid(newBid(auction, 3, amount))
      expect(await held.release()).toEqual({ stored: 0 })
    }
    expect(await mine).toEqual({ ok: false, refusal: { code: 'overloaded' } })
    expect((await ledgerOf(service, auction)).map(({ bidderId }) => bidderId)).toEqual([3, 3, 3])
  })

  test('split what gathers into appends of about that many bids', async () => {
    const { service, ledger, auctions } = await heldService(8)
    const placeBid = placeBidUseCase({ ...service.store, ledger, clock: service.clock }, limits)
    const placed = auctions.map((auction) => placeBid(newBid(auction, 2, 100)))
    await everythingSettled()
    const sizes: number[] = []
    for (let appended = 0; appended < 8; ) {
      const next = await ledger.nextAppend()
      sizes.push(next.bids.length)
      appended += (await next.release()).stored
    }
    expect(sizes).toEqual([1, 3, 3, 1])
    expect((await Promise.all(placed)).map(wordFor)).toEqual(Array.from({ length: 8 }, () => 'accepted'))
  })

  test('forget auctions, which are found again', async () => {
    const service = testService()
    const placeBid = placeBidUseCase({ ...service.store, clock: service.clock }, limits)
    const auctions = [await createAuction(service), await createAuction(service)]
    for (const amount of [100, 105, 110]) {
      for (const auction of auctions) {
        expect(wordFor(await placeBid(newBid(auction, 2, amount)))).toBe('accepted')
      }
    }
  })
})

describe('what is remembered of an auction', () => {
  test('is what decisions need: the rest of it, with its long texts, can be collected', async () => {
    const found: WeakRef<Auction>[] = []
    const store = storeWith(({ auctions }) => ({
      auctions: {
        ...auctions,
        find: async (id) => {
          const auction = sampleAuction({ id, description: 'x'.repeat(10_000) })
          found.push(new WeakRef(auction))
          return auction
        },
      },
    }))
    const service = testService({ store })
    const words = []
    for (const amount of [100, 104, 105])
      words.push(wordFor(await service.placeBid(newBid(sampleAuction(), 2, amount))))
    expect(words).toEqual(['accepted', 'bid-too-low', 'accepted'])
    await everythingSettled()
    collectGarbage()
    expect(found.map((auction) => auction.deref())).toEqual([undefined])
  })
})

function collectGarbage(): void {
  // The engine shows its collector only to contexts that are made after the flag is set.
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}
