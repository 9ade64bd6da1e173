import { createMemoryStore } from '@auction/adapters/memory'
import type { Entry, Store } from '@auction/domain/store'
import { type Plant, type StoreMutation, wrongCall, wrongCalls, wrongCount, wrongStep } from '../planted.ts'
import { type CaughtBy, pause } from '../prove-contract.ts'
import { createStoreOfSteps, rightSteps } from '../store-of-steps.ts'

const atHead = 'refuses a taken sequence at the head'
const behindHead = 'refuses a taken sequence before the head'
const idHere = 'refuses a taken id in the same auction'
const idThere = 'refuses a taken id in any other auction'
const keyHere = 'refuses a taken request’s key in the same auction'
const keyThere = 'refuses a taken request’s key in any other auction'
const again = 'refuses an entry that is stored already'
const beforeSequence = 'stores exactly the entries before a taken sequence'
const beforeId = 'stores exactly the entries before a taken id'
const beforeKey = 'stores exactly the entries before a taken request’s key'
const beforeIdThere = 'stores exactly the entries before an id of another auction'
const beforeKeyThere = 'stores exactly the entries before a request’s key of another auction'
const sequenceTwice = 'detects a duplicate sequence within an append'
const idTwice = 'detects a duplicate id within an append'
const keyTwice = 'detects a duplicate request’s key within an append'
const free = 'stores no key of an entry that it does not store'
const hundred = 'keeps working after a hundred taken keys'
const keyless = 'does not treat entries without a key as duplicates, in one auction or in many'

const hasId = (a: Entry, b: Entry) => a.id === b.id
const hasSequence = (a: Entry, b: Entry) => a.auctionId === b.auctionId && a.sequence === b.sequence
const hasKey = (a: Entry, b: Entry) => a.requestKey !== undefined && a.requestKey === b.requestKey

/** A store that moves the head of an auction to the entry at which an append ended. */
const rewindingHeads = (right: Store): Partial<Store> => {
  const ends = new Map<number, number>()
  return {
    append: async (entries) => {
      const stored = await right.append(entries)
      for (const { auctionId, sequence } of entries.slice(0, stored + 1)) ends.set(auctionId, sequence)
      return stored
    },
    findHeads: async (ids) => {
      const found = await Promise.all(
        ids.map((id) => right.listEntries(id, { limit: 1, before: (ends.get(id) ?? 0) + 1 })),
      )
      return found.flat()
    },
  }
}

/** A store that treats an entry as taken if one of these holds for it and a stored entry. */
const takenBy: Plant<readonly ((a: Entry, b: Entry) => boolean)[]> = (bug, caughtBy, isSame) =>
  wrongStep(bug, caughtBy, 'isTakenEntry', (entry, stored) =>
    stored.some((each) => isSame.some((same) => same(each, entry))),
  )

const keys: readonly StoreMutation[] = [
  takenBy('takes a sequence twice', [atHead, behindHead, beforeSequence], [hasId, hasKey]),
  takenBy('takes an id twice', [idHere, idThere, beforeId], [hasSequence, hasKey]),
  takenBy('takes a request’s key twice', [keyHere, keyThere, beforeKey, keyTwice], [hasSequence, hasId]),
  takenBy(
    'requires unique ids only within an auction',
    [idThere, beforeIdThere],
    [hasSequence, hasKey, (a, b) => hasId(a, b) && a.auctionId === b.auctionId],
  ),
  takenBy(
    'requires unique keys only within an auction',
    [keyThere, beforeKeyThere],
    [hasSequence, hasId, (a, b) => hasKey(a, b) && a.auctionId === b.auctionId],
  ),
  takenBy('requires unique keys only within a bucket of auctions', keyThere, [
    hasSequence,
    hasId,
    (a, b) => hasKey(a, b) && a.auctionId % 4 === b.auctionId % 4,
  ]),
  takenBy('requires unique ids only within a bucket of auctions', idThere, [
    hasSequence,
    hasKey,
    (a, b) => hasId(a, b) && a.auctionId % 4 === b.auctionId % 4,
  ]),
  takenBy('treats entries without a key as duplicates', keyless, [
    hasSequence,
    hasId,
    (a, b) => a.requestKey === b.requestKey,
  ]),
  takenBy('treats an auction’s entries without a key as duplicates', keyless, [
    hasSequence,
    hasId,
    hasKey,
    (a, b) => a.requestKey === b.requestKey && a.auctionId === b.auctionId,
  ]),
  takenBy('treats entries without a key in a bucket of auctions as duplicates', keyless, [
    hasSequence,
    hasId,
    hasKey,
    (a, b) => a.requestKey === b.requestKey && a.auctionId !== b.auctionId && a.auctionId % 16 === b.auctionId % 16,
  ]),
  wrongStep(
    'compares sequences only with the last entry',
    behindHead,
    'isTakenEntry',
    (entry, stored) =>
      stored.some((each) => hasId(each, entry) || hasKey(each, entry)) ||
      stored.slice(-1).some((each) => hasSequence(each, entry)),
  ),
  wrongCalls('moves a head back to a taken sequence', [behindHead, beforeSequence], rewindingHeads),
  wrongCall('reports an existing entry as stored', [again, idHere], 'append', async (right, entries) => {
    const [only, ...others] = entries
    const isStored = only !== undefined && others.length === 0 && (await right.findEntries([only.id])).length > 0
    return isStored ? 1 : right.append(entries)
  }),
  wrongCount('returns that all is stored', [beforeSequence, beforeId, beforeKey], (_, { length }) => length),
  wrongCall(
    'stores the entries after a conflict',
    [beforeSequence, beforeId, beforeKey],
    'append',
    async (right, entries) => {
      let prefix: number | undefined
      for (const [index, entry] of entries.entries()) {
        const stored = await right.append([entry])
        if (stored === 0) prefix ??= index
      }
      return prefix ?? entries.length
    },
  ),
  wrongCall('counts what it stored on both sides of a conflict', beforeSequence, 'append', async (right, entries) => {
    let stored = 0
    for (const entry of entries) stored += await right.append([entry])
    return stored
  }),
  wrongCall('stores entries by sequence, regardless of their order', beforeSequence, 'append', (right, entries) =>
    right.append(entries.toSorted((a, b) => a.sequence - b.sequence)),
  ),
  wrongCalls('stores all or nothing', beforeSequence, (right) => ({ append: allOrNothing(right) })),
  wrongCount('returns the place of the conflict counted from 1', [atHead, beforeSequence], (stored, { length }) =>
    stored < length ? stored + 1 : stored,
  ),
  lookingAhead('looks at sequences before an append, and not within it', sequenceTwice, hasSequence),
  lookingAhead('looks at ids before an append, and not within it', idTwice, hasId),
  lookingAhead('looks at keys before an append, and not within it', keyTwice, hasKey),
]

