import { createGroupCommit } from '../../src/batching.ts'
import type { Clock } from '../../src/clock.ts'
import { createIdsFromBlocks, type IdSources } from '../../src/ids-from-blocks.ts'
import { createGuardedStore } from '../../src/ledger/guarded-store.ts'
import { type Limits, limitsWith } from '../../src/limits.ts'
import { type AuctionService, composeAuctionService, type ServiceModules } from '../../src/service.ts'
import type { Store } from '../../src/store.ts'
import type { Chance } from './chance.ts'
import { createLinkedStore, type Faults, type Link, type LinkedStore, noFaults } from './link.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A server process: it serves until it crashes, and then again with an empty memory. */
export type Process = {
  readonly link: Link
  /**
   * Lets the service do something. Comes to `crashed` when the process does so before the service is done.
   */
  call<Value>(use: (service: AuctionService) => Promise<Value>): Promise<Value | 'crashed'>
  crash(): void
  /** As SIGSTOP does: nothing runs. What arrives meanwhile waits. */
  pause(): void
  resume(): void
  /** For how long it was paused until now, in all. */
  pausedMs(): number
  setClock(errorMs: number): void
  /** How many calls have not come to an end. */
  unsettled(): number
  /** Ends the host's own activities, so that time can come to an end. */
  stop(): void
}

export type ProcessParts = {
  readonly store: Store
  readonly modules: ServiceModules
  readonly limits: Partial<Limits>
  readonly faults: Faults
  /** How often the host has due auctions closed. */
  readonly closingEveryMs: number
  /** Small blocks are used up and claimed often. */
  readonly hasSmallIdBlocks: boolean
  /** How many entries its store takes into one write. */
  readonly maxEntriesPerWrite: number
  readonly plant: (service: AuctionService) => AuctionService
  readonly onError: (error: unknown) => void
}

/** Wall-clock time when the simulation starts. */
export const startMs = Date.UTC(2030, 0, 1)

/** What an incarnation of a process hears of the world. It hears nothing more once it has crashed, and nothing while it is paused. */
type Gate = { deliver(event: () => void): void }

export function startProcess(parts: ProcessParts, chance: Chance, time: VirtualTime): Process {
  const link: Link = { faults: parts.faults, isCut: false, isStuck: false, slownessMs: chance.pick([2, 10, 40]) }
  let errorMs = 0
  let pausedSinceMs: number | undefined
  let pausedInAllMs = 0
  let held: (() => void)[] = []
  let unsettled = 0
  let isStopped = false
  let incarnation = incarnate()

  function incarnate() {
    let isAlive = true
    const { promise: death, resolve: die } = Promise.withResolvers<'crashed'>()
    const gate: Gate = {
      deliver(event) {
        const hear = () => void (isAlive && event())
        if (pausedSinceMs === undefined) hear()
        else held.push(() => gate.deliver(event))
      },
    }
    const clock = createClock(gate)
    const store = createGatedStore(createLinkedStore(parts.store, link, chance, time), gate, parts.maxEntriesPerWrite)
    const service = createService(store, clock)
    const closeDue = () => {
      if (isStopped) return
      service.closeDue().then(undefined, parts.onError)
      clock.after(parts.closingEveryMs, closeDue)
    }
    clock.after(chance.int(0, parts.closingEveryMs), closeDue)
    return {
      call<Value>(use: (service: AuctionService) => Promise<Value>): Promise<Value | 'crashed'> {
        unsettled += 1
        const { promise, resolve, reject } = Promise.withResolvers<Value>()
        gate.deliver(() => use(service).then(resolve, reject))
        return Promise.race([promise, death]).finally(() => {
          unsettled -= 1
        })
      },
      crash() {
        isAlive = false
        die('crashed')
      },
    }
  }

  function createClock(gate: Gate): Clock {
    return {
      nowMs: () => startMs + time.nowMs() + errorMs,
      after(ms, callback) {
        let isOff = false
        const callOff = time.after(ms, () => gate.deliver(() => void (isOff || callback())))
        return () => {
          isOff = true
          callOff()
        }
      },
    }
  }

  function createService(store: Store, clock: Clock): AuctionService {
    const { limits, modules, hasSmallIdBlocks, plant } = parts
    if (!hasSmallIdBlocks) return plant(composeAuctionService({ store, clock, limits }, modules))
    const guarded = createGuardedStore({ store, clock, limits: limitsWith(limits) })
    const ids: IdSources = {
      auctions: createIdsFromBlocks(guarded, 'auctions', 2),
      entries: createIdsFromBlocks(guarded, 'entries', 4),
    }
    return plant(composeAuctionService({ store, clock, limits }, { ...modules, ids }))
  }

  function resume(): void {
    if (pausedSinceMs === undefined) return
    pausedInAllMs += time.nowMs() - pausedSinceMs
    pausedSinceMs = undefined
    const events = held
    held = []
    // Timers and replies that are due are found in any order.
    for (const event of events) time.after(chance.int(0, 1), event)
  }

  return {
    link,
    call: (use) => incarnation.call(use),
    crash() {
      incarnation.crash()
      resume()
      incarnation = incarnate()
    },
    pause() {
      pausedSinceMs ??= time.nowMs()
    },
    resume,
    pausedMs: () => pausedInAllMs + (pausedSinceMs === undefined ? 0 : time.nowMs() - pausedSinceMs),
    setClock(ms) {
      errorMs = ms
    },
    unsettled: () => unsettled,
    stop() {
      isStopped = true
    },
  }
}

/**
 * A store whose replies pass the gate: nothing that a process had under way goes on when it has crashed. Its appends are gathered, as
 * those of databases are.
 */
function createGatedStore({ writeGroup, ...store }: LinkedStore, gate: Gate, maxEntries: number): Store {
  const gated =
    <Values extends unknown[], Answer>(call: (...values: Values) => Promise<Answer>) =>
    (...values: Values): Promise<Answer> =>
      new Promise((resolve, reject) => {
        call(...values).then(
          (answer) => gate.deliver(() => resolve(answer)),
          (error) => gate.deliver(() => reject(error)),
        )
      })
  const append = createGroupCommit({ write: gated(writeGroup), maxEntries })
  const operations = Object.entries(store).map(([name, call]) => [
    name,
    gated(call as (...values: unknown[]) => Promise<unknown>),
  ])
  return { ...Object.fromEntries(operations), append } as Store // The same operations, of the same types.
}

/** Ends every fault, as an operator would. */
export function heal(process: Process): void {
  process.link.faults = noFaults
  process.link.isCut = false
  process.link.isStuck = false
  process.link.slownessMs = 10
  process.resume()
}
