import { createMemorySealer } from '@auction/adapters/memory'
import { checkHistory } from '@auction/testing/check-history'
import type { Attempt } from '@auction/testing/history'
import { type Limits, limitsWith } from '../../src/limits.ts'
import { isStoreUnavailable } from '../../src/store/errors.ts'
import type { Entry } from '../../src/store/store.ts'
import { type Chance, createChance } from './chance.ts'
import { actRepeatedly } from './clients.ts'
import { finish, waitForDeliveries } from './finish.ts'
import { followSomething } from './followers.ts'
import { noFaults } from './link.ts'
import type { Planted } from './planted-bugs/planted.ts'
import { heal, startProcess } from './processes.ts'
import { createReceiver } from './receiver.ts'
import { createReplicatedStore, type Everything, type ReplicatedStore } from './replicated-store.ts'
import { drawnClockError, drawnFaults, makeTrouble } from './trouble.ts'
import { createVirtualTime } from './virtual-time.ts'
import { createWatchedStore, type WatchedStore } from './watched-store.ts'
import type { World } from './world.ts'

/** The result of a simulation. It is a function of the seed: the same seed gives exactly the same result. */
export type Outcome = {
  readonly attempts: readonly Attempt[]
  /** All stored entries of auctions at the end. */
  readonly ledger: readonly Entry[]
  readonly registers: Everything['registers']
  /** The violated promises; empty if all is well. */
  readonly problems: readonly string[]
}

/** What a simulation has at its end. */
export type Finale = {
  /** What clients do after all faults, when every auction is closed. */
  readonly last: (world: World) => Promise<void>
  /** The violated promises, instead of those of a history. */
  readonly check: (stored: ReplicatedStore, world: World, storedAtMs: WatchedStore['storedAtMs']) => Promise<string[]>
}

/** Every third seed has a receiver of events, because it takes long to simulate. */
export const seedsPerReceiver = 3

/**
 * Several processes serve clients who create auctions, bid, read and list, over a store that loses, delays, repeats and
 * halves its calls, while processes crash and pause and clocks differ; then all faults end, and every operation must
 * work again.
 * @param act what a client does: by default with English auctions
 */
export async function simulate(
  seed: number,
  planted: Planted = {},
  act = actRepeatedly,
  finale?: Finale,
): Promise<Outcome> {
  const chance = createChance(seed)
  const time = createVirtualTime(chance)
  const problems: string[] = []
  const drawn = { ...limitsWith(), ...drawnLimits(chance) }
  const isCalm = chance.percent(10)
  // Small blocks are used up soon, so that claims are frequent.
  const limits = chance.percent(50) ? { ...drawn, auctionIdsPerBlock: 2, entryIdsPerBlock: 4 } : drawn
  const lagMs = isCalm ? 0 : chance.pick([0, 5, 50])
  const clockErrorMs = Math.floor(limits.clockSkewMs / 2)

  const replicated = createReplicatedStore(lagMs, chance, time)
  const { appendedSince, ...silent } = planted.store?.(replicated) ?? replicated
  // Half of the stores do not report appends.
  const telling = appendedSince === undefined || seed % 2 === 0 ? silent : { ...silent, appendedSince }
  const store = createWatchedStore(
    { ...telling, checkpoints: replicated.checkpoints },
    limits,
    clockErrorMs,
    time,
    problems,
  )
  // Not in all, because their calls of the store take a large part of the time.
  const receiver = seed % seedsPerReceiver === 0 ? createReceiver(createChance(-seed), time) : undefined
  const sealer = { ...createMemorySealer(), draw: (below: number) => chance.int(0, below - 1) }
  const start = () =>
    startProcess(
      {
        store,
        limits,
        sealer,
        faults: isCalm ? noFaults : drawnFaults(chance),
        closingEveryMs: chance.pick([20, 100, 400]),
        maxEntriesPerWrite: chance.pick([2, 1_000]),
        subscriber: receiver?.subscriber,
        planted,
        onError: (error) => void (isStoreUnavailable(error) || problems.push(`closing failed: ${String(error)}`)),
      },
      chance,
      time,
    )
  const world: World = {
    chance,
    time,
    everything: () => replicated.everything(),
    closedAtMs: store.closedAtMs,
    limits,
    isCalm,
    abandonPercent: isCalm ? 0 : chance.pick([0, 5]),
    processes: [start(), ...Array.from({ length: chance.pick([0, 1, 1, 2]) }, start)],
    known: [],
    open: [],
    attempts: [],
    followers: [],
    ending: { isOver: false, ...Promise.withResolvers<void>() },
    problems,
    receiver,
  }
  for (const process of world.processes) process.setClock(drawnClockError(world))

  let unfinished = 0
  const begin = async (activity: Promise<void>): Promise<void> => {
    unfinished += 1
    try {
      await activity
      unfinished -= 1
    } catch (error) {
      problems.push(`an activity failed: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  const clients = Array.from({ length: chance.int(2, 6) }, (_, index) => act(world, index + 1))
  const story = Promise.all([...clients, ...(isCalm ? [] : [makeTrouble(world, replicated)])])
  for (let followers = chance.int(0, 4); followers > 0; followers--)
    void begin(followSomething(world, planted.follower))
  void begin(
    story.then(async () => {
      world.abandonPercent = 0
      world.processes.forEach(heal)
      if (receiver !== undefined && chance.percent(70)) receiver.breakDown()
      await finish(world)
      await finale?.last(world)
      for (const process of world.processes) process.stop()
      if (receiver !== undefined) await waitForDeliveries(world, receiver, replicated.checkpoints)
      for (const process of world.processes) process.close()
    }),
  )
  await time.run()
  if (unfinished > 0) problems.push(`${unfinished} activities never came to an end`)
  for (const process of world.processes) {
    if (process.unsettled() > 0) problems.push(`${process.unsettled()} requests never came to an end`)
  }

  const { attempts, followers } = world
  const { auctions, ledger, registers } = await replicated.everything()
  if (finale !== undefined) {
    const broken = await finale.check(replicated, world, store.storedAtMs)
    return { attempts, ledger, registers, problems: [...problems, ...broken] }
  }
  const violations = checkHistory({
    attempts,
    followers,
    storedAtMs: store.storedAtMs,
    auctions,
    ledger,
    registers,
    sealer,
    ...(receiver && { deliveries: { receiver: receiver.received } }),
    clockErrorMs,
    marginMs: limits.clockSkewMs,
  })
  const broken = violations.map(({ invariant, message }) => `invariant ${invariant}: ${message}`)
  return { attempts, ledger, registers, problems: [...problems, ...broken] }
}

/** Small limits, so that full groups, evicted auctions and commands that time out are frequent. */
const drawnLimits = (chance: Chance): Partial<Limits> => ({
  maxWaitingPerAuction: chance.pick([3, 50]),
  maxWaiting: chance.pick([8, 100]),
  maxEntriesPerAppend: chance.pick([1, 4, 100, 100]),
  maxCachedBytes: chance.pick([1_000, 2_000, 100_000]),
  maxConflicts: chance.pick([5, 50]),
  maxTries: chance.int(1, 3),
  deadlineMs: 1_000,
  clockSkewMs: 100,
})
