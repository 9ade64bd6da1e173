import type { Bid } from '../bid.ts'
import type { Ledger } from '../ports/ledger.ts'
import { auction, bidIds, contentsOf, ledgerReadingContract, sequencesOf } from './ledger-reading-contract.ts'
import type { TestRunner } from './runner.ts'
import { type BidSample, sampleBid, sampleBids } from './samples.ts'
import { otherHandle, type StoreSubject, tamper, testsOf } from './subject.ts'

export type LedgerSubject = StoreSubject<Ledger>

/** What every ledger must do, whatever it keeps bids in. */
export function ledgerContract(runner: TestRunner, makeSubject: () => Promise<LedgerSubject>): void {
  runner.describe('a ledger', () => {
    appending(runner, makeSubject)
    refusingTakenKeys(runner, makeSubject)
    settlingRaces(runner, makeSubject)
    keepingToItself(runner, makeSubject)
    ledgerReadingContract(runner, makeSubject)
  })
}

type MakeSubject = () => Promise<LedgerSubject>

function appending(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('stores a bid, and answers it as the head, in a page and by its id', async ({ store }) => {
    expect(await store.append([sampleBid()])).toEqual({ stored: 1 })
    expect(await store.head(auction(1))).toStrictEqual(sampleBid())
    expect(await store.page(auction(1), { limit: 10 })).toStrictEqual([sampleBid()])
    expect(await store.find(bidIds([1]))).toStrictEqual([sampleBid()])
  })

  test('stores nothing for an empty list', async ({ store }) => {
    expect(await store.append([])).toEqual({ stored: 0 })
    await store.append([sampleBid()])
    expect(await store.append([])).toEqual({ stored: 0 })
    expect(await contentsOf(store)).toStrictEqual([sampleBid()])
  })

  test('stores bids of several auctions in one append, each in its own order', async ({ store }) => {
    const first = sampleBids(3, { auctionId: 1 })
    const second = sampleBids(3, { auctionId: 2, afterId: 10 })
    const interleaved = first.flatMap((bid, index) => [bid, ...second.slice(index, index + 1)])
    expect(await store.append(interleaved)).toEqual({ stored: 6 })
    expect(await contentsOf(store, 1)).toStrictEqual(first)
    expect(await contentsOf(store, 2)).toStrictEqual(second)
  })

  test('stores hundreds of bids in one append', async ({ store }) => {
    expect(await store.append(sampleBids(500))).toEqual({ stored: 500 })
    expect(await contentsOf(store)).toStrictEqual(sampleBids(500))
    expect(await store.head(auction(1))).toStrictEqual(sampleBids(500).at(-1))
  })

  test('keeps the least and the greatest numbers exact', async ({ store }) => {
    const most = Number.MAX_SAFE_INTEGER
    const samples: readonly BidSample[] = [
      { id: 2, auctionId: 1, bidderId: 1, amountMinor: 1, timestampMs: 0, currency: 'JPY' },
      { id: 3, auctionId: 2, bidderId: 2 ** 31, amountMinor: 2 ** 32 + 1, timestampMs: 2 ** 31, currency: 'KWD' },
      { id: most, auctionId: most, bidderId: most, amountMinor: 1e15 - 1, timestampMs: 253_402_300_799_999 },
      { id: most - 2, auctionId: most - 2, bidderId: most - 2, amountMinor: 1e15 - 2 },
    ]
    expect(await store.append(samples.map(sampleBid))).toEqual({ stored: 4 })
    for (const bid of samples.map(sampleBid)) {
      expect(await store.head(bid.auctionId)).toStrictEqual(bid)
      expect(await store.find([bid.id])).toStrictEqual([bid])
    }
  })

  test('keeps a currency that has left ISO 4217, or has another exponent there by now', async ({ store }) => {
    const bids = [
      sampleBid({ currency: 'DEM', currencyExponent: 2 }),
      sampleBid({ id: 2, auctionId: 2, currency: 'USD', currencyExponent: 0 }),
      sampleBid({ id: 3, auctionId: 3, currency: 'JPY', currencyExponent: 4 }),
    ]
    expect(await store.append(bids)).toEqual({ stored: 3 })
    for (const bid of bids) {
      expect(await store.head(bid.auctionId)).toStrictEqual(bid)
      expect(await store.find([bid.id])).toStrictEqual([bid])
      expect(await store.page(bid.auctionId, { limit: 1 })).toStrictEqual([bid])
    }
  })

  test('shows what was appended to another handle at once', async (subject) => {
    const other = await otherHandle(subject)
    for (const bid of sampleBids(5)) {
      await subject.store.append([bid])
      expect(await other.head(auction(1))).toStrictEqual(bid)
      expect(await other.find([bid.id])).toStrictEqual([bid])
      expect((await contentsOf(other)).length).toBe(bid.sequence)
      expect(await other.append([bid])).toEqual({ stored: 0 })
    }
  })
}

