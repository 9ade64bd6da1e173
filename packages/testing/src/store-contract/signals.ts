import type { CallSignal } from '@auction/domain/store'
import { sampleEntries, sampleEntry } from '../samples.ts'
import { auctionIdOf, ledgerOf, range } from './helpers.ts'
import { fill, outcomeOf, outcomesOf, repeatableReadsOf, rightReads, unavailable } from './operations.ts'
import { otherHandle, type Suite } from './suite.ts'

/** A call with an aborted signal fails with the code store-unavailable, or returns what it returns without it. */
export function signals(suite: Suite): void {
  alreadyAborted(suite)
  abortedLater(suite)
}

/** Signals that are aborted when a store looks at them the first time, the second time … until it looks no more. */
function* laterSignals(): Iterable<CallSignal> {
  let looked: number
  let first = 0
  do {
    first += 1
    looked = 0
    yield {
      get aborted() {
        looked += 1
        return looked >= first
      },
    }
  } while (looked >= first)
}

function abortedLater({ test, expect }: Suite): void {
  for (const isContended of [false, true]) {
    const name = isContended ? 'a contended append' : 'an append'
    test(`leaves nothing open when ${name} is aborted, whenever the store looks at the signal`, async (subject) => {
      const { store } = subject
      const other = await otherHandle(subject)
      let auctionId = 0
      // The last entry has a taken key in every second append.
      for (const isTaken of [false, true]) {
        for (const signal of laterSignals()) {
          auctionId += 1
          const entries = sampleEntries(3, { auctionId, afterId: 10 * auctionId })
          const sent = isTaken ? [...entries.slice(0, 2), { ...sampleEntry({ auctionId }), sequence: 1 }] : entries
          const outcome = await outcomeOf(() => store.append(sent, { isContended, signal }))
          const ledger = await ledgerOf(other, auctionId)
          expect(ledger).toStrictEqual(entries.slice(0, ledger.length))
          expect(outcome).toEqual('returned' in outcome ? { returned: ledger.length } : { failed: unavailable })
          expect(await other.append(entries.slice(ledger.length))).toBe(3 - ledger.length)
          expect(await ledgerOf(store, auctionId)).toStrictEqual(entries)
        }
      }
    })
  }

  test('leaves nothing open when a read is aborted, whenever the store looks at the signal', async (subject) => {
    const { store } = subject
    await fill(store)
    const other = await otherHandle(subject)
    let sequence = 0
    for (const [name, call] of Object.entries(repeatableReadsOf(store))) {
      for (const signal of laterSignals()) {
        const outcomes = await outcomesOf({ [name]: call }, store, { signal })
        expect(outcomes).toStrictEqual(rightReads(outcomes))
        sequence += 1
        await other.append([sampleEntry({ id: 100 + sequence, auctionId: 9, sequence, bidderId: 5 })])
        // More reads than most pools have connections: each shows what was stored just now.
        const reads = range(1, 25).map(() => store.listEntries(auctionIdOf(9), { limit: 1 }))
        for (const [entry] of await Promise.all(reads)) expect(entry?.sequence).toBe(sequence)
      }
    }
  })
}

function alreadyAborted({ test, expect }: Suite): void {
  test('completes aborted reads and lists, or refuses them', async ({ store }) => {
    await fill(store)
    // A claim returns another block each time.
    const repeated = repeatableReadsOf(store)
    const outcomes = await outcomesOf(repeated, store, { signal: { aborted: true } })
    expect(outcomes).toStrictEqual(rightReads(outcomes))
    // The signals of later callers are not aborted.
    const later = await outcomesOf(repeated, store, { signal: { aborted: false } })
    expect(Object.values(later).filter((outcome) => 'failed' in outcome)).toEqual([])
    expect(later).toStrictEqual(rightReads(later))
  })

  test('keeps working after many calls were aborted that waited for their turn', async ({ store }) => {
    await fill(store)
    const { updateAgenda: _, ...repeated } = repeatableReadsOf(store)
    // Twice, with more calls than most pools have connections: some hold all connections, and the others wait.
    for (const _ of ['once', 'twice']) {
      const signal = { aborted: false }
      const outcomes = range(1, 15).map(() => outcomesOf(repeated, store, { signal }))
      signal.aborted = true
      for (const outcome of await Promise.all(outcomes)) expect(outcome).toStrictEqual(rightReads(outcome))
    }
    // As many calls at once, none of which is aborted.
    for (const outcome of await Promise.all(range(1, 15).map(() => outcomesOf(repeated, store)))) {
      expect(Object.values(outcome).filter((each) => 'failed' in each)).toEqual([])
    }
    expect(await store.append([sampleEntry({ id: 9, auctionId: 9 })])).toBe(1)
  })

  test('completes an aborted append, or refuses it and stores nothing', async ({ store }) => {
    const entries = [sampleEntry(), sampleEntry({ id: 2, sequence: 2 })]
    const outcome = await outcomeOf(() => store.append(entries, { signal: { aborted: true } }))
    const isDone = 'returned' in outcome
    expect(outcome).toEqual(isDone ? { returned: 2 } : { failed: unavailable })
    expect(await ledgerOf(store)).toStrictEqual(isDone ? entries : [])
    expect(await store.append(entries, { signal: { aborted: false } })).toBe(isDone ? 0 : 2)
    expect(await ledgerOf(store)).toStrictEqual(entries)
  })
}
