import type { MemoryStore } from '@auction/adapters/memory'
import type { Bid } from '@auction/domain/bid'
import type { Ledger } from '@auction/domain/ports/ledger'

type Plant = (store: MemoryStore) => MemoryStore

const withLedger =
  (plant: (ledger: Ledger) => Partial<Ledger>): Plant =>
  (store) => ({ ...store, ledger: { ...store.ledger, ...plant(store.ledger) } })

/** Mistakes that people make, each as a store that makes it for them. The simulation has to find every one. */
export const plantedBugs: Readonly<Record<string, Plant>> = {
  'the unique key is dropped': withLedger(() => {
    const bids: Bid[] = []
    const of = (id: number) => bids.filter(({ auctionId }) => auctionId === id)
    return {
      append: async (entries) => {
        bids.push(...entries)
        return { stored: entries.length }
      },
      head: async (id) => of(id).reduce<Bid | undefined>((a, b) => (a && a.sequence > b.sequence ? a : b), undefined),
      find: async (ids) => bids.filter(({ id }) => ids.includes(id)),
      page: async (id) => of(id),
    }
  }),

  'an acceptance trusts a stale head': withLedger((ledger) => ({
    append: async (entries) => {
      await ledger.append(entries)
      return { stored: entries.length }
    },
  })),

  'a lost append is tried again without a look at what it stored': withLedger(() => ({ find: async () => [] })),

  'the entries of a group are mixed up': withLedger((ledger) => ({
    append: (entries) =>
      ledger.append(entries.toSorted((a, b) => b.auctionId - a.auctionId || a.sequence - b.sequence)),
  })),

  'the head is read from a copy that lags behind': withLedger((ledger) => ({
    head: async (id) => (await ledger.page(id, { limit: 2 })).at(-1),
  })),

  'what follows on a conflict is stored all the same': withLedger((ledger) => ({
    append: async (entries) => {
      const { stored } = await ledger.append(entries)
      for (const later of entries.slice(stored + 1)) await ledger.append([later]).catch(() => {})
      return { stored }
    },
  })),

  'a retry key is forgotten': (store) => ({
    ...store,
    idempotencyKeys: { insert: async () => 'inserted', latest: async () => undefined },
  }),
}
