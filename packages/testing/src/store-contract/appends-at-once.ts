import type { Entry } from '@auction/domain/store'
import { sampleEntry, sampleKey } from '../samples.ts'
import { ledgerOf, range } from './helpers.ts'
import { outcomeOf, unavailable } from './operations.ts'
import { otherHandle, type Suite } from './suite.ts'

/** Concurrent appends: a store may write them together, but the result of each is as if it were alone. */
export function appendsAtOnce(suite: Suite): void {
  counts(suite)
  conflicts(suite)
  crossings(suite)
  sameAuction(suite)
  abandoned(suite)
}

/** Entries of an auction from a sequence on, with unique ids and keys. */
const entriesOf = (auctionId: number, count: number, { from = 1, named = 'key' } = {}): readonly Entry[] =>
  range(from, from + count - 1).map((sequence) => {
    const id = auctionId * 100 + sequence
    return sampleEntry({ id, auctionId, sequence, requestKey: `${named}-${id}` })
  })

function counts({ test, expect }: Suite): void {
  test('stores concurrent appends of many auctions, each in its order, and returns for each how many entries it stored', async ({
    store,
  }) => {
    const appends = range(1, 40).map((auctionId) => entriesOf(auctionId, (auctionId * 7 + 1) % 5))
    const appended = await Promise.all(appends.map((entries) => store.append(entries)))
    expect(appended).toEqual(appends.map(({ length }) => length))
    for (const [index, entries] of appends.entries()) expect(await ledgerOf(store, index + 1)).toStrictEqual(entries)
  })

  test('stores contended and other appends at once, on several handles', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const appends = range(1, 24).map((auctionId) => entriesOf(auctionId, 1 + (auctionId % 4)))
    const appended = appends.map((entries, index) =>
      handles[index % 2]?.append(entries, index % 5 === 0 ? {} : { isContended: index % 3 === 0 }),
    )
    expect(await Promise.all(appended)).toEqual(appends.map(({ length }) => length))
    for (const [index, entries] of appends.entries()) {
      expect(await ledgerOf(subject.store, index + 1)).toStrictEqual(entries)
    }
  })
}

/** An entry has a taken key in three ways: an id or a request’s key of another auction, or a taken sequence. */
const clashes: readonly ((entry: Entry) => Entry)[] = [
  (entry) => ({ ...entry, id: sampleEntry({ id: 1 }).id }),
  (entry) => ({ ...entry, requestKey: sampleKey('taken') }),
  (entry) => ({ ...entry, sequence: 1 }),
]

/** The append of an auction with one entry. Every third one has a taken key after the entries that it stores. */
function planOf(auctionId: number) {
  const right = entriesOf(auctionId, 1 + ((auctionId + 2) % 5), { from: 2 })
  if (auctionId % 3 !== 0) return { right, entries: right, stored: right.length }
  const stored = (auctionId / 3) % right.length
  const clash = clashes[auctionId % 2 === 0 ? stored % 2 : 2] ?? ((entry) => entry)
  const entries = right.map((entry, index) => (index === stored ? clash(entry) : entry))
  return { right, entries, stored }
}

function conflicts({ test, expect }: Suite): void {
  for (const isContended of [false, true]) {
    test(`ends only the append that has a taken key, at that key${isContended ? ', contended' : ''}`, async ({
      store,
    }) => {
      await store.append([sampleEntry({ id: 1, auctionId: 999, requestKey: 'taken' })])
      const auctionIds = range(1, 45)
      for (const auctionId of auctionIds) expect(await store.append(entriesOf(auctionId, 1))).toBe(1)
      const plans = auctionIds.map(planOf)
      const appended = await Promise.all(plans.map(({ entries }) => store.append(entries, { isContended })))
      expect(appended).toEqual(plans.map(({ stored }) => stored))
      for (const [index, { right, stored }] of plans.entries()) {
        const [first] = entriesOf(index + 1, 1)
        expect(await ledgerOf(store, index + 1)).toStrictEqual([first, ...right.slice(0, stored)])
        // The entries that were not stored leave nothing, including their keys.
        expect(await store.append(right.slice(stored))).toBe(right.length - stored)
      }
    })
  }
}

