import type { Entry, Store } from '@auction/domain/store'
import { createPlainStore, rightSteps } from '../../../../domain/test/support/plain-store.ts'
import { replaced, type StoreMutation, saying, swapped } from '../planted.ts'
import { pause } from '../prove-contract.ts'

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
const takenBy = (
  bug: string,
  isSame: readonly ((a: Entry, b: Entry) => boolean)[],
  ...caughtBy: readonly string[]
): StoreMutation =>
  swapped(
    bug,
    { isTakenEntry: (entry, stored) => stored.some((each) => isSame.some((same) => same(each, entry))) },
    ...caughtBy,
  )

const keys: readonly StoreMutation[] = [
  takenBy('takes a sequence twice', [hasId, hasKey], atHead, behindHead, beforeSequence),
  takenBy('takes an id twice', [hasSequence, hasKey], idHere, idThere, beforeId),
  takenBy('takes a request’s key twice', [hasSequence, hasId], keyHere, keyThere, beforeKey, keyTwice),
  takenBy(
    'requires unique ids only within an auction',
    [hasSequence, hasKey, (a, b) => hasId(a, b) && a.auctionId === b.auctionId],
    idThere,
    beforeIdThere,
  ),
  takenBy(
    'requires unique keys only within an auction',
    [hasSequence, hasId, (a, b) => hasKey(a, b) && a.auctionId === b.auctionId],
    keyThere,
    beforeKeyThere,
  ),
  takenBy(
    'requires unique keys only within a bucket of auctions',
    [hasSequence, hasId, (a, b) => hasKey(a, b) && a.auctionId % 4 === b.auctionId % 4],
    keyThere,
  ),
  takenBy(
    'requires unique ids only within a bucket of auctions',
    [hasSequence, hasKey, (a, b) => hasId(a, b) && a.auctionId % 4 === b.auctionId % 4],
    idThere,
  ),
  takenBy(
    'treats entries without a key as duplicates',
    [hasSequence, hasId, (a, b) => a.requestKey === b.requestKey],
    keyless,
  ),
  takenBy(
    'treats an auction’s entries without a key as duplicates',
    [hasSequence, hasId, hasKey, (a, b) => a.requestKey === b.requestKey && a.auctionId === b.auctionId],
    keyless,
  ),
  takenBy(
    'treats entries without a key in a bucket of auctions as duplicates',
    [
      hasSequence,
      hasId,
      hasKey,
      (a, b) => a.requestKey === b.requestKey && a.auctionId !== b.auctionId && a.auctionId % 16 === b.auctionId % 16,
    ],
    keyless,
  ),
  swapped(
    'compares sequences only with the last entry',
    {
      isTakenEntry: (entry, stored) =>
        stored.some((each) => hasId(each, entry) || hasKey(each, entry)) ||
        stored.slice(-1).some((each) => hasSequence(each, entry)),
    },
    behindHead,
  ),
  replaced('moves a head back to a taken sequence', rewindingHeads, behindHead, beforeSequence),
  replaced(
    'reports an existing entry as stored',
    (right) => ({
      append: async (entries) => {
        const [only, ...others] = entries
        const isStored = only !== undefined && others.length === 0 && (await right.findEntries([only.id])).length > 0
        return isStored ? 1 : right.append(entries)
      },
    }),
    again,
    idHere,
  ),
  saying('returns that all is stored', (_, { length }) => length, beforeSequence, beforeId, beforeKey),
  replaced(
    'stores the entries after a conflict',
    (right) => ({
      append: async (entries) => {
        let prefix: number | undefined
        for (const [index, entry] of entries.entries()) {
          const stored = await right.append([entry])
          if (stored === 0) prefix ??= index
        }
        return prefix ?? entries.length
      },
    }),
    beforeSequence,
    beforeId,
    beforeKey,
  ),
  replaced(
    'counts what it stored on both sides of a conflict',
    (right) => ({
      append: async (entries) => {
        let stored = 0
        for (const entry of entries) stored += await right.append([entry])
        return stored
      },
    }),
    beforeSequence,
  ),
  replaced(
    'stores entries by sequence, regardless of their order',
    (right) => ({ append: (entries) => right.append(entries.toSorted((a, b) => a.sequence - b.sequence)) }),
    beforeSequence,
  ),
  replaced('stores all or nothing', (right) => ({ append: allOrNothing(right) }), beforeSequence),
  saying(
    'returns the place of the conflict counted from 1',
    (stored, { length }) => (stored < length ? stored + 1 : stored),
    atHead,
    beforeSequence,
  ),
  lookingAhead('looks at sequences before an append, and not within it', hasSequence, sequenceTwice),
  lookingAhead('looks at ids before an append, and not within it', hasId, idTwice),
  lookingAhead('looks at keys before an append, and not within it', hasKey, keyTwice),
]

const allOrNothing =
  (right: Store): Store['append'] =>
  async (entries) => {
    const rehearsal = createPlainStore()
    const taken = [
      ...(await right.findEntries(entries.map(({ id }) => id))),
      ...(await right.findEntriesByKey(entries.flatMap(({ requestKey }) => requestKey ?? []))),
      ...(await Promise.all(entries.map(({ auctionId }) => right.listEntries(auctionId, { limit: 1_000 })))).flat(),
    ]
    for (const entry of taken) await rehearsal.append([entry])
    return (await rehearsal.append(entries)) === entries.length ? right.append(entries) : 0
  }

/** A store that compares one kind of key with what was stored before the append only. */
function lookingAhead(
  bug: string,
  isSame: (a: Entry, b: Entry) => boolean,
  ...caughtBy: readonly string[]
): StoreMutation {
  return replaced(
    bug,
    () => {
      let before = 0
      const careless = createPlainStore({
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
    },
    ...caughtBy,
  )
}

/** A store that records some keys of all entries that it receives, including those that it does not store. */
const noting = (bug: string, keyOf: (entry: Entry) => string | undefined): StoreMutation =>
  replaced(
    bug,
    (right) => {
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
    },
    free,
  )

const leaving: readonly StoreMutation[] = [
  noting('leaves the id of an entry that it refused taken', ({ id }) => `${id}`),
  noting('leaves the key of an entry that it refused taken', ({ requestKey }) => requestKey),
  replaced(
    'keeps a connection for each taken key',
    (right) => {
      let left = 100
      return {
        append: async (entries) => {
          if (left === 0) throw new Error('no connection came free in time')
          const appended = await right.append(entries)
          if (appended < entries.length) left -= 1
          return appended
        },
      }
    },
    hundred,
  ),
]

const sequenceRace = 'lets exactly one of many concurrent appends of a sequence win, and lets all callers find it'
const idRace = 'lets exactly one of many concurrent appends of an id win, and lets all callers find it'
const keyRace = 'lets exactly one of many concurrent appends of a request’s key win, and lets all callers find it'

const races: readonly StoreMutation[] = [
  swapped(
    'checks whether entries are taken, and inserts later',
    { beforeInsert: pause },
    sequenceRace,
    idRace,
    keyRace,
  ),
  replaced(
    'reports the entry of another append as stored',
    (right) => ({
      append: async (entries) => {
        const stored = await right.append(entries)
        await pause()
        for (const [index, entry] of entries.entries()) {
          const [there] = await right.listEntries(entry.auctionId, { limit: 1, before: entry.sequence + 1 })
          if (index >= stored && there?.sequence !== entry.sequence) return index
        }
        return entries.length
      },
    }),
    sequenceRace,
    atHead,
  ),
]

export const takenKeyMutations: readonly StoreMutation[] = [...keys, ...leaving, ...races]