function refusingTakenKeys(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  /** With three bids of auction 1 stored, the append stores nothing, and the three stay as they were. */
  const refuses = (name: string, bid: Bid): void =>
    test(name, async ({ store }) => {
      await store.append(sampleBids(3))
      expect(await store.append([bid])).toEqual({ stored: 0 })
      expect(await contentsOf(store, 1)).toStrictEqual(sampleBids(3))
      expect(await contentsOf(store, 2)).toStrictEqual([])
      expect(await store.find([bid.id])).toStrictEqual(sampleBids(3).filter(({ id }) => id === bid.id))
    })

  refuses('refuses a taken sequence at the head', sampleBid({ id: 9, sequence: 3, amountMinor: 999_00 }))
  refuses('refuses a taken sequence behind the head', sampleBid({ id: 9, sequence: 1, amountMinor: 999_00 }))
  refuses('refuses a taken id in the same auction', sampleBid({ id: 2, sequence: 4 }))
  refuses('refuses a taken id in another auction', sampleBid({ id: 2, auctionId: 2 }))
  refuses('refuses a bid that is stored already', sampleBid({ id: 3, sequence: 3 }))

  /** Of six bids of three auctions, the fourth conflicts: the three before it are stored, those behind it are not. */
  const storesPrefixBefore = (name: string, conflict: BidSample): void =>
    test(name, async ({ store }) => {
      await store.append([sampleBid({ id: 1, auctionId: 2 })])
      const before = [
        sampleBid({ id: 11, auctionId: 1, sequence: 1 }),
        sampleBid({ id: 12, auctionId: 2, sequence: 2 }),
        sampleBid({ id: 13, auctionId: 3, sequence: 1 }),
      ]
      const behind = [
        sampleBid({ id: 15, auctionId: 3, sequence: 2 }),
        sampleBid({ id: 16, auctionId: 1, sequence: 2 }),
      ]
      expect(await store.append([...before, sampleBid(conflict), ...behind])).toEqual({ stored: 3 })
      expect(await contentsOf(store, 1)).toStrictEqual(before.slice(0, 1))
      expect(await contentsOf(store, 2)).toStrictEqual([sampleBid({ id: 1, auctionId: 2 }), ...before.slice(1, 2)])
      expect(await contentsOf(store, 3)).toStrictEqual(before.slice(2, 3))
      expect(await store.find(bidIds([14, 15, 16]))).toStrictEqual([])
      expect(await store.append(behind)).toEqual({ stored: 2 })
    })

  storesPrefixBefore('stores exactly what stands before a taken sequence', { id: 14, auctionId: 2, sequence: 1 })
  storesPrefixBefore('stores exactly what stands before a taken id', { id: 1, auctionId: 2, sequence: 3 })
  storesPrefixBefore('sees that an append takes a sequence twice', { id: 14, auctionId: 3, sequence: 1 })
  storesPrefixBefore('sees that an append takes an id twice', { id: 12, auctionId: 3, sequence: 2 })

  test('stores nothing behind a conflict at the beginning, and all before one at the end', async ({ store }) => {
    await store.append([sampleBid()])
    const others = sampleBids(3, { auctionId: 2, afterId: 10 })
    expect(await store.append([sampleBid({ id: 2 }), ...others])).toEqual({ stored: 0 })
    expect(await contentsOf(store, 2)).toStrictEqual([])
    expect(await store.append([...others, sampleBid({ id: 2 })])).toEqual({ stored: 3 })
    expect(await contentsOf(store, 2)).toStrictEqual(others)
  })
}

