import type { Entry } from '../../ledger/entry.ts'
import type { Store } from '../../store.ts'
import { sampleAuction, sampleEntry } from '../samples.ts'
import { agendaOf, creationKey, due, headOf, idsOf, keyedAuction, ledgerOf, listed } from './helpers.ts'
import {
  type Call,
  fill,
  type Outcome,
  outcomeOf,
  outcomeOfFault,
  reads,
  rightReads,
  rightWrites,
  writes,
} from './operations.ts'
import { type FaultEffect, otherHandle, type StoreSubject, type Suite } from './suite.ts'

const entries: readonly Entry[] = ['a', 'b', 'c', 'd'].map((requestKey, index) =>
  sampleEntry({ id: index + 1, sequence: index + 1, requestKey }),
)

/** One operation that fails is told as such, is done or not, and leaves nothing open behind it. */
export function faults(suite: Suite): void {
  suite.needing('failNext', () => {
    for (const [fault, effect] of Object.entries(suite.faults)) {
      told(suite, fault)
      settled(suite, fault, effect)
    }
  })
}

function told({ test, expect }: Suite, fault: string): void {
  const outcomesUnder = async ({ store, failNext }: StoreSubject, calls: Readonly<Record<string, Call>>) => {
    const outcomes: Record<string, Outcome> = {}
    for (const [name, call] of Object.entries(calls)) {
      await failNext?.(fault)
      outcomes[name] = await outcomeOfFault(() => call(store))
    }
    return outcomes
  }

  test(`tells every write that meets ${fault} by the code store-unavailable, and why`, async (subject) => {
    expect(await outcomesUnder(subject, writes)).toStrictEqual(rightWrites)
  })

  test(`tells every read that meets ${fault} by the code store-unavailable, and why`, async (subject) => {
    await fill(subject.store)
    const outcomes = await outcomesUnder(subject, reads)
    expect(outcomes).toStrictEqual(rightReads(outcomes))
  })
}

/** The handles through which everything must look the same; at the end, also the one on the data opened anew. */
async function* handlesOf(subject: StoreSubject): AsyncIterable<Store> {
  yield subject.store
  yield await otherHandle(subject)
  if (subject.reopen !== undefined) yield await subject.reopen()
}