const allOrNothing =
  (right: Store): Store['append'] =>
  async (entries) => {
    const rehearsal = createMemoryStore()
    const taken = [
      ...(await right.findEntries(entries.map(({ id }) => id))),
      ...(await right.findEntriesByKey(entries.flatMap(({ requestKey }) => requestKey ?? []))),
      ...(await Promise.all(entries.map(({ auctionId }) => right.listEntries(auctionId, { limit: 1_000 })))).flat(),
    ]
    for (const entry of taken) await rehearsal.append([entry])
    return (await rehearsal.append(entries)) === entries.length ? right.append(entries) : 0
  }

/** A store that compares one kind of key with what was stored before the append only. */
function lookingAhead(bug: string, caughtBy: CaughtBy, isSame: (a: Entry, b: Entry) => boolean): StoreMutation {
  return wrongCalls(bug, caughtBy, () => {
    let before = 0
    const careless = createStoreOfSteps({
      isTakenEntry: (entry, stored) =>
        rightSteps.isTakenEntry(
          entry,
          stored.filter((each, index) => index < before || !isSame(each, entry)),
        ),
    })
    return {
      ...careless,
      append: async (entries) => {
        const appended = await careless.append(entries)
        before += appended
        return appended
      },
    }
  })
}

/** A store that records some keys of all entries that it receives, including those that it does not store. */
const noting = (bug: string, keyOf: (entry: Entry) => string | undefined): StoreMutation =>
  wrongCalls(bug, free, (right) => {
    const noted = new Map<string, number>()
    return {
      append: async (entries) => {
        for (const [index, entry] of entries.entries()) {
          const key = keyOf(entry)
          if (key !== undefined && (noted.get(key) ?? entry.auctionId) !== entry.auctionId) {
            return right.append(entries.slice(0, index))
          }
          if (key !== undefined) noted.set(key, entry.auctionId)
        }
        return right.append(entries)
      },
    }
  })

const leaving: readonly StoreMutation[] = [
  noting('leaves the id of an entry that it refused taken', ({ id }) => `${id}`),
  noting('leaves the key of an entry that it refused taken', ({ requestKey }) => requestKey),
  wrongCalls('keeps a connection for each taken key', hundred, (right) => {
    let left = 100
    return {
      append: async (entries) => {
        if (left === 0) throw new Error('no connection came free in time')
        const appended = await right.append(entries)
        if (appended < entries.length) left -= 1
        return appended
      },
    }
  }),
]

const sequenceRace = 'lets exactly one of many concurrent appends of a sequence win, and lets all callers find it'
const idRace = 'lets exactly one of many concurrent appends of an id win, and lets all callers find it'
const keyRace = 'lets exactly one of many concurrent appends of a request’s key win, and lets all callers find it'

const races: readonly StoreMutation[] = [
  wrongStep(
    'checks whether entries are taken, and inserts later',
    [sequenceRace, idRace, keyRace],
    'beforeInsert',
    pause,
  ),
  wrongCall(
    'reports the entry of another append as stored',
    [sequenceRace, atHead],
    'append',
    async (right, entries) => {
      const stored = await right.append(entries)
      await pause()
      for (const [index, entry] of entries.entries()) {
        const [there] = await right.listEntries(entry.auctionId, { limit: 1, before: entry.sequence + 1 })
        if (index >= stored && there?.sequence !== entry.sequence) return index
      }
      return entries.length
    },
  ),
]

export const takenKeyMutations: readonly StoreMutation[] = [...keys, ...leaving, ...races]
