import { type MemoryStore, memoryStore } from '@auction/adapters/memory'
import type { Auction } from '@auction/domain/auction'
import type { NewBid } from '@auction/domain/bid'
import { StoreUnavailableError } from '@auction/domain/ports/store-unavailable'
import { type BidAnswer, type BidAttempt, checkHistory } from '@auction/domain/testing/check-history'
import { sampleAuction } from '@auction/domain/testing/samples'
import { type Chance, chance } from './chance.ts'
import { type Faults, noFaults } from './network.ts'
import { heal, type Process, startMs, startProcess } from './processes.ts'
import { type VirtualTime, virtualTime } from './virtual-time.ts'

/** What a simulation came to. It is a function of the seed: the same seed gives the same outcome to the letter. */
export type Outcome = {
  readonly attempts: readonly BidAttempt[]
  /** What was promised and not kept; empty when all is well. */
  readonly problems: readonly string[]
}

type World = {
  readonly chance: Chance
  readonly time: VirtualTime
  readonly auctions: readonly [Auction, ...Auction[]]
  readonly processes: readonly [Process, ...Process[]]
  readonly attempts: BidAttempt[]
  readonly problems: string[]
}

/**
 * Several processes serve clients who bid on a few auctions, over a store that loses, delays, doubles, repeats and halves what it is
 * sent, while processes crash and clocks disagree; then all faults end. `plant` may put a bug into the store.
 */
export async function simulate(seed: number, plant = (store: MemoryStore) => store): Promise<Outcome> {
  const drawn = chance(seed)
  const time = virtualTime(drawn)
  const store = memoryStore()
  const planted = plant(store)
  const faults = drawnFaults(drawn)
  const start = () => startProcess(planted, drawn, time, faults)
  const world: World = {
    chance: drawn,
    time,
    auctions: drawnAuctions(drawn),
    processes: [start(), ...Array.from({ length: drawn.int(0, 2) }, start)],
    attempts: [],
    problems: [],
  }
  for (const auction of world.auctions) await store.auctions.insert(auction)

  let unfinished = 0
  const begin = (activity: Promise<void>) => {
    unfinished += 1
    activity.then(
      () => (unfinished -= 1),
      (error: unknown) => world.problems.push(`an activity failed: ${String(error)}`),
    )
  }
  const clients = drawn.int(2, 6)
  for (let client = 1; client <= clients; client++) begin(bidRepeatedly(world, client))
  begin(trouble(world))
  await time.run()
  world.processes.forEach(heal)
  begin(bidOnceMore(world))
  await time.run()
  if (unfinished > 0) world.problems.push(`${unfinished} activities never came to an end`)

  const ledger = await Promise.all(world.auctions.map(({ id }) => planted.ledger.page(id, { limit: 1e6 })))
  const violations = checkHistory({ auctions: world.auctions, attempts: world.attempts, ledger: ledger.flat() })
  const broken = violations.map(({ invariant, message }) => `invariant ${invariant}: ${message}`)
  return { attempts: world.attempts, problems: [...world.problems, ...broken] }
}

function drawnFaults(chance: Chance): Faults {
  if (chance.percent(10)) return noFaults
  const likely = () => (chance.percent(50) ? 0 : chance.int(1, 15))
  return {
    lostRequest: likely(),
    lostReply: likely(),
    late: likely(),
    duplicated: likely(),
    repeated: likely(),
    halfApplied: likely(),
  }
}

function drawnAuctions(chance: Chance): readonly [Auction, ...Auction[]] {
  const auction = (id: number) => {
    const end = startMs + chance.pick([200, 600, 100_000])
    return sampleAuction({
      id,
      startTime: new Date(startMs + chance.pick([-1000, 50])).toISOString(),
      endTime: new Date(end).toISOString(),
    })
  }
  return [auction(1), ...Array.from({ length: chance.int(0, 3) }, (_, index) => auction(index + 2))]
}

/** Crashes, cuts and clocks that jump, at times drawn by chance. */
async function trouble({ chance, time, processes }: World): Promise<void> {
  const rounds = chance.int(0, 6)
  for (let round = 0; round < rounds; round++) {
    await time.sleep(chance.int(10, 150))
    const process = chance.pick(processes)
    if (chance.percent(40)) process.crash()
    if (chance.percent(50)) process.setClock(chance.int(-100, 100))
    if (chance.percent(30)) {
      process.link.isCut = true
      await time.sleep(chance.int(10, 200))
      process.link.isCut = false
    }
  }
}

/** A client that sends one bid after another, and some of them again: because it heard nothing, or at once, as a twin. */
async function bidRepeatedly(world: World, client: number): Promise<void> {
  const { chance, time } = world
  const bids = chance.int(2, 8)
  for (let number = 1; number <= bids; number++) {
    await time.sleep(chance.int(0, 40))
    const bid = drawnBid(world, client)
    if (chance.percent(50)) {
      await send(world, bid)
      continue
    }
    const key = `${client}-${number}`
    const twins = Array.from({ length: chance.percent(30) ? 2 : 1 }, () => send(world, bid, key))
    const answers = await Promise.all(twins)
    for (let retry = 0; retry < 3; retry++) {
      if (answers.at(-1)?.outcome !== 'unknown' && chance.percent(80)) break
      answers.push(await send(world, bid, key))
    }
  }
}

function drawnBid({ chance, auctions }: World, client: number): NewBid {
  const auction = chance.pick(auctions)
  return { auctionId: auction.id, bidderId: 100 + client, amount: chance.int(95, 220) } as NewBid // Ids and amounts in bounds.
}

async function send(world: World, bid: NewBid, key?: string): Promise<BidAnswer> {
  const { time, attempts } = world
  const sentAtMs = time.nowMs()
  const answer = await ask(world, bid, key)
  attempts.push({ bid, ...(key && { key }), sentAtMs, answeredAtMs: time.nowMs(), answer })
  return answer
}

async function ask({ chance, processes, problems }: World, bid: NewBid, key?: string): Promise<BidAnswer> {
  try {
    const result = await chance.pick(processes).placeBid(bid, key === undefined ? undefined : { caller: 'client', key })
    if (result === 'crashed') return { outcome: 'unknown' }
    return result.ok ? { outcome: 'accepted', bid: result.value } : { outcome: 'refused', ...result.refusal }
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) problems.push(`a bid failed: ${String(error)}`)
    const changed = !(error instanceof StoreUnavailableError) || error.outcome === 'unknown'
    return changed ? { outcome: 'unknown' } : { outcome: 'refused', code: 'store-unavailable' }
  }
}

const timely = new Set(['auction-not-started', 'auction-ended'])

/** When all faults have ended, every process serves every auction again, with no help. */
async function bidOnceMore(world: World): Promise<void> {
  let amount = 1_000
  for (const auction of world.auctions) {
    for (const process of world.processes) {
      amount += 100
      const bid = { auctionId: auction.id, bidderId: 99, amount } as NewBid // Ids and amounts in bounds.
      const answer = await send({ ...world, processes: [process] }, bid)
      if (answer.outcome === 'accepted' || (answer.outcome === 'refused' && timely.has(answer.code))) continue
      world.problems.push(`after all faults, a bid on auction ${auction.id} was answered ${JSON.stringify(answer)}`)
    }
  }
}
