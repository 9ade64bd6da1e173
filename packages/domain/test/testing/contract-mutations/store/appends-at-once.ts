import { createGroupCommit, type GroupCommitParts } from '../../../../src/group-commit.ts'
import type { Entry } from '../../../../src/ledger/entry.ts'
import type { Store } from '../../../../src/store.ts'
import { away, replaced, type StoreMutation } from '../planted.ts'
import { pause } from '../prove-contract.ts'

const either = (test: string, contended = `${test}, contended`) => [test, contended]
const counts = 'stores the appends of many auctions at once, each in its order, and says of each how many it has stored'
const mixed = 'stores contended appends and others at once, on several handles'
const conflicts = either('ends at a taken key the append that meets it, and no other')
const crossing = 'refuses of appends that take each other’s keys at once only what another has taken'
const rivals = either(
  'stores one of several appends of an auction that are made at once, as a whole',
  'stores one of several contended appends of an auction that are made at once, as a whole',
)
const twice = either(
  'stores once what several appends at once are to store',
  'stores once what several contended appends at once are to store',
)
const abandoned = either('has of an append whose caller has stopped waiting what it says, and of others all')

type Appends = readonly (readonly Entry[])[]

/** A store that writes appends together, in its own way. */
const grouping = (
  bug: string,
  write: (right: Store, appends: Appends) => Promise<readonly number[]>,
  ...caughtBy: readonly string[]
): StoreMutation => replaced(bug, (right) => ({ append: groupCommit((appends) => write(right, appends)) }), ...caughtBy)

/** As stores have it, with a write that takes its time. */
const groupCommit = (write: GroupCommitParts['write']): Store['append'] =>
  createGroupCommit({
    async write(appends) {
      await pause()
      return write(appends)
    },
  })

/** Each append as if it were alone. */
async function inTurn(right: Store, appends: Appends): Promise<readonly number[]> {
  const stored: number[] = []
  for (const entries of appends) stored.push(await right.append(entries))
  return stored
}

const groups: readonly StoreMutation[] = [
  grouping(
    'says of the appends of a group what another has stored',
    async (right, appends) => (await inTurn(right, appends)).toReversed(),
    counts,
    mixed,
    ...conflicts,
  ),
  grouping(
    'says of each append how much the group has stored',
    async (right, appends) => {
      const stored = await inTurn(right, appends)
      return stored.map(() => stored.reduce((sum, count) => sum + count, 0))
    },
    counts,
    ...conflicts,
  ),
  grouping(
    'says of the appends of a group that all is stored',
    async (right, appends) => {
      await inTurn(right, appends)
      return appends.map(({ length }) => length)
    },
    ...conflicts,
    ...rivals,
    ...twice,
    crossing,
  ),
  grouping(
    'ends a group at the first key that is taken',
    async (right, appends) => {
      const stored: number[] = []
      let hasConflict = false
      for (const entries of appends) {
        const count: number = hasConflict ? 0 : await right.append(entries)
        hasConflict ||= count < entries.length
        stored.push(count)
      }
      return stored
    },
    ...conflicts,
  ),
  grouping(
    'ends the append behind the one that met a taken key',
    async (right, appends) => {
      const stored: number[] = []
      let before = false
      for (const entries of appends) {
        const count: number = before ? 0 : await right.append(entries)
        before = !before && count < entries.length
        stored.push(count)
      }
      return stored
    },
    ...conflicts,
  ),
  grouping(
    'goes on behind a taken key in an append',
    async (right, appends) => {
      const stored: number[] = []
      for (const entries of appends) {
        let count = 0
        for (const entry of entries) count += await right.append([entry])
        stored.push(count)
      }
      return stored
    },
    ...conflicts,
  ),
  grouping(
    'stores an append that meets a taken key with nothing before that',
    async (right, appends) => {
      const stored: number[] = []
      for (const entries of appends) {
        const taken = await right.findEntriesByKey(entries.flatMap(({ requestKey }) => requestKey ?? []))
        const ids = await right.findEntries(entries.map(({ id }) => id))
        stored.push(taken.length + ids.length > 0 ? 0 : await right.append(entries))
      }
      return stored
    },
    ...conflicts,
  ),
  grouping(
    'takes the appends of one auction for one',
    async (right, appends) => {
      const counts = new Map<unknown, number>()
      for (const entries of appends) {
        for (const { auctionId } of entries.slice(0, 1)) {
          counts.set(auctionId, (counts.get(auctionId) ?? 0) + (await right.append(entries)))
        }
      }
      return appends.map((entries) => counts.get(entries[0]?.auctionId) ?? 0)
    },
    ...rivals,
  ),
  grouping(
    'takes what is stored in the end for what an append has stored',
    async (right, appends) => {
      await inTurn(right, appends)
      const found = appends.map(async (entries) => (await right.findEntries(entries.map(({ id }) => id))).length)
      return Promise.all(found)
    },
    ...twice,
  ),
  grouping(
    'writes the entries of a group by their sequences',
    async (right, appends) => {
      const stored = appends.map(() => 0)
      const entries = appends.flatMap((append, index) => append.map((entry) => ({ entry, index })))
      for (const { entry, index } of entries.toSorted((a, b) => a.entry.sequence - b.entry.sequence)) {
        stored[index] = (stored[index] ?? 0) + (await right.append([entry]))
      }
      return stored
    },
    ...conflicts,
  ),
  grouping(
    'loses the last append of a group',
    async (right, appends) => {
      await inTurn(right, appends.length > 1 ? appends.slice(0, -1) : appends)
      return appends.map(({ length }) => length)
    },
    counts,
    mixed,
  ),
]