function settlingRaces(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  /** Appends all at once, half of them through each handle, and answers how many bids each one says were stored. */
  const race = async (subject: LedgerSubject, appends: readonly (readonly Bid[])[]): Promise<readonly number[]> => {
    const ledgers = [subject.store, await otherHandle(subject)]
    const answers = await Promise.all(appends.map((bids, index) => ledgers[index % 2]?.append(bids)))
    return answers.map((answer) => answer?.stored ?? Number.NaN)
  }

  test('lets exactly one of many concurrent appends of a sequence win', async (subject) => {
    const contenders = Array.from({ length: 10 }, (_, index) => sampleBid({ id: index + 1, bidderId: index + 2 }))
    const stored = await race(
      subject,
      contenders.map((bid) => [bid]),
    )
    expect(stored.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    const winners = contenders.filter((_, index) => stored[index] === 1)
    expect(await contentsOf(subject.store)).toStrictEqual(winners)
    expect(await subject.store.find(contenders.map(({ id }) => id))).toStrictEqual(winners)
  })

  test('lets exactly one of many concurrent appends of an id win', async (subject) => {
    const contenders = Array.from({ length: 10 }, (_, index) => sampleBid({ auctionId: index + 1 }))
    const stored = await race(
      subject,
      contenders.map((bid) => [bid]),
    )
    expect(stored.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    const winners = contenders.filter((_, index) => stored[index] === 1)
    const heads = await Promise.all(contenders.map(({ auctionId }) => subject.store.head(auctionId)))
    expect(heads.filter((head) => head !== undefined)).toStrictEqual(winners)
  })

  test('stores of concurrent appends that overlap the prefixes that it answers, and no more', async (subject) => {
    const appends = Array.from({ length: 8 }, (_, index) => {
      const [a, b] = index % 2 === 0 ? [1, 2] : [2, 1]
      return [
        sampleBid({ id: index * 10 + 1, auctionId: a }),
        sampleBid({ id: index * 10 + 2, auctionId: b }),
        sampleBid({ id: index * 10 + 3, auctionId: a, sequence: 2 }),
      ]
    })
    const stored = await race(subject, appends)
    const answered = appends.flatMap((bids, index) => bids.slice(0, stored[index]))
    const found = await subject.store.find(appends.flat().map(({ id }) => id))
    expect(found.toSorted((a, b) => a.id - b.id)).toStrictEqual(answered)
    for (const auctionId of [1, 2]) {
      const sequences = sequencesOf(await contentsOf(subject.store, auctionId))
      expect(sequences).toEqual(sequences.map((_, index) => index + 1))
      expect(sequences.length > 0).toBe(true)
    }
  })
}

function keepingToItself(runner: TestRunner, makeSubject: MakeSubject): void {
  const { expect } = runner
  const test = testsOf(runner, makeSubject)

  test('is not changed by what becomes of bids that were passed in', async ({ store }) => {
    const passed = [...sampleBids(3)]
    await store.append(passed)
    tamper(passed)
    expect(await contentsOf(store)).toStrictEqual(sampleBids(3))
    expect(await store.head(auction(1))).toStrictEqual(sampleBids(3).at(-1))
  })

  test('is not changed by what becomes of its answers', async ({ store }) => {
    await store.append(sampleBids(3))
    tamper(await store.head(auction(1)))
    tamper(await store.find(bidIds([1, 2, 3])))
    tamper(await store.page(auction(1), { limit: 1_000 }))
    expect(await contentsOf(store)).toStrictEqual(sampleBids(3))
    expect(await store.find(bidIds([2]))).toStrictEqual(sampleBids(3).slice(1, 2))
    expect(await store.head(auction(1))).toStrictEqual(sampleBids(3).at(-1))
    expect(await store.append(sampleBids(4).slice(3))).toEqual({ stored: 1 })
  })
}
