import type { Entry } from '../../../src/auction/entry.ts'
import { createLanes } from '../../../src/ledger/lanes.ts'
import type { BidId } from '../../../src/values/ids.ts'
import { createWriteThat, type WriteFaults } from './broken-write.ts'
import type { PlantedBugs } from './planted.ts'

const withWrite = (faults: () => WriteFaults) => () => ({
  createLanes: (parts: Parameters<typeof createLanes>[0]) =>
    createLanes({ ...parts, write: createWriteThat(faults()) }),
})

/** Bugs in the handling of append outcomes. */
export const bugsInWriters: PlantedBugs = {
  'entries that a lost append stored are not found': withWrite(() => ({
    store(right) {
      const lost = new Set<BidId>()
      return {
        ...right,
        async append(entries) {
          try {
            return await right.append(entries)
          } catch (error) {
            for (const { id } of entries) lost.add(id)
            throw error
          }
        },
        findEntries: async (ids) => right.findEntries(ids.filter((id) => !lost.has(id))),
      }
    },
  })),

  'a conflict is not settled by the id of the entry': withWrite(() => ({
    store(right) {
      let hasConflict = false
      return {
        ...right,
        async append(entries) {
          hasConflict = false
          const stored = await right.append(entries)
          hasConflict = stored < entries.length
          return stored
        },
        findEntries: async (ids) => (hasConflict ? [] : right.findEntries(ids)),
      }
    },
  })),

  'only the first command after an unknown outcome fails': withWrite(() => ({
    tell: (written, { length }) =>
      written.outcome === 'unknown' && length - written.stored > 1
        ? { outcome: 'stored', stored: Math.min(written.stored + 1, length), head: undefined }
        : written,
  })),

  'an append with an unknown outcome is reported as taken': withWrite(() => ({
    tell: (written) => (written.outcome === 'unknown' ? { ...written, outcome: 'taken' } : written),
  })),

  'a batch is sent again without its first entry': withWrite(() => ({
    store(right) {
      const lost = new Set<BidId>()
      return {
        ...right,
        async append(entries) {
          const [first] = entries
          if (first !== undefined && lost.has(first.id) && entries.length > 1)
            return 1 + (await right.append(entries.slice(1)))
          try {
            return await right.append(entries)
          } catch (error) {
            if (first !== undefined) lost.add(first.id)
            throw error
          }
        },
      }
    },
  })),

  'an unknown outcome is reported as stored': withWrite(() => ({
    tell: (written, { length }) =>
      written.outcome === 'unknown' ? { outcome: 'stored', stored: length, head: undefined } : written,
  })),

  'an unknown outcome is reported as not sent': withWrite(() => ({
    tell: (written) =>
      written.outcome === 'unknown' ? { outcome: 'withdrawn', stored: written.stored, head: undefined } : written,
  })),

  'lost entries are sent again with new ids and keys': withWrite(() => ({
    store(right) {
      const lost = new Set<BidId>()
      const renewed = (entry: Entry): Entry => {
        if (!lost.has(entry.id)) return entry
        const { requestKey: _, ...others } = entry
        return { ...others, id: (entry.id + 1_000_000) as BidId } // Far above all assigned ids.
      }
      return {
        ...right,
        async append(entries) {
          try {
            return await right.append(entries.map(renewed))
          } catch (error) {
            for (const { id } of entries) lost.add(id)
            throw error
          }
        },
      }
    },
  })),
}
