import type { MemoryStore } from '@auction/adapters/memory'
import type { Bid } from '@auction/domain/bid'
import { StoreUnavailableError } from '@auction/domain/ports/store-unavailable'
import type { PlaceBidPorts } from '@auction/domain/use-cases/place-bid'
import type { Chance } from './chance.ts'
import type { VirtualTime } from './virtual-time.ts'

/** How likely, in percent, a call meets each kind of fault. */
export type Faults = {
  readonly lostRequest: number
  readonly lostReply: number
  /** The caller gives up first, and the call takes effect after that. */
  readonly late: number
  readonly duplicated: number
  /** The call takes effect twice, and the second answer is the one that comes, as when a driver tries again by itself. */
  readonly repeated: number
  /** Only some of an append takes effect before the connection breaks. */
  readonly halfApplied: number
}

export const noFaults: Faults = { lostRequest: 0, lostReply: 0, late: 0, duplicated: 0, repeated: 0, halfApplied: 0 }

/** What lies between one process and the store. */
export type Link = { faults: Faults; isCut: boolean }

/** What a process asks of the store. */
export type ReachedStore = Omit<PlaceBidPorts, 'clock'>

const timeoutMs = 50

/** The store as a process reaches it: every call takes time, and may be lost, late, doubled, repeated or cut in half. */
export function overNetwork(store: MemoryStore, link: Link, chance: Chance, time: VirtualTime): ReachedStore {
  const latency = () => time.sleep(chance.int(1, 10))

  async function call<Answer>(apply: () => Promise<Answer>, applyHalf = apply): Promise<Answer> {
    const { lostRequest, lostReply, late, duplicated, repeated, halfApplied } = link.faults
    if (link.isCut || chance.percent(lostRequest)) return gaveUp()
    if (chance.percent(late)) {
      void time.sleep(timeoutMs + chance.int(0, 100)).then(apply)
      return gaveUp()
    }
    await latency()
    if (chance.percent(halfApplied)) {
      await applyHalf()
      return gaveUp()
    }
    if (chance.percent(repeated)) await apply()
    const answer = await apply()
    if (chance.percent(duplicated)) void latency().then(apply)
    if (chance.percent(lostReply)) return gaveUp()
    await latency()
    return answer
  }

  async function gaveUp(): Promise<never> {
    await time.sleep(timeoutMs)
    throw new StoreUnavailableError('no answer from the simulated store')
  }

  const { auctions, ledger, bidIds, idempotencyKeys } = store
  return {
    auctions: { find: (id) => call(() => auctions.find(id)) },
    ledger: {
      append: (bids) =>
        call(
          () => ledger.append(bids),
          () => ledger.append(someOf(bids)),
        ),
      head: (id) => call(() => ledger.head(id)),
      find: (ids) => call(() => ledger.find(ids)),
    },
    // As block ids do, mostly from memory and now and then from the store.
    bidIds: { next: () => (chance.percent(90) ? bidIds.next() : call(() => bidIds.next())) },
    idempotencyKeys: {
      insert: (reservation) => call(() => idempotencyKeys.insert(reservation)),
      latest: (scope) => call(() => idempotencyKeys.latest(scope)),
    },
  }

  function someOf(bids: readonly Bid[]): readonly Bid[] {
    return bids.slice(0, chance.int(0, bids.length))
  }
}
