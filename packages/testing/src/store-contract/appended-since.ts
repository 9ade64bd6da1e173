import type { AuctionId } from '@auction/domain/ids'
import { type Appended, type Entry, maxAppended, type Store } from '@auction/domain/store'
import { sampleCancelled, sampleEntries, sampleEntry } from '../samples.ts'
import { auctionIdOf, auctionIdsOf, inBatches, range, whileInFlight } from './helpers.ts'
import { otherHandle, type Suite } from './suite.ts'

/** Notices the entries of auctions as a service does: it reads their last ones when the store does not know. */
function createFollower(store: Store, auctionIds: readonly AuctionId[]) {
  const sequences = new Map<AuctionId, number>()
  let last: string | undefined
  return {
    sequences: () => auctionIds.map((id) => sequences.get(id) ?? 0),
    mark: () => last,
    /** Returns what the store reports. */
    async look(mark = last): Promise<readonly Appended[] | undefined> {
      const since = await store.appendedSince?.(mark)
      last = since?.mark
      for (const { auctionId, sequence } of since?.appended ?? (await store.findHeads(auctionIds))) {
        sequences.set(auctionId, Math.max(sequence, sequences.get(auctionId) ?? 0))
      }
      return since?.appended
    },
  }
}

/** Entries of an auction, from the first sequence on. */
const sampleLedger = (auctionId: number, length: number) =>
  sampleEntries(length, { auctionId, afterId: 10 * auctionId })

/** As many entries as an append has, of the largest size, so that it takes long. */
const largeLedger = (auctionId: number): readonly Entry[] =>
  range(1, 500).map((sequence) => ({
    ...sampleCancelled({ id: 1_000 * auctionId + sequence, auctionId }, '🏺'.repeat(500)),
    sequence,
  }))

/** Marks that no store has returned. */
const foreignMarks = [
  '',
  '0',
  '1',
  '-1',
  '1/2',
  '9007199254740993',
  'x',
  'null',
  '{}',
  '1:1:',
  '9:9:9',
  'x'.repeat(1_000),
]

/** A caller that follows the marks of a store misses nothing. A store without `appendedSince` passes. */
export function appendedSince(suite: Suite): void {
  reportedAppends(suite)
  marks(suite)
}

function reportedAppends({ test, expect, knowsAppends }: Suite): void {
  test('reports the appends of every handle, if it has appendedSince', async (subject) => {
    const [store, other] = [subject.store, await otherHandle(subject)]
    const follower = createFollower(store, auctionIdsOf([1, 2]))
    await follower.look()
    for (const turn of [1, 2, 3]) {
      await other.append(sampleEntries(2 * turn).slice(-2))
      await store.append([sampleEntry({ id: 100 + turn, auctionId: 2, sequence: turn })])
      // Nothing is stored, because a key is taken.
      await store.append([sampleEntry({ id: 100 + turn, auctionId: 2, sequence: 9 })])
      const appended = await follower.look()
      expect(follower.sequences()).toEqual([2 * turn, turn])
      if (knowsAppends) expect(new Set(appended?.map(({ auctionId }) => auctionId)).size).toBe(2)
      if (knowsAppends) expect(await follower.look()).toEqual([])
    }
  })

  test('reports every append at once with others, and of none that a read does not show', async (subject) => {
    const handles = [subject.store, await otherHandle(subject)]
    const lengths = range(1, 10).map((id) => 1 + (id % 3))
    const appends = lengths.map(async (length, index) => {
      const store = handles[index % 2] ?? subject.store
      const follower = createFollower(store, auctionIdsOf(range(1, lengths.length)))
      await follower.look()
      const auctionId = index + 1
      expect(await store.append(sampleLedger(auctionId, length))).toBe(length)
      const appended = (await follower.look()) ?? []
      const heads = await store.findHeads(appended.map((each) => each.auctionId))
      const shown = new Map(heads.map((head) => [head.auctionId, head.sequence]))
      expect(appended.filter((each) => each.sequence > (shown.get(each.auctionId) ?? 0))).toEqual([])
      return follower
    })
    for (const follower of await Promise.all(appends)) {
      await follower.look()
      expect(follower.sequences()).toEqual(lengths)
    }
  })

  test('reports large appends that commit after later small ones', async (subject) => {
    const other = await otherHandle(subject)
    const largeIds = range(1, 5)
    const follower = createFollower(subject.store, auctionIdsOf(largeIds))
    await follower.look()
    if ((await follower.look()) === undefined) return
    for (const id of largeIds) {
      let small = 100 * id
      await whileInFlight(subject.store.append(largeLedger(id)), async () => {
        small += 1
        if (small % 100 > 10) return
        await other.append([sampleEntry({ id: small, auctionId: small })])
        await follower.look()
      })
      await follower.look()
      expect(follower.sequences()).toEqual(largeIds.map((each) => (each <= id ? 500 : 0)))
    }
  })
}

function marks({ test, expect, knowsAppends }: Suite): void {
  test('does not know what was appended after a mark of other data', async ({ store }) => {
    if (store.appendedSince === undefined) return
    await store.append(sampleEntries(2))
    for (const [index, mark] of foreignMarks.entries()) {
      const follower = createFollower(store, auctionIdsOf([1]))
      expect(await follower.look(mark)).toBe(undefined)
      await store.append([sampleEntry({ id: 3 + index, sequence: 3 + index })])
      await follower.look()
      expect(follower.sequences()).toEqual([3 + index])
    }
  })

  test('reports a bounded number of appends, and of all of them if it knows', async ({ store }) => {
    if (!knowsAppends) return
    const ids = range(1, maxAppended + 1)
    const follower = createFollower(store, auctionIdsOf(ids))
    await follower.look()
    await inBatches(ids, (id) => store.append([sampleEntry({ id, auctionId: id })]))
    const appended = (await follower.look()) ?? []
    expect(Math.max(appended.length, maxAppended)).toBe(maxAppended)
    expect(follower.sequences().filter((sequence) => sequence !== 1)).toEqual([])
    await store.append([sampleEntry({ id: 5_000, sequence: 2 })])
    expect(await follower.look()).toEqual([{ auctionId: auctionIdOf(1), sequence: 2 }])
  })
}

/** The marks of a store that is reopened. */
export function appendedSinceReopening({ test, expect }: Suite): void {
  test('reports the appends after a mark from before it was reopened, or does not know', async ({ store, reopen }) => {
    await store.append(sampleEntries(1))
    const before = createFollower(store, auctionIdsOf([1]))
    await before.look()
    await store.append(sampleEntries(2).slice(1))
    const later = (await reopen?.()) ?? store
    for (const sequence of [3, 4]) {
      const after = createFollower(later, auctionIdsOf([1]))
      await after.look(before.mark())
      expect(after.sequences()).toEqual([sequence - 1])
      await later.append([sampleEntry({ id: sequence, sequence })])
      await after.look()
      expect(after.sequences()).toEqual([sequence])
    }
  })
}
