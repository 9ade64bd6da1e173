import { createGroupCommit, type GroupCommitParts } from '@auction/domain/batching'
import type { Entry, Store } from '@auction/domain/store'
import { type Plant, type StoreMutation, wrongCall, wrongCalls } from '../planted.ts'
import { pause } from '../prove-contract.ts'
import { away } from '../subjects.ts'

const either = (test: string, contended = `${test}, contended`) => [test, contended]
const counts =
  'stores concurrent appends of many auctions, each in its order, and returns for each how many entries it stored'
const mixed = 'stores contended and other appends at once, on several handles'
const conflicts = either('ends only the append that has a taken key, at that key')
const crossing = 'refuses in concurrent appends with common keys only what another append has stored'
const rivals = either(
  'stores exactly one of several concurrent appends of an auction, completely',
  'stores exactly one of several concurrent contended appends of an auction, completely',
)
const twice = either(
  'stores entries once when several concurrent appends have them',
  'stores entries once when several concurrent contended appends have them',
)
const abandoned = either('stores what an aborted append returns, and all of the others')

type Appends = readonly (readonly Entry[])[]

/** A store with a bug in how it groups appends. */
const grouping: Plant<(right: Store, appends: Appends) => Promise<readonly number[]>> = (bug, caughtBy, write) =>
  wrongCalls(bug, caughtBy, (right) => ({ append: groupCommit((appends) => write(right, appends)) }))

/** A correct store that groups appends during a write that takes time. */
const groupCommit = (write: GroupCommitParts['write']): Store['append'] =>
  createGroupCommit({
    async write(appends, isContended) {
      await pause()
      return write(appends, isContended)
    },
  })

/** Stores each append as if it were alone. */
async function inTurn(right: Store, appends: Appends): Promise<readonly number[]> {
  const stored: number[] = []
  for (const entries of appends) stored.push(await right.append(entries))
  return stored
}

const groups: readonly StoreMutation[] = [
  grouping(
    'returns for the appends of a group what another one stored',
    [counts, mixed, ...conflicts],
    async (right, appends) => (await inTurn(right, appends)).toReversed(),
  ),
  grouping('returns for each append how much the group stored', [counts, ...conflicts], async (right, appends) => {
    const stored = await inTurn(right, appends)
    return stored.map(() => stored.reduce((sum, count) => sum + count, 0))
  }),
  grouping(
    'returns for the appends of a group that all is stored',
    [...conflicts, ...rivals, ...twice, crossing],
    async (right, appends) => {
      await inTurn(right, appends)
      return appends.map(({ length }) => length)
    },
  ),
  grouping('ends a group at the first taken key', conflicts, async (right, appends) => {
    const stored: number[] = []
    let hasConflict = false
    for (const entries of appends) {
      const count: number = hasConflict ? 0 : await right.append(entries)
      hasConflict ||= count < entries.length
      stored.push(count)
    }
    return stored
  }),
  grouping('ends the append after the one with a taken key', conflicts, async (right, appends) => {
    const stored: number[] = []
    let before = false
    for (const entries of appends) {
      const count: number = before ? 0 : await right.append(entries)
      before = !before && count < entries.length
      stored.push(count)
    }
    return stored
  }),
  grouping('continues after a taken key in an append', conflicts, async (right, appends) => {
    const stored: number[] = []
    for (const entries of appends) {
      let count = 0
      for (const entry of entries) count += await right.append([entry])
      stored.push(count)
    }
    return stored
  }),
  grouping('stores an append that begins with a taken key', conflicts, async (right, appends) => {
    const stored: number[] = []
    for (const entries of appends) {
      const taken = await right.findEntriesByKey(entries.flatMap(({ requestKey }) => requestKey ?? []))
      const ids = await right.findEntries(entries.map(({ id }) => id))
      stored.push(taken.length + ids.length > 0 ? 0 : await right.append(entries))
    }
    return stored
  }),
  grouping('treats the appends of one auction as one', rivals, async (right, appends) => {
    const counts = new Map<unknown, number>()
    for (const entries of appends) {
      for (const { auctionId } of entries.slice(0, 1)) {
        counts.set(auctionId, (counts.get(auctionId) ?? 0) + (await right.append(entries)))
      }
    }
    return appends.map((entries) => counts.get(entries[0]?.auctionId) ?? 0)
  }),
  grouping('returns the stored entries at the end as those of an append', twice, async (right, appends) => {
    await inTurn(right, appends)
    const found = appends.map(async (entries) => (await right.findEntries(entries.map(({ id }) => id))).length)
    return Promise.all(found)
  }),
  grouping('writes the entries of a group by their sequences', conflicts, async (right, appends) => {
    const stored = appends.map(() => 0)
    const entries = appends.flatMap((append, index) => append.map((entry) => ({ entry, index })))
    for (const { entry, index } of entries.toSorted((a, b) => a.entry.sequence - b.entry.sequence)) {
      stored[index] = (stored[index] ?? 0) + (await right.append([entry]))
    }
    return stored
  }),
  grouping('loses the last append of a group', [counts, mixed], async (right, appends) => {
    await inTurn(right, appends.length > 1 ? appends.slice(0, -1) : appends)
    return appends.map(({ length }) => length)
  }),
]

