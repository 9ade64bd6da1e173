import { isStoreUnavailable, withOutcome } from '../../../src/store/errors.ts'
import type { Entry } from '../../../src/store/store.ts'
import type { EntryId } from '../../../src/values/ids.ts'
import { type PlantedBugs, withService, withStoreOfProcess } from './planted.ts'

const isUnknown = (error: unknown): error is Error => isStoreUnavailable(error) && error.outcome === 'unknown'

const earlierByOne = (entry: Entry): Entry => ({ ...entry, sequence: entry.sequence - 1 })

/** Bugs in the handling of append outcomes. */
export const bugsInWriters: PlantedBugs = {
  'entries that a lost append stored are not found': withStoreOfProcess((right) => {
    const lost = new Set<EntryId>()
    return {
      async append(entries, options) {
        try {
          return await right.append(entries, options)
        } catch (error) {
          for (const { id } of entries) lost.add(id)
          throw error
        }
      },
      findEntries: async (ids, signal) =>
        right.findEntries(
          ids.filter((id) => !lost.has(id)),
          signal,
        ),
    }
  }),

  'a conflict is not settled by the id of the entry': withStoreOfProcess((right) => {
    const conflicting = new Set<EntryId>()
    return {
      async append(entries, options) {
        const stored = await right.append(entries, options)
        for (const { id } of entries.slice(stored)) conflicting.add(id)
        return stored
      },
      findEntries: async (ids, signal) =>
        right.findEntries(
          ids.filter((id) => !conflicting.has(id)),
          signal,
        ),
    }
  }),

  'a batch is sent again without its first entry': withStoreOfProcess((right) => {
    const lost = new Set<EntryId>()
    return {
      async append(entries, options) {
        const [first] = entries
        if (first !== undefined && lost.has(first.id) && entries.length > 1)
          return 1 + (await right.append(entries.slice(1).map(earlierByOne), options))
        try {
          return await right.append(entries, options)
        } catch (error) {
          if (first !== undefined) lost.add(first.id)
          throw error
        }
      },
    }
  }),

  'an append with an unknown outcome is reported as taken': withStoreOfProcess((right) => ({
    append: (entries, options) => right.append(entries, options).catch(() => 0),
  })),

  'an unknown outcome is reported as stored': withStoreOfProcess((right) => ({
    append: (entries, options) => right.append(entries, options).catch(() => entries.length),
  })),

  'lost entries are sent again with new ids and keys': withStoreOfProcess((right) => {
    const lost = new Set<EntryId>()
    const renewed = (entry: Entry): Entry => {
      if (!lost.has(entry.id)) return entry
      const { requestKey: _, ...others } = entry
      return { ...others, id: (entry.id + 1_000_000) as EntryId } // Far above all assigned ids.
    }
    return {
      async append(entries, options) {
        try {
          return await right.append(entries.map(renewed), options)
        } catch (error) {
          for (const { id } of entries) lost.add(id)
          throw error
        }
      },
    }
  }),

  'an unknown outcome is reported as not sent': withService((right) => ({
    placeBid: (...values) =>
      right.placeBid(...values).catch((error) => {
        throw isUnknown(error) ? withOutcome(error, 'nothing-changed') : error
      }),
  })),
}