function crossings({ test, expect }: Suite): void {
  test('refuses in concurrent appends with common keys only what another append has stored', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    // Each two use the same two keys, in opposite orders, and a third entry after them.
    const appends = range(1, 20).map((auctionId) => {
      const pair = Math.ceil(auctionId / 2)
      const keys = auctionId % 2 === 0 ? ['first', 'second'] : ['second', 'first']
      return entriesOf(auctionId, 3).map((entry, index) =>
        index < 2 ? { ...entry, requestKey: sampleKey(`${keys[index]}-${pair}`) } : entry,
      )
    })
    const appended = await Promise.all(appends.map((entries, index) => handles[index % 2]?.append(entries)))
    const storedKeys = new Map<unknown, number>()
    for (const [index, entries] of appends.entries()) {
      const stored = entries.slice(0, appended[index])
      expect(await ledgerOf(subject.store, index + 1)).toStrictEqual(stored)
      for (const { requestKey } of stored) storedKeys.set(requestKey, (storedKeys.get(requestKey) ?? 0) + 1)
    }
    expect([...new Set(storedKeys.values())]).toEqual([1])
    const refused = appends.flatMap((entries, index) => entries.slice(appended[index]).slice(0, 1))
    expect(refused.filter(({ requestKey }) => !storedKeys.has(requestKey))).toEqual([])
  })
}

function sameAuction({ test, expect }: Suite): void {
  for (const isContended of [false, true]) {
    const name = isContended ? 'contended appends' : 'appends'

    test(`stores exactly one of several concurrent ${name} of an auction, completely`, async (subject) => {
      const handles = [subject.store, await otherHandle(subject)]
      const rivals = range(1, 8).flatMap((auctionId) =>
        ['a', 'b', 'c'].map((named, index) =>
          entriesOf(auctionId, 3, { named }).map((entry) => ({
            ...entry,
            id: sampleEntry({ id: entry.id * 10 + index }).id,
          })),
        ),
      )
      const appended = await Promise.all(
        rivals.map((entries, index) => handles[index % 2]?.append(entries, { isContended })),
      )
      for (const auctionId of range(1, 8)) {
        const from = (auctionId - 1) * 3
        const counts = appended.slice(from, from + 3)
        expect(counts.toSorted()).toEqual([0, 0, 3])
        expect(await ledgerOf(subject.store, auctionId)).toStrictEqual(rivals[from + counts.indexOf(3)])
      }
    })

    test(`stores entries once when several concurrent ${name} have them`, async (subject) => {
      const handles = [subject.store, await otherHandle(subject)]
      for (const auctionId of range(1, 4)) {
        const entries = entriesOf(auctionId, 3)
        const appended = await Promise.all(
          range(0, 3).map((index) => handles[index % 2]?.append(entries, { isContended })),
        )
        expect(appended.toSorted()).toEqual([0, 0, 0, 3])
        expect(await ledgerOf(subject.store, auctionId)).toStrictEqual(entries)
      }
    })
  }
}

function abandoned({ test, expect }: Suite): void {
  for (const isContended of [false, true]) {
    const contended = isContended ? ', contended' : ''
    const name = `stores what an aborted append returns, and all of the others${contended}`

    test(name, async ({ store }) => {
      const signals = range(1, 30).map((auctionId) => ({ aborted: auctionId % 3 === 0 }))
      const appends = signals.map((signal, index) => ({ signal, entries: entriesOf(index + 1, 1 + (index % 4)) }))
      const underWay = appends.map(({ signal, entries }) =>
        outcomeOf(() => store.append(entries, { isContended, signal })),
      )
      const neverBegun = signals.filter(({ aborted }) => aborted)
      // The other callers abort when the store may have begun.
      for (const [index, signal] of signals.entries()) signal.aborted ||= index % 3 === 0
      for (const [index, outcome] of (await Promise.all(underWay)).entries()) {
        const { signal = { aborted: false }, entries = [] } = appends[index] ?? {}
        const ledger = await ledgerOf(store, index + 1)
        if (signal.aborted && 'failed' in outcome) {
          expect(outcome.failed).toBe(unavailable)
          expect(ledger).toStrictEqual(neverBegun.includes(signal) ? [] : entries.slice(0, ledger.length))
        } else {
          expect(outcome).toEqual({ returned: entries.length })
          expect(ledger).toStrictEqual(entries)
        }
        const left = entries.slice(ledger.length)
        expect(await store.append(left)).toBe(left.length)
      }
    })
  }
}
