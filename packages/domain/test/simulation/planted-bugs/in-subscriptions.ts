import type { Checkpoint, Checkpoints } from '../../../src/store/store.ts'
import type { SubscribedPage } from '../../../src/use-cases/subscriptions/read-events.ts'
import {
  createSubscriptions,
  type Subscriptions,
  type SubscriptionsParts,
} from '../../../src/use-cases/subscriptions/subscribe.ts'
import type { Subscriber } from '../../../src/use-cases/subscriptions/subscriber.ts'
import type { AuctionId } from '../../../src/values/ids.ts'
import type { PlantedBugs } from './planted.ts'

const withParts = (plant: (parts: SubscriptionsParts) => Partial<SubscriptionsParts>) => () => ({
  createSubscriptions: (parts: SubscriptionsParts): Subscriptions => createSubscriptions({ ...parts, ...plant(parts) }),
})

const withCheckpoints = (plant: (right: Checkpoints) => Partial<Checkpoints>) =>
  withParts(({ checkpoints }) => ({ checkpoints: checkpoints && { ...checkpoints, ...plant(checkpoints) } }))

const withPages = (change: (page: SubscribedPage, after: number) => SubscribedPage) =>
  withParts(({ readEvents }) => ({
    async readEvents(auctionId, after) {
      const page = await readEvents(auctionId, after)
      return page && change(page, after)
    },
  }))

const withDeliver = (plant: (right: Subscriber['deliver']) => Subscriber['deliver']) =>
  withHooks(({ subscribe }) => ({
    subscribe: (subscriber) => subscribe({ ...subscriber, deliver: plant(subscriber.deliver) }),
  }))

const withHooks = (plant: (right: Subscriptions) => Partial<Subscriptions>) => () => ({
  createSubscriptions(parts: SubscriptionsParts): Subscriptions {
    const right = createSubscriptions(parts)
    return { ...right, ...plant(right) }
  },
})

const later = (checkpoints: readonly Checkpoint[], by: number): readonly Checkpoint[] =>
  checkpoints.map((each) => ({ ...each, sequence: each.sequence + by }))

/** Bugs in deliveries to subscribers. */
export const bugsInSubscriptions: PlantedBugs = {
  'an event counts as delivered before the answer': withDeliver((deliver) => async (event, attempt) => {
    void deliver(event, attempt)
    return { ok: true }
  }),

  'a refused event counts as delivered': withDeliver((deliver) => async (event, attempt) => {
    const delivery = await deliver(event, attempt)
    return delivery.ok ? delivery : { ok: true }
  }),

  'events of an auction are delivered in the wrong order': withPages((page) => ({
    ...page,
    items: page.items.toReversed(),
  })),

  'events are numbered without gaps': withPages((page, after) => ({
    ...page,
    items: page.items.map((event, index) =>
      event.type === 'created' ? event : { ...event, sequence: Math.max(after, 0) + index + (after < 0 ? 0 : 1) },
    ),
  })),

  'an event shows the reserve': withParts(({ store, readEvents }) => ({
    async readEvents(auctionId, after) {
      const [page, [auction]] = await Promise.all([readEvents(auctionId, after), store.findAuctions([auctionId])])
      const items = page?.items.map((event) => (event.type === 'created' && auction ? { ...event, auction } : event))
      return page && items && { ...page, items }
    },
  })),

  'the creation has no event': withPages((page) => ({
    ...page,
    items: page.items.filter(({ type }) => type !== 'created'),
  })),

  'the end has no event': withPages((page) => ({ ...page, items: page.items.filter(({ type }) => type !== 'ended') })),

  'only the first event of a page is delivered': withPages((page) => ({ ...page, items: page.items.slice(0, 1) })),

  'a server delivers from its own entry on': withParts(({ readEvents, store }) => ({
    async readEvents(auctionId, after) {
      const [head] = await store.findHeads([auctionId])
      return readEvents(auctionId, Math.max(after, (head?.sequence ?? 0) - 1))
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
    save: (checkpoints) => save(checkpoints.map((each) => ({ ...each, sequence: each.sequence + 1 }))),
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

  'an auction leaves the agenda without a checkpoint': withHooks(() => ({ beforeUpdate: () => undefined })),

  'the checkpoint of an ended auction claims its creation': withCheckpoints(({ save }) => ({
    save: (checkpoints) => save(checkpoints.map((each) => ({ ...each, sequence: Math.max(each.sequence, 0) }))),
  })),

  'only open auctions are looked at after a crash': withCheckpoints(() => ({ list: async () => [] })),

  'checkpoints are removed before the last event': withCheckpoints(({ list }) => ({
    list: async (query) => later(await list(query), 1),
  })),

  'checkpoints of ended auctions are kept': withCheckpoints(() => ({ remove: async () => undefined })),
}
