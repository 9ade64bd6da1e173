import { agendaStages, type Store } from '@auction/domain/store'
import { sampleAuction } from '../samples.ts'
import {
  auctionIdOf,
  canSearch,
  creationKey,
  findByKey,
  headOf,
  idsOf,
  keyedAuction,
  ledgerOf,
  listed,
} from './helpers.ts'
import type { Suite } from './suite.ts'
import { handlesOf, insertUntilStored, keyedEntries, outcomeDuring, sendUntilStored, type Trouble } from './trouble.ts'

export function settled({ test, expect }: Suite, trouble: Trouble): void {
  const { when, effect } = trouble
  /** Expects an atomic write to be done, or not, as the fault says. */
  const expectDone = (isDone: boolean): void => {
    if (effect !== 'a prefix') expect({ effect, isDone }).toEqual({ effect, isDone: effect === 'all' })
  }

  test(`stores an auction whose insert fails ${when} for all handles or for none`, async (subject) => {
    const { store } = subject
    const auction = keyedAuction({ id: 1, title: 'A desk' }, creationKey('a'))
    await outcomeDuring(trouble, subject, () => store.insertAuction(auction))
    if (effect === undefined) await insertUntilStored(store, auction)
    else {
      const isDone = (await store.findAuction(auction.id)) !== undefined
      expectDone(isDone)
      await expectAuctions(store, isDone ? [1] : [])
      expect(await store.insertAuction(auction)).toBe(isDone ? 'taken' : 'inserted')
    }
    expect(await store.insertAuction(keyedAuction({ id: 2, title: 'A desk' }, creationKey('b')))).toBe('inserted')
    for await (const handle of handlesOf(subject)) await expectAuctions(handle, [2, 1])
  })

  async function expectAuctions(store: Store, newestFirst: readonly number[]): Promise<void> {
    expect(idsOf(await listed(store))).toEqual(newestFirst)
    expect(idsOf(await listed(store, { order: 'agenda' }))).toEqual(newestFirst.toSorted())
    expect(idsOf(await listed(store, { stages: agendaStages }))).toEqual(newestFirst)
    if (canSearch(store)) expect(idsOf(await listed(store, { words: ['desk'] }))).toEqual(newestFirst)
    for (const [index, key] of ['a', 'b'].entries()) {
      const id = index + 1
      const shown = newestFirst.includes(id) ? sampleAuction({ id, title: 'A desk' }) : undefined
      expect(await store.findAuction(auctionIdOf(id))).toStrictEqual(shown)
      expect(await findByKey(store, creationKey(key))).toStrictEqual(shown)
    }
  }

  test(`stores a prefix of the entries whose append fails ${when}, the same for all handles`, async (subject) => {
    const { store } = subject
    const entries = keyedEntries
    await outcomeDuring(trouble, subject, () => store.append(entries))
    if (effect === undefined) {
      const ledger = await ledgerOf(store)
      expect(ledger).toStrictEqual(entries.slice(0, ledger.length))
      await sendUntilStored(store, entries)
    } else {
      const done = (await store.findEntries(entries.map(({ id }) => id))).length
      if (effect !== 'a prefix')
        expect({ effect, done }).toEqual({ effect, done: effect === 'all' ? entries.length : 0 })
      await expectEntries(store, done)
      // The domain also repeats what it does not find.
      const left = entries.slice(done)
      expect(await store.append(entries)).toBe(done === 0 ? entries.length : 0)
      if (done > 0) expect(await store.append(left)).toBe(left.length)
    }
    for await (const handle of handlesOf(subject)) await expectEntries(handle, entries.length)
  })

  /** Checks that every read returns this many of the entries. */
  async function expectEntries(store: Store, count: number): Promise<void> {
    const stored = keyedEntries.slice(0, count)
    for (const entry of keyedEntries) {
      const shown = stored.includes(entry) ? [entry] : []
      expect(await store.findEntries([entry.id])).toStrictEqual(shown)
      expect(await store.findEntriesByKey(entry.requestKey ? [entry.requestKey] : [])).toStrictEqual(shown)
    }
    expect(await ledgerOf(store)).toStrictEqual(stored)
    expect(await headOf(store)).toStrictEqual(stored.at(-1))
  }
}

export function claimed({ test, expect }: Suite, trouble: Trouble): void {
  const { when, effect } = trouble

  test(`claims a block of ids whose claim fails ${when} for all handles or for none`, async (subject) => {
    const { store } = subject
    const first = await outcomeDuring(trouble, subject, () => store.claimNextIdBlock('entries'))
    // A claim may read before it writes, and a driver may repeat the read.
    const claimed = 'returned' in first ? Number(first.returned) : 0
    const next = await store.claimNextIdBlock('entries')
    const isExact = effect === 'nothing' || 'returned' in first
    const later = next - claimed
    expect(isExact || later !== 2 ? later : 1).toBe(1)
    let last = next
    for await (const handle of handlesOf(subject)) {
      last += 1
      expect(await handle.claimNextIdBlock('entries')).toBe(last)
    }
  })
}