/** A store that locks the keys of an append one by one, and fails if another append waits for it. */
const deadlocking = (right: Store): Partial<Store> => {
  const locked = new Map<unknown, number>()
  let appends = 0
  return {
    append: async (entries) => {
      appends += 1
      const own = appends
      for (const { requestKey } of entries) {
        if (requestKey !== undefined && (locked.get(requestKey) ?? own) !== own) throw away()
        locked.set(requestKey, own)
        await pause()
      }
      for (const [key, owner] of locked) if (owner === own) locked.delete(key)
      return right.append(entries)
    },
  }
}

const alone: readonly StoreMutation[] = [
  wrongCalls('fails when appends take each other’s keys', crossing, deadlocking),
  wrongCall('stores no contended append', mixed, 'append', async (right, entries, options) =>
    options?.isContended ? 0 : right.append(entries),
  ),
  wrongCalls(
    'accepts one contended append at a time, and refuses others',
    [mixed, ...[conflicts, rivals, twice, abandoned].flatMap(([, contended = '']) => contended)],
    (right) => {
      let isBusy = false
      return {
        append: async (entries, options) => {
          if (options?.isContended !== true) return right.append(entries)
          if (isBusy) throw away()
          isBusy = true
          await pause()
          isBusy = false
          return right.append(entries)
        },
      }
    },
  ),
  wrongCalls('reads the head of an auction, and stores later', [...rivals, ...twice], (right) => {
    const taken = new Map<unknown, readonly Entry[]>()
    return {
      append: async (entries) => {
        const [first] = entries
        if (first === undefined) return 0
        const [head] = await right.findHeads([first.auctionId])
        await pause()
        if (head !== undefined && head.sequence >= first.sequence) return 0
        taken.set(first.auctionId, entries)
        await right.append(entries)
        return entries.length
      },
    }
  }),
]

const leaving: readonly StoreMutation[] = [
  wrongCall(
    'reports an aborted append as stored that it omitted',
    abandoned,
    'append',
    async (right, entries, options) => (options?.signal?.aborted ? entries.length : right.append(entries, options)),
  ),
  wrongCall(
    'reports an aborted append as not stored, and stores it',
    abandoned,
    'append',
    async (right, entries, options) => {
      const stored = await right.append(entries)
      return options?.signal?.aborted ? 0 : stored
    },
  ),
  wrongCall('refuses an aborted append, and stores it', abandoned, 'append', async (right, entries, options) => {
    const isLeft = options?.signal?.aborted
    const stored = await right.append(entries)
    if (isLeft) throw away()
    return stored
  }),
  wrongCall('stores the beginning of an aborted append', abandoned, 'append', async (right, entries, options) =>
    right.append(options?.signal?.aborted ? entries.slice(0, 1) : entries),
  ),
  wrongCall('throws another error for an aborted append', abandoned, 'append', async (right, entries, options) => {
    if (options?.signal?.aborted) throw new Error('This operation was aborted')
    return right.append(entries)
  }),
  wrongCalls('omits a whole group if one of its appends is aborted', abandoned.slice(0, 1), (right) => {
    const signals = new Map<readonly Entry[], { readonly aborted: boolean } | undefined>()
    const append = groupCommit(async (appends) => {
      if (appends.some((entries) => signals.get(entries)?.aborted)) throw away()
      return inTurn(right, appends)
    })
    return {
      append: (entries, options) => {
        signals.set(entries, options?.signal)
        return append(entries)
      },
    }
  }),
]

export const appendsAtOnceMutations: readonly StoreMutation[] = [...groups, ...alone, ...leaving]
