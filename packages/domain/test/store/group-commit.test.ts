import { setImmediate as nextTurn } from 'node:timers/promises'
import { createMemoryStore } from '@auction/adapters/memory'
import { sampleEntries } from '@auction/testing/samples'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createGroupCommit, type GroupCommitParts } from '../../src/store/batching.ts'
import type { Entry } from '../../src/store/store.ts'

type Group = {
  readonly appends: readonly (readonly Entry[])[]
  readonly isContended: boolean
  /** The number of groups of its kind in flight, including this one. */
  readonly inFlight: number
}

const sizeOf = ({ appends }: Group): number => appends.reduce((sum, { length }) => sum + length, 0)

/** A write that records its groups, takes a turn, and stores each append as if it were alone. */
function recording(wasContended?: (entries: readonly Entry[]) => boolean) {
  const store = createMemoryStore()
  const groups: Group[] = []
  const inFlight = { calm: 0, contended: 0 }
  const write: GroupCommitParts['write'] = async (appends, isContended) => {
    const kind = isContended ? 'contended' : 'calm'
    if (wasContended) expect(appends.map(wasContended)).toEqual(appends.map(() => isContended))
    inFlight[kind] += 1
    groups.push({ appends, isContended, inFlight: inFlight[kind] })
    await nextTurn()
    inFlight[kind] -= 1
    return Promise.all(appends.map((entries) => store.append(entries)))
  }
  return { store, groups, write }
}

/** Appends of auctions 1, 2, 3 … with the given numbers of entries. */
const appendsOf = (sizes: readonly number[]) =>
  sizes.map((size, index) => sampleEntries(size, { auctionId: index + 1, afterId: (index + 1) * 100 }))

const parts = fc.record({
  maxEntries: fc.integer({ min: 1, max: 12 }),
  maxWrites: fc.integer({ min: 1, max: 3 }),
  maxContendedWrites: fc.integer({ min: 1, max: 3 }),
  maxContendedEntries: fc.integer({ min: 1, max: 12 }),
})

describe('a group commit', () => {
  test('writes all waiting appends together, within its limits, and contended ones separately', async () => {
    const appended = fc.array(fc.record({ size: fc.integer({ min: 1, max: 5 }), isContended: fc.boolean() }), {
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(appended, parts, async (each, limits) => {
        const appends = appendsOf(each.map(({ size }) => size))
        const { store, groups, write } = recording(
          ([first]) => each[Number(first?.auctionId) - 1]?.isContended === true,
        )
        const append = createGroupCommit({ write, ...limits })
        const stored = appends.map((entries, index) => append(entries, each[index]))
        expect(await Promise.all(stored)).toEqual(each.map(({ size }) => size))
        for (const group of groups) {
          const maxEntries = group.isContended ? limits.maxContendedEntries : limits.maxEntries
          const maxWrites = group.isContended ? limits.maxContendedWrites : limits.maxWrites
          expect(group.appends.length === 1 || sizeOf(group) <= maxEntries).toBe(true)
          expect(group.inFlight).toBeLessThanOrEqual(maxWrites)
        }
        for (const isContended of [false, true]) {
          const written = groups.filter((group) => group.isContended === isContended).flatMap((group) => group.appends)
          expect(written).toEqual(appends.filter((_, index) => each[index]?.isContended === isContended))
        }
        for (const entries of appends) expect(await store.findEntries(entries.map(({ id }) => id))).toEqual(entries)
      }),
    )
  })

  test('by default writes 1,000 entries and one group at a time, for contended appends and for others', async () => {
    for (const isContended of [false, true]) {
      const { groups, write } = recording()
      const append = createGroupCommit({ write })
      const appends = appendsOf([1, 400, 600, 1, 1_001, 1, 1])
      await Promise.all(appends.map((entries) => append(entries, { isContended })))
      expect(groups.map(sizeOf)).toEqual([1, 1_000, 1, 1_001, 2])
      expect(groups.every(({ inFlight }) => inFlight === 1)).toBe(true)
    }
    const { groups, write } = recording()
    const append = createGroupCommit({ write, maxEntries: 2 })
    await Promise.all(appendsOf([1, 1, 1, 1]).map((entries) => append(entries, { isContended: true })))
    expect(groups.map(sizeOf)).toEqual([1, 2, 1])
  })

  test('writes immediately if the store is idle, even while contended appends are in flight', async () => {
    const { groups, write } = recording()
    const append = createGroupCommit({ write })
    const [first = [], second = [], third = []] = appendsOf([1, 1, 1])
    const stored = [append(first, { isContended: true }), append(second), append(third)]
    expect(groups.map(({ appends }) => appends)).toEqual([[first], [second]])
    expect(await Promise.all(stored)).toEqual([1, 1, 1])
  })

  test('returns the number of stored entries for each append if some of a group have taken keys', async () => {
    const { store, write } = recording()
    const append = createGroupCommit({ write })
    const appends = appendsOf([3, 3, 3, 3, 3])
    await store.append(appends[2]?.slice(0, 1) ?? [])
    const clashing = appends.map((entries, index) =>
      index === 3
        ? entries.map((entry) => (entry.sequence === 3 ? { ...entry, id: appends[2]?.[0]?.id ?? entry.id } : entry))
        : entries,
    )
    expect(await Promise.all(clashing.map((entries) => append(entries)))).toEqual([3, 3, 0, 2, 3])
  })

  test('never writes an append whose caller has left', async () => {
    const { groups, write } = recording()
    const append = createGroupCommit({ write })
    const left = { signal: { aborted: true } }
    const [first = [], second = [], third = []] = appendsOf([1, 1, 1])
    const results = await Promise.allSettled([append(first), append(second, left), append(third)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(groups.map(({ appends }) => appends)).toEqual([[first], [third]])
  })

  test('writes a refused group again in halves, and reports as taken what was stored before', async () => {
    const { store, groups, write } = recording()
    const appends = appendsOf([1, 2, 2, 2, 2])
    const append = createGroupCommit({
      async write(group, isContended) {
        const stored = await write(group, isContended)
        if (group.some(([first]) => first?.auctionId === appends[3]?.[0]?.auctionId)) throw new RangeError('refused')
        return stored
      },
    })
    const results = await Promise.allSettled(appends.map((entries) => append(entries)))
    // The whole group was stored before it was refused: the retry finds its keys taken, and the caller looks up the
    // entries.
    expect(results).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: 0 },
      { status: 'fulfilled', value: 0 },
      { status: 'rejected', reason: new RangeError('refused') },
      { status: 'fulfilled', value: 0 },
    ])
    expect(groups.map(({ appends: group }) => group.length)).toEqual([1, 4, 2, 2, 1, 1])
    for (const entries of appends)
      expect((await store.findEntries(entries.map(({ id }) => id))).length).toBe(entries.length)
  })
})