/** A store that locks what an append is to take, key by key, and gives up where another append waits for it. */
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
  replaced('gives up where appends take each other’s keys', deadlocking, crossing),
  replaced(
    'stores no contended append',
    (right) => ({ append: async (entries, options) => (options?.isContended ? 0 : right.append(entries)) }),
    mixed,
  ),
  replaced(
    'takes one contended append at a time, and refuses others',
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
    mixed,
    ...[conflicts, rivals, twice, abandoned].flatMap(([, contended = '']) => contended),
  ),
  replaced(
    'looks at the head of an auction, and stores later',
    (right) => {
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
    },
    ...rivals,
    ...twice,
  ),
]

const leaving: readonly StoreMutation[] = [
  replaced(
    'says stored of an append that it left out, as nobody waits for it',
    (right) => ({
      append: async (entries, options) => (options?.signal?.aborted ? entries.length : right.append(entries, options)),
    }),
    ...abandoned,
  ),
  replaced(
    'says that nothing is stored of an append that nobody waits for, and stores it',
    (right) => ({
      append: async (entries, options) => {
        const stored = await right.append(entries)
        return options?.signal?.aborted ? 0 : stored
      },
    }),
    ...abandoned,
  ),
  replaced(
    'refuses an append that nobody waits for, and stores it',
    (right) => ({
      append: async (entries, options) => {
        const isLeft = options?.signal?.aborted
        const stored = await right.append(entries)
        if (isLeft) throw away()
        return stored
      },
    }),
    ...abandoned,
  ),
  replaced(
    'stores the beginning of an append that nobody waits for',
    (right) => ({
      append: async (entries, options) => right.append(options?.signal?.aborted ? entries.slice(0, 1) : entries),
    }),
    ...abandoned,
  ),
  replaced(
    'throws another error where nobody waits',
    (right) => ({
      append: async (entries, options) => {
        if (options?.signal?.aborted) throw new Error('This operation was aborted')
        return right.append(entries)
      },
    }),
    ...abandoned,
  ),
  replaced(
    'leaves a whole group out where nobody waits for one of its appends',
    (right) => {
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
    },
    ...abandoned.slice(0, 1),
  ),
]

export const appendsAtOnceMutations: readonly StoreMutation[] = [...groups, ...alone, ...leaving]
