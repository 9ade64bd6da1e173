import type { Subscriber } from '@auction/delivery'
import type { Clock } from '../../src/clock.ts'
import type { Limits } from '../../src/limits.ts'
import type { Sealer } from '../../src/sealer.ts'
import { type AuctionService, createAuctionService } from '../../src/service.ts'
import { createGroupCommit } from '../../src/store/batching.ts'
import type { Store } from '../../src/store/store.ts'
import type { Chance } from './chance.ts'
import { deliverTo } from './deliveries.ts'
import { createLinkedStore, type Faults, type Link, type LinkedStore, noFaults } from './link.ts'
import type { Planted } from './planted-bugs/planted.ts'
import type { DeliveredStore } from './replicated-store.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A server process: it runs until it crashes, and then restarts with an empty memory. */
export type Process = {
  readonly link: Link
  /**
   * Runs an operation of the service for a request, which some hosts hold back for a while and then pass with its
   * arrival by their clock. Calls `onArrival` when the request arrives. Returns `crashed` if the process crashes before
   * the operation ends.
   */
  call<Value>(use: Use<Value>, onArrival?: () => void): Promise<Value | 'crashed'>
  crash(): void
  /** Like SIGSTOP: nothing runs, and incoming requests and replies wait. */
  pause(): void
  resume(): void
  /** The total time for which it has been paused. */
  pausedMs(): number
  setClock(errorMs: number): void
  /** The number of calls that have not ended. */
  unsettled(): number
  /** Stops the host’s own activities. */
  stop(): void
  /** Closes the service, so that the simulation can end. */
  close(): void
}

export type ProcessParts = {
  readonly store: DeliveredStore
  readonly limits: Limits
  readonly sealer: Sealer
  readonly faults: Faults
  /** The interval at which the host closes due auctions. */
  readonly closingEveryMs: number
  /** The number of entries that its store combines in one write. */
  readonly maxEntriesPerWrite: number
  readonly planted?: Planted
  readonly onError: (error: unknown) => void
  /** Receives the events of all auctions. */
  readonly subscriber?: Subscriber | undefined
}

type Use<Value> = (service: AuctionService, arrivedAtMs?: number) => Promise<Value>

/** How long a host holds a request back at most, as for the keys of tokens. */
export const longestHostMs = 30

/** Wall-clock time when the simulation starts. */
export const startMs = Date.UTC(2030, 0, 1)

/**
 * The gate for replies and timers of one run of a process. It is shut after a crash, and while the process is paused.
 */
type Gate = { deliver(event: () => void): void }

export function startProcess(parts: ProcessParts, chance: Chance, time: VirtualTime): Process {
  const link: Link = { faults: parts.faults, isCut: false, isStuck: false, slownessMs: chance.pick([2, 10, 40]) }
  const holdsBack = chance.percent(25)
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
    const { subscriber, planted } = parts
    const service = createService(store, clock)
    const delivering = { service, store, checkpoints: store.checkpoints }
    const endDeliveries = subscriber && deliverTo(gatedSubscriber(subscriber, gate), delivering, planted?.delivery)
    const closeDue = () => {
      if (isStopped) return
      service.closeDue().then(undefined, parts.onError)
      clock.after(parts.closingEveryMs, closeDue)
    }
    clock.after(chance.int(0, parts.closingEveryMs), closeDue)
    return {
      call<Value>(use: Use<Value>, onArrival?: () => void): Promise<Value | 'crashed'> {
        unsettled += 1
        const { promise, resolve, reject } = Promise.withResolvers<Value>()
        const hostMs = holdsBack && chance.percent(50) ? longestHostMs : 0
        gate.deliver(() => {
          onArrival?.()
          if (hostMs === 0) return void use(service).then(resolve, reject)
          const arrivedAtMs = clock.nowMs()
          clock.after(hostMs, () => use(service, arrivedAtMs).then(resolve, reject))
        })
        return Promise.race([promise, death]).finally(() => {
          unsettled -= 1
        })
      },
      crash() {
        isAlive = false
        die('crashed')
      },
      close() {
        void endDeliveries?.()
        void service.close()
      },
    }
  }

  function createClock(gate: Gate): Clock {
    return {
      nowMs: () => startMs + Math.floor(time.nowMs()) + errorMs,
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

  function createService(linked: Store, clock: Clock): AuctionService {
    const { store: shared, limits, sealer, planted = {} } = parts
    const { storeOfProcess = (right) => right, service: plant = (right) => right } = planted
    const store = storeOfProcess(linked)
    const service = createAuctionService({ store, clock, sealer, limits: { ...limits, ...planted.limits } })
    return plant(service, { store: shared, clock })
  }

  function resume(): void {
    if (pausedSinceMs === undefined) return
    pausedInAllMs += time.nowMs() - pausedSinceMs
    pausedSinceMs = undefined
    const events = held
    held = []
    // Due timers and replies run in any order.
    for (const event of events) time.after(chance.int(0, 1), event)
  }

  return {
    link,
    call: (use, onArrival) => incarnation.call(use, onArrival),
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
    close: () => incarnation.close(),
  }
}

/** A subscriber whose responses pass the gate. */
const gatedSubscriber = (subscriber: Subscriber, gate: Gate): Subscriber => ({
  ...subscriber,
  deliver: (event, attempt) =>
    new Promise((resolve) => {
      void subscriber.deliver(event, attempt).then((delivery) => gate.deliver(() => resolve(delivery)))
    }),
})

/**
 * A store whose replies pass the gate: no call in flight continues after a crash. Its appends are batched, as those of
 * database adapters are.
 */
function createGatedStore(
  { writeGroup, checkpoints, ...store }: LinkedStore,
  gate: Gate,
  maxEntries: number,
): DeliveredStore {
  const gated =
    <Values extends unknown[], Value>(call: (...values: Values) => Promise<Value>) =>
    (...values: Values): Promise<Value> =>
      new Promise((resolve, reject) => {
        call(...values).then(
          (response) => gate.deliver(() => resolve(response)),
          (error) => gate.deliver(() => reject(error)),
        )
      })
  const append = createGroupCommit({ write: gated(writeGroup), maxEntries })
  const gatedAll = (operations: object) =>
    Object.fromEntries(
      Object.entries(operations).map(([name, call]) => [
        name,
        gated(call as (...values: unknown[]) => Promise<unknown>),
      ]),
    )
  // The same operations, with the same types.
  return { ...gatedAll(store), append, checkpoints: gatedAll({ ...checkpoints }) } as unknown as DeliveredStore
}

/** Ends every fault, as an operator does. */
export function heal(process: Process): void {
  process.link.faults = noFaults
  process.link.isCut = false
  process.link.isStuck = false
  process.link.slownessMs = 10
  process.resume()
}
