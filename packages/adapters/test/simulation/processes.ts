import type { MemoryStore } from '@auction/adapters/memory'
import { type PlaceBid, placeBidUseCase } from '@auction/domain/use-cases/place-bid'
import type { Chance } from './chance.ts'
import { type Faults, type Link, noFaults, overNetwork, type ReachedStore } from './network.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A server process: it serves until it crashes, and then again with an empty memory. */
export type Process = {
  readonly link: Link
  /** Places a bid, or answers `crashed` when the process does before it has an answer. */
  readonly placeBid: (...request: Parameters<PlaceBid>) => Promise<Awaited<ReturnType<PlaceBid>> | 'crashed'>
  crash(): void
  setClock(skewMs: number): void
}

/** Wall-clock time at the simulation's start, in the auctions' terms. */
export const startMs = Date.UTC(2030, 0, 1)

export function startProcess(store: MemoryStore, chance: Chance, time: VirtualTime, faults: Faults): Process {
  const link: Link = { faults, isCut: false }
  let skewMs = 0
  let incarnation = incarnate()

  function incarnate() {
    let isAlive = true
    let die = (_: 'crashed') => {}
    const death = new Promise<'crashed'>((resolve) => {
      die = resolve
    })
    const reached = overNetwork(store, link, chance, time)
    const clock = { nowMs: () => startMs + time.nowMs() + skewMs }
    const placeBid = placeBidUseCase({ ...halting(reached, () => isAlive), clock }, limits)
    return {
      placeBid: (...request: Parameters<PlaceBid>) => Promise.race([placeBid(...request), death]),
      crash() {
        isAlive = false
        die('crashed')
      },
    }
  }

  return {
    link,
    placeBid: (...request) => incarnation.placeBid(...request),
    crash() {
      incarnation.crash()
      incarnation = incarnate()
    },
    setClock(ms) {
      skewMs = ms
    },
  }
}

// Small, so that full groups, forgotten auctions and given-up bids are seen often.
const limits = { maxQueuedPerAuction: 50, maxBidsPerAppend: 4, maxKnownAuctions: 2, maxConflicts: 20, maxFailures: 3 }

/** A store whose answers do not reach a process that has died: nothing that it had under way goes on. */
function halting(store: ReachedStore, isAlive: () => boolean): ReachedStore {
  const guard = <Calls extends object>(port: Calls): Calls =>
    new Proxy(port, {
      get(target, name, receiver) {
        const call: unknown = Reflect.get(target, name, receiver)
        if (typeof call !== 'function') return call
        return (...values: unknown[]) => {
          if (!isAlive()) return new Promise(() => {})
          return new Promise((resolve, reject) => {
            Promise.resolve(call.apply(target, values)).then(
              (answer) => isAlive() && resolve(answer),
              (error) => isAlive() && reject(error),
            )
          })
        }
      },
    })
  const { auctions, ledger, bidIds, idempotencyKeys } = store
  return {
    auctions: guard(auctions),
    ledger: guard(ledger),
    bidIds: guard(bidIds),
    idempotencyKeys: guard(idempotencyKeys),
  }
}

/** Ends every fault, as an operator would. */
export function heal(process: Process): void {
  process.link.faults = noFaults
  process.link.isCut = false
}
