import type { Entry, Store } from '@auction/domain/store'
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

/** A failed operation is reported, is stored completely or not at all, and leaves nothing open. */
export function faults(suite: Suite): void {
  suite.needing('failNext', () => {
    for (const [fault, effect] of Object.entries(suite.faults)) {
      reported(suite, fault)
      settled(suite, fault, effect)
    }
  })
}

function reported({ test, expect }: Suite, fault: string): void {
  const outcomesUnder = async ({ store, failNext }: StoreSubject, calls: Readonly<Record<string, Call>>) => {
    const outcomes: Record<string, Outcome> = {}
    for (const [name, call] of Object.entries(calls)) {
      await failNext?.(fault)
      outcomes[name] = await outcomeOfFault(() => call(store))
    }
    return outcomes
  }

  test(`fails every write that meets ${fault} with the code store-unavailable and a cause`, async (subject) => {
    expect(await outcomesUnder(subject, writes)).toStrictEqual(rightWrites)
  })

  test(`fails every read that meets ${fault} with the code store-unavailable and a cause`, async (subject) => {
    await fill(subject.store)
    const outcomes = await outcomesUnder(subject, reads)
    expect(outcomes).toStrictEqual(rightReads(outcomes))
  })
}

/** The handles that must return the same data; at the end, also the one on the reopened data. */
async function* handlesOf(subject: StoreSubject): AsyncIterable<Store> {
  yield subject.store
  yield await otherHandle(subject)
  if (subject.reopen !== undefined) yield await subject.reopen()
}

function settled({ test, expect }: Suite, fault: string, effect: FaultEffect): void {
  /** Whether a write that is atomic is done. */
  const expectDone = (isDone: boolean): void => {
    if (effect !== 'a prefix') expect({ effect, isDone }).toEqual({ effect, isDone: effect === 'all' })
  }

  test(`stores an auction whose insert met ${fault} for all handles or for none`, async (subject) => {
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

  test(`stores a prefix of the entries whose append met ${fault}, the same for all handles`, async (subject) => {
    const { store, failNext } = subject
    await failNext?.(fault)
    await outcomeOf(() => store.append(entries))
    const done = (await store.findEntries(entries.map(({ id }) => id))).length
    if (effect !== 'a prefix') expect({ effect, done }).toEqual({ effect, done: effect === 'all' ? entries.length : 0 })
    await expectEntries(store, done)
    // The domain also repeats what it does not find.
    const left = entries.slice(done)
    expect(await store.append(entries)).toBe(done === 0 ? entries.length : 0)
    if (done > 0) expect(await store.append(left)).toBe(left.length)
    for await (const handle of handlesOf(subject)) await expectEntries(handle, entries.length)
  })

  /** Checks that every read returns this many of the entries. */
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

  test(`never shows entries of an append that meets ${fault} that are missing later`, async (subject) => {
    const { store, failNext } = subject
    const handles = [store, await otherHandle(subject)]
    const seen = new Set<number>()
    await failNext?.(fault)
    let isOver = false
    const failing = outcomeOf(() => store.append(entries)).finally(() => {
      isOver = true
    })
    // This is bounded, because a store in memory leaves other operations no turn.
    for (let round = 0; !isOver && round < 100; round++) {
      for (const handle of handles) {
        // The read itself may meet the fault.
        for (const { id } of await ledgerOf(handle).catch(() => [])) seen.add(id)
      }
    }
    await failing
    const inTheEnd = new Set<number>(idsOf(await store.findEntries(entries.map(({ id }) => id))))
    expect([...seen].filter((id) => !inTheEnd.has(id))).toEqual([])
  })

  test(`keeps the writes made at once with one that met ${fault}`, async (subject) => {
    const { store, failNext } = subject
    await failNext?.(fault)
    const ids = [1, 2, 3, 4, 5, 6]
    const appends = ids.map((id) => outcomeOf(() => store.append([sampleEntry({ id, auctionId: id })])))
    const inserts = ids.map((id) => outcomeOf(() => store.insertAuction(sampleAuction({ id }))))
    const [appended, inserted] = [await Promise.all(appends), await Promise.all(inserts)]
    const storedIds = ids.filter((_, index) => 'returned' in (appended[index] ?? {}))
    const insertedIds = ids.filter((_, index) => 'returned' in (inserted[index] ?? {}))
    // One write met the fault, and a write that follows from it may also have met it.
    expect(storedIds.length + insertedIds.length < 12).toBe(true)
    for await (const handle of handlesOf(subject)) {
      const entries = idsOf(await handle.findEntries(storedIds.map((id) => sampleEntry({ id }).id)))
      expect(entries.toSorted()).toEqual(storedIds)
      const auctions = idsOf(await listed(handle))
      expect(insertedIds.filter((id) => !auctions.includes(id))).toEqual([])
    }
  })

  test(`keeps working after it meets ${fault} many times`, async ({ store, failNext }) => {
    // More times than most pools have connections. The entries differ, so that no append ends at a taken key.
    for (let id = 101; id <= 111; id++) {
      await failNext?.(fault)
      await outcomeOf(() => store.append([sampleEntry({ id, auctionId: id })]))
    }
    expect(await store.insertAuction(sampleAuction({ id: 1 }))).toBe('inserted')
    expect(await store.append([sampleEntry()])).toBe(1)
    expect(await store.claimIdBlock('entries', 1)).toBe('claimed')
    expect(await ledgerOf(store)).toStrictEqual([sampleEntry()])
  })

  test(`keeps the old or the new place on the agenda when its change met ${fault}`, async (subject) => {
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

  test(`claims a block of ids whose claim met ${fault} for all handles or for none`, async (subject) => {
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
