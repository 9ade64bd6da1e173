import type { BidId } from '../../../src/ids.ts'
import type { Entry } from '../../../src/ledger/entry.ts'
import { createLanes } from '../../../src/ledger/lanes.ts'
import { createWriterThat, type WriterFaults } from './faulty-writer.ts'
import type { PlantedBugs } from './planted.ts'

const withWriter = (faults: () => WriterFaults) => () => ({
  createLanes: (parts: Parameters<typeof createLanes>[0]) =>
    createLanes({ ...parts, createWriter: createWriterThat(faults()) }),
})

/** Mistakes in what becomes of an append. */
export const bugsInWriters: PlantedBugs = {
  'what a lost append has stored is not looked for': withWriter(() => ({
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

  'a conflict is not settled by the own id': withWriter(() => ({
    store(right) {
      let hasConflict = false
      return {
        ...right,
        async append(entries) {
          hasConflict = false
          const appended = await right.append(entries)
          hasConflict = appended.stored < entries.length
          return appended
        },
        findEntries: async (ids) => (hasConflict ? [] : right.findEntries(ids)),
      }
    },
  })),

  'the stored prefix is dealt out to the wrong batches': withWriter(() => ({
    store: (right) => ({ ...right, append: (entries) => right.append(byAuctionsBackwards(entries)) }),
  })),

  'what is unknown is told as stored': withWriter(() => ({
    tell: (written, { entries }) =>
      written.outcome === 'unknown' ? { outcome: 'stored', stored: entries.length } : written,
  })),

  'what is unknown is told as not sent': withWriter(() => ({
    tell: (written) => (written.outcome === 'unknown' ? { outcome: 'withdrawn', stored: written.stored } : written),
  })),

  'what was lost is sent again under new ids and keys': withWriter(() => ({
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

const byAuctionsBackwards = (entries: readonly Entry[]): readonly Entry[] =>
  [...Map.groupBy(entries, ({ auctionId }) => auctionId).values()].toReversed().flat()
