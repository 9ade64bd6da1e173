import type { DeliveryParts, SubscribedEvent, Subscriber } from '@auction/delivery'
import type { Checkpoint, Checkpoints } from '@auction/delivery/checkpoints'
import type { AuctionId } from '../../../src/values/ids.ts'
import type { PlantedBugs } from './planted.ts'

const withCheckpoints = (plant: (right: Checkpoints, parts: DeliveryParts) => Partial<Checkpoints>) => () => ({
  delivery: {
    given: (parts: DeliveryParts) => ({
      checkpoints: { ...parts.checkpoints, ...plant(parts.checkpoints, parts) },
    }),
  },
})

type Deliver = Subscriber['deliver']
const withDeliver = (deliver: (right: Deliver, parts: DeliveryParts) => Deliver) => () => ({ delivery: { deliver } })

const without = (type: SubscribedEvent['type']) =>
  withDeliver((deliver) => async (event, attempt) => (event.type === type ? { ok: true } : deliver(event, attempt)))

const later = (checkpoints: readonly Checkpoint[], by: number): readonly Checkpoint[] =>
  checkpoints.map((each) => ({ ...each, sequence: each.sequence + by }))

/** Bugs in deliveries to subscribers. */
export const bugsInSubscriptions: PlantedBugs = {
  'an event counts as delivered before the answer': withDeliver((deliver) => async (event, attempt) => {
    void deliver(event, attempt)
    return { ok: true }
  }),

  'a refused event counts as delivered': withDeliver((deliver) => async (event, attempt) => {
    const result = await deliver(event, attempt)
    return result.ok ? result : { ok: true }
  }),

  'events of an auction are delivered in the wrong order': withDeliver((deliver) => {
    const held = new Map<AuctionId, SubscribedEvent>()
    return async (event, attempt) => {
      const earlier = held.get(event.auctionId)
      if (earlier === undefined && event.type !== 'ended') {
        held.set(event.auctionId, event)
        return { ok: true }
      }
      const result = await deliver(event, attempt)
      if (!result.ok || earlier === undefined) return result
      held.delete(event.auctionId)
      return deliver(earlier, attempt)
    }
  }),

  'events are numbered without gaps': withDeliver((deliver) => {
    const counts = new Map<AuctionId, number>()
    return async (event, attempt) => {
      const sequence = counts.get(event.auctionId) ?? event.sequence
      const result = await deliver(event.type === 'created' ? event : { ...event, sequence }, attempt)
      if (result.ok) counts.set(event.auctionId, sequence + 1)
      return result
    }
  }),

  'an event shows the reserve': withDeliver((deliver, { store }) => async (event, attempt) => {
    const [found] = await store.findAuctions({ ids: [event.auctionId] }).catch(() => [])
    return deliver(event.type === 'created' && found ? { ...event, auction: found.auction } : event, attempt)
  }),

  'the creation has no event': without('created'),

  'the end has no event': without('ended'),

  'only the last event of a page is delivered': () => ({
    delivery: {
      given: ({ store }) => ({
        store: { ...store, listEntries: async (id, query) => (await store.listEntries(id, query)).slice(0, 1) },
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

  'a checkpoint that was not saved counts as saved': withCheckpoints(({ save }) => ({
    save: (checkpoints) => save(checkpoints).catch(() => undefined),
  })),

  'an auction leaves the agenda without a checkpoint': () => ({
    delivery: { hooks: { beforeLeavingAgenda: () => undefined } },
  }),

  'the checkpoint of an ended auction claims its creation': withCheckpoints(({ save }) => ({
    save: (checkpoints) => save(checkpoints.map((each) => ({ ...each, sequence: Math.max(each.sequence, 0) }))),
  })),

  'only open auctions are looked at after a crash': withCheckpoints(() => ({ list: async () => [] })),

  'checkpoints are removed before the last event': withCheckpoints(({ list }) => ({
    list: async (query) => later(await list(query), 1),
  })),

  'checkpoints of ended auctions are kept': withCheckpoints(() => ({ remove: async () => undefined })),
}
