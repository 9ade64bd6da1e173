import type { BidId } from '../../../src/ids.ts'
import type { Entry } from '../../../src/ledger/entry.ts'
import { createLanes } from '../../../src/ledger/lanes.ts'
import { createWriteThat, type WriteFaults } from './broken-write.ts'
import type { PlantedBugs } from './planted.ts'

const withWrite = (faults: () => WriteFaults) => () => ({
  createLanes: (parts: Parameters<typeof createLanes>[0]) =>
    createLanes({ ...parts, write: createWriteThat(faults()) }),
})

/** Mistakes in what becomes of an append. */
export const bugsInWriters: PlantedBugs = {
  'what a lost append has stored is not looked for': withWrite(() => ({
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

  'a conflict is not settled by the own id': withWrite(() => ({
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

  'only the first behind an unknown outcome is told so': withWrite(() => ({
    tell: (written, { length }) =>
      written.outcome === 'unknown' && length - written.stored > 1
        ? { outcome: 'stored', stored: Math.min(written.stored + 1, length), head: undefined }
        : written,
  })),

  'what was sent is withdrawn as if it had not been': withWrite(() => ({
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

  'what is unknown is told as stored': withWrite(() => ({
    tell: (written, { length }) =>
      written.outcome === 'unknown' ? { outcome: 'stored', stored: length, head: undefined } : written,
  })),

  'what is unknown is told as not sent': withWrite(() => ({
    tell: (written) =>
      written.outcome === 'unknown' ? { outcome: 'withdrawn', stored: written.stored, head: undefined } : written,
  })),

  'what was lost is sent again under new ids and keys': withWrite(() => ({
    store(right) {
      const lost = new Set<BidId>()
      const renewed = (entry: Entry): Entry => {
        if (!lost.has(entry.id)) return entry
        const { requestKey: _, ...others } = entry
        return { ...others, id: (entry.id + 1_000_000) as BidId } // Far above those that blocks give out.
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
