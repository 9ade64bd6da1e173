import type { Claims } from '../../../src/register/bidder-list.ts'
import type { AnyEntry, Entry, RegisterEntry } from '../../../src/store/store.ts'
import type { AuctionId } from '../../../src/values/ids.ts'
import { type Planted, withService, withStoreOfProcess } from '../planted-bugs/planted.ts'

type Change = Extract<RegisterEntry['event'], { readonly type: 'bidders-set' }>

const isOfRegister = (entry: AnyEntry): boolean => entry.kind === 'register'

/** The entries with other changes of bidders. The cast: a store keeps entries of any kind. */
const withChanges = (entries: readonly AnyEntry[], plant: (right: Change) => Change): readonly Entry[] =>
  entries.map((entry) =>
    entry.kind === 'register' && entry.event.type === 'bidders-set' ? { ...entry, event: plant(entry.event) } : entry,
  ) as AnyEntry[] as Entry[]

/** What a process reads of registers is wrong. */
const withRead = (plant: (right: Change['bidders'][number]) => Change['bidders'][number]) =>
  withStoreOfProcess((right) => ({
    async listEntries(id, query) {
      const entries = await right.listEntries(id, query)
      return withChanges(entries, (event) => ({ ...event, bidders: event.bidders.map(plant) }))
    },
  }))

const tooOld = /was decided on entry \d+ of register \d+, although a client knew of entry \d+ before its request/

/** Plausible bugs in registers, and the problem by which the simulation must detect each one. */
export const bugsInRegisters: Readonly<Record<string, readonly [plant: () => Planted, problem: RegExp]>> = {
  'a cached head of a register is enough': [
    withStoreOfProcess((right) => {
      const cached = new Map<AuctionId, Entry>()
      return {
        async findHeads(ids, signal) {
          const heads = await right.findHeads(ids, signal)
          for (const head of heads) if (!cached.has(head.auctionId)) cached.set(head.auctionId, head)
          return heads.map((head) => (isOfRegister(head) ? (cached.get(head.auctionId) ?? head) : head))
        },
        async append(entries, options) {
          const stored = await right.append(entries, options)
          if (stored < entries.length) cached.clear()
          return stored
        },
      }
    }),
    tooOld,
  ],

  'the head of a register is read before the arrival': [
    withStoreOfProcess((right) => {
      const ahead = new Map<string, Promise<readonly Entry[]>>()
      return {
        async findHeads(ids, signal) {
          const before = await ahead.get(`${ids}`)?.catch(() => undefined)
          const heads = before ?? (await right.findHeads(ids, signal))
          if (heads.length === 0 || !heads.every(isOfRegister)) return heads
          const next = right.findHeads(ids)
          next.catch(() => ahead.delete(`${ids}`))
          ahead.set(`${ids}`, next)
          return heads
        },
        async append(entries, options) {
          const stored = await right.append(entries, options)
          if (stored < entries.length) ahead.clear()
          return stored
        },
      }
    }),
    tooOld,
  ],

  'a limit is compared with the amount instead of the maximum': [
    withService((right) => ({
      placeBid(bid, retry, arrivedAtMs, claims) {
        const claimed: Claims = {
          get(id) {
            const claim = claims?.get(id)
            return typeof claim === 'object' && bid.amount <= (claim.limit ?? 0) ? {} : claim
          },
        }
        return right.placeBid(bid, retry, arrivedAtMs, claimed)
      },
    })),
    /risks \d+, above the limit \d+ at/,
  ],

  'a claim beats a recorded refusal': [
    withRead((right) => (right.status === 'refused' ? { ...right, status: 'pending' } : right)),
    /who is refused at .*, but whom a claim admitted/,
  ],

  'a refusal of several bidders is recorded in part': [
    withStoreOfProcess((right) => ({
      append: (entries, options) =>
        right.append(
          withChanges(entries, (event) => ({
            ...event,
            bidders: event.bidders.filter(({ status }, index) => index === 0 || status !== 'refused'),
          })),
          options,
        ),
    })),
    /change of bidders \d+ is stored without a request for it/,
  ],

  'a paddle is given to a second bidder': [
    withRead(({ paddle: _, ...right }) => right),
    /gives the paddle \d+ of bidder \d+ to bidder \d+/,
  ],

  'a bidder who was not admitted once is refused again': [
    withService((right) => {
      const refused = new Map<string, Awaited<ReturnType<typeof right.placeBid>>>()
      return {
        async placeBid(bid, retry, arrivedAtMs, claims) {
          const key = `${bid.auctionId}/${bid.bidderId}`
          const placed = refused.get(key) ?? (await right.placeBid(bid, retry, arrivedAtMs, claims))
          if (!placed.ok && placed.refusal.code === 'not-admitted') refused.set(key, placed)
          return placed
        },
      }
    }),
    /not-admitted.* was never true/,
  ],
}
