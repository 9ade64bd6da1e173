import type { Checkpoint, Checkpoints } from '@auction/delivery/checkpoints'
import type { AuctionId } from '../../../src/values/ids.ts'
import { accepted } from '../../../src/values/result.ts'
import type { DeliveringParts } from '../deliveries.ts'
import type { PlantedBugs } from './planted.ts'

const withCheckpoints = (plant: (right: Checkpoints, parts: DeliveringParts) => Partial<Checkpoints>) => () => ({
  delivery: { checkpoints: (parts: DeliveringParts) => plant(parts.checkpoints, parts) },
})

const later = (checkpoints: readonly Checkpoint[], by: number): readonly Checkpoint[] =>
  checkpoints.map((each) => ({ ...each, sequence: each.sequence + by }))

/** Bugs in deliveries to subscribers. */
export const bugsInSubscriptions: PlantedBugs = {
  'an event counts as delivered before the response': () => ({
    delivery: {
      deliver: (right) => async (event, attempt) => {
        void right(event, attempt)
        return { ok: true }
      },
    },
  }),

  'only the last event of a page is delivered': () => ({
    delivery: {
      shared: ({ listEvents }) => ({
        async listEvents(id, query) {
          const listed = await listEvents(id, query)
          return listed.ok ? accepted({ ...listed.value, items: listed.value.items.slice(-1) }) : listed
        },
      }),
    },
  }),

  'a server delivers from its own entry on': withCheckpoints(({ find }, { store }) => ({
    async find(ids) {
      const [saved, heads] = await Promise.all([find(ids), store.findHeads(ids)])
      const own = heads.map(({ auctionId, sequence }) => ({ auctionId, name: 'receiver', sequence: sequence - 1 }))
      return [...own, ...saved]
    },
  })),

  'an auction without a checkpoint counts as delivered': withCheckpoints(({ find }) => ({
    async find(ids) {
      const found = await find(ids)
      const known = new Set(found.map(({ auctionId }) => auctionId))
      const others = ids.filter((id) => !known.has(id))
      return [...found, ...others.map((auctionId) => ({ auctionId, name: 'receiver', sequence: 0 }))]
    },
  })),

  'a checkpoint is one event too far': withCheckpoints(({ save }) => ({
    save: (checkpoints) => save(later(checkpoints, 1)),
  })),

  'a checkpoint of another auction is used': withCheckpoints(({ find }) => {
    const seen = new Map<AuctionId, Checkpoint>()
    return {
      async find(ids) {
        for (const each of await find(ids)) seen.set(each.auctionId, each)
        const sequence = Math.max(-1, ...[...seen.values()].map((each) => each.sequence))
        return ids.map((auctionId) => ({ auctionId, name: 'receiver', sequence }))
      },
    }
  }),

  'an auction leaves the agenda without a checkpoint': () => ({
    delivery: { hooks: { beforeLeavingAgenda: () => undefined } },
  }),

  'a checkpoint that was not saved counts as saved': withCheckpoints(({ save }) => ({
    save: (checkpoints) => save(checkpoints).catch(() => undefined),
  })),

  'the checkpoint of an ended auction claims its creation': withCheckpoints(({ save }) => ({
    save: (checkpoints) => save(checkpoints.map((each) => ({ ...each, sequence: Math.max(each.sequence, 0) }))),
  })),

  'only open auctions are looked at after a crash': withCheckpoints(() => ({ list: async () => [] })),

  'checkpoints are removed before the last event': withCheckpoints(({ list }) => ({
    list: async (query) => later(await list(query), 1),
  })),

  'checkpoints of ended auctions are kept': withCheckpoints(() => ({ remove: async () => undefined })),
}