function settled({ test, expect }: Suite, fault: string, effect: FaultEffect): void {
  /** Whether a write that is done as a whole or not at all is done. */
  const expectDone = (isDone: boolean): void => {
    if (effect !== 'a prefix') expect({ effect, isDone }).toEqual({ effect, isDone: effect === 'all' })
  }

  test(`has an auction whose insert met ${fault}, or has it not, everywhere`, async (subject) => {
    const { store, failNext } = subject
    const auction = keyedAuction({ id: 1 }, creationKey('a'))
    await failNext?.(fault)
    await outcomeOf(() => store.insertAuction(auction))
    const isDone = (await store.findAuction(auction.id)) !== undefined
    expectDone(isDone)
    await expectAuctions(store, isDone ? [1] : [])
    expect(await store.insertAuction(auction)).toBe(isDone ? 'taken' : 'inserted')
    expect(await store.insertAuction(keyedAuction({ id: 2 }, creationKey('b')))).toBe('inserted')
    for await (const handle of handlesOf(subject)) await expectAuctions(handle, [2, 1])
  })

  async function expectAuctions(store: Store, newestFirst: readonly number[]): Promise<void> {
    expect(idsOf(await listed(store))).toEqual(newestFirst)
    expect(idsOf(await listed(store, { order: 'agenda' }))).toEqual(newestFirst.toSorted())
    expect(idsOf(await listed(store, { onlyOpen: true }))).toEqual(newestFirst)
    for (const [id, key] of [
      [1, 'a'],
      [2, 'b'],
    ] as const) {
      const shown = newestFirst.includes(id) ? sampleAuction({ id }) : undefined
      expect(await store.findAuction(sampleAuction({ id }).id)).toStrictEqual(shown)
      expect(await store.findAuctionByKey(creationKey(key))).toStrictEqual(shown)
    }
  }

  test(`has a prefix of the entries whose append met ${fault}, everywhere`, async (subject) => {
    const { store, failNext } = subject
    await failNext?.(fault)
    await outcomeOf(() => store.append(entries))
    const done = (await store.findEntries(entries.map(({ id }) => id))).length
    if (effect !== 'a prefix') expect({ effect, done }).toEqual({ effect, done: effect === 'all' ? entries.length : 0 })
    await expectEntries(store, done)
    // As the domain sends again what it does not find.
    const left = entries.slice(done)
    expect(await store.append(entries)).toBe(done === 0 ? entries.length : 0)
    if (done > 0) expect(await store.append(left)).toBe(left.length)
    for await (const handle of handlesOf(subject)) await expectEntries(handle, entries.length)
  })

  /** So many of the entries are stored, by every read. */
  async function expectEntries(store: Store, count: number): Promise<void> {
    const stored = entries.slice(0, count)
    for (const entry of entries) {
      const shown = stored.includes(entry) ? [entry] : []
      expect(await store.findEntries([entry.id])).toStrictEqual(shown)
      expect(await store.findEntriesByKey(entry.requestKey === undefined ? [] : [entry.requestKey])).toStrictEqual(
        shown,
      )
    }
    expect(await ledgerOf(store)).toStrictEqual(stored)
    expect(await headOf(store)).toStrictEqual(stored.at(-1))
  }

  test(`shows of an append that meets ${fault} nothing that is gone in the end`, async (subject) => {
    const { store, failNext } = subject
    const handles = [store, await otherHandle(subject)]
    const seen = new Set<number>()
    await failNext?.(fault)
    let isOver = false
    const failing = outcomeOf(() => store.append(entries)).finally(() => {
      isOver = true
    })
    // A store that is all in memory lets nobody else go first, so this is bounded.
    for (let round = 0; !isOver && round < 100; round++) {
      for (const handle of handles) {
        // The read may be what meets the fault.
        for (const { id } of await ledgerOf(handle).catch(() => [])) seen.add(id)
      }
    }
    await failing
    const inTheEnd = new Set<number>(idsOf(await store.findEntries(entries.map(({ id }) => id))))
    expect([...seen].filter((id) => !inTheEnd.has(id))).toEqual([])
  })

  test(`loses nothing that was done at once with what met ${fault}`, async (subject) => {
    const { store, failNext } = subject
    await failNext?.(fault)
    const ids = [1, 2, 3, 4, 5, 6]
    const appends = ids.map((id) => outcomeOf(() => store.append([sampleEntry({ id, auctionId: id })])))
    const inserts = ids.map((id) => outcomeOf(() => store.insertAuction(sampleAuction({ id }))))
    const [appended, inserted] = [await Promise.all(appends), await Promise.all(inserts)]
    const toldStored = ids.filter((_, index) => 'returned' in (appended[index] ?? {}))
    const toldInserted = ids.filter((_, index) => 'returned' in (inserted[index] ?? {}))
    // One of them met it, unless one that follows on it did so, too.
    expect(toldStored.length + toldInserted.length < 12).toBe(true)
    for await (const handle of handlesOf(subject)) {
      const entries = idsOf(await handle.findEntries(toldStored.map((id) => sampleEntry({ id }).id)))
      expect(entries.toSorted()).toEqual(toldStored)
      const auctions = idsOf(await listed(handle))
      expect(toldInserted.filter((id) => !auctions.includes(id))).toEqual([])
    }
  })

  test(`is none the worse for meeting ${fault} again and again`, async ({ store, failNext }) => {
    // More often than pools mostly have connections. Each is another entry, so that it does not end at a taken key.
    for (let id = 101; id <= 111; id++) {
      await failNext?.(fault)
      await outcomeOf(() => store.append([sampleEntry({ id, auctionId: id })]))
    }
    expect(await store.insertAuction(sampleAuction({ id: 1 }))).toBe('inserted')
    expect(await store.append([sampleEntry()])).toBe(1)
    expect(await store.claimIdBlock('entries', 1)).toBe('claimed')
    expect(await ledgerOf(store)).toStrictEqual([sampleEntry()])
  })

  test(`has each place on the agenda whose change met ${fault} as it was, or as it was to be`, async (subject) => {
    const { store, failNext } = subject
    for (const id of [1, 2]) await store.insertAuction(sampleAuction({ id }))
    const { epochMs } = sampleAuction().endTime
    const updates = [due(1, epochMs + 10), due(2, epochMs + 20)]
    await failNext?.(fault)
    await outcomeOf(() => store.updateAgenda(updates))
    for (const [id, timeMs] of await agendaOf(store)) expect([epochMs, epochMs + id * 10].includes(timeMs)).toBe(true)
    await store.updateAgenda(updates)
    expect(await agendaOf(store)).toEqual([
      [1, epochMs + 10],
      [2, epochMs + 20],
    ])
  })

  test(`has a block of ids whose claim met ${fault}, or has it not, everywhere`, async (subject) => {
    const { store, failNext } = subject
    await failNext?.(fault)
    await outcomeOf(() => store.claimIdBlock('entries', 1))
    const isDone = (await store.highestIdBlock('entries')) === 1
    expectDone(isDone)
    expect(await store.claimIdBlock('entries', 1)).toBe(isDone ? 'taken' : 'claimed')
    expect(await store.claimIdBlock('entries', 2)).toBe('claimed')
    for await (const handle of handlesOf(subject)) {
      expect(await handle.highestIdBlock('entries')).toBe(2)
      for (const block of [1, 2]) expect(await handle.claimIdBlock('entries', block)).toBe('taken')
    }
  })
}
