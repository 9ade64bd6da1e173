import { checkHistory } from '@auction/testing/check-history'
import type { Attempt } from '@auction/testing/history'
import { sampleAuction } from '@auction/testing/samples'
import type { Auction } from '../../src/auction/auction.ts'
import type { NewBid } from '../../src/auction/bid.ts'
import { limitsWith } from '../../src/limits.ts'
import { type AmountMinor, type Decimal, toDecimal } from '../../src/values/money.ts'
import { createBusyStore } from './busy-store.ts'
import { createChance } from './chance.ts'
import { noFaults } from './link.ts'
import { type Process, startMs, startProcess } from './processes.ts'
import { createReplicatedStore } from './replicated-store.ts'
import { bidding } from './requests.ts'
import { createVirtualTime } from './virtual-time.ts'
import { type KnownAuction, knownAs, type World } from './world.ts'

/** The results of two processes that share hot auctions, without failures. */
export type Competition = {
  /** The number of accepted bids on hot auctions, through each process. */
  readonly wins: readonly number[]
  /** The longest wait for a bid on an auction that only one process uses. */
  readonly longestCalmWaitMs: number
  readonly problems: readonly string[]
}

/** The number of users who bid on a hot auction through each process. */
const biddersEach = 2
const calmAuctions = 6

export type CompetitionParts = {
  readonly hotAuctions: number
  /** The maximum time of a request or response between each process and the store. */
  readonly slownessMs?: readonly [number, number]
  readonly durationMs?: number
}

/** Runs two processes that compete on one store. */
export async function compete(
  seed: number,
  { hotAuctions, slownessMs = [2, 2], durationMs = 2_000 }: CompetitionParts,
): Promise<Competition> {
  const chance = createChance(seed)
  const time = createVirtualTime(chance)
  const problems: string[] = []
  const limits = limitsWith()
  const replicated = createReplicatedStore(0, chance, time)
  const store = createBusyStore(replicated, time)
  const start = () =>
    startProcess(
      {
        store,
        limits,
        faults: noFaults,
        closingEveryMs: 1_000,
        maxEntriesPerWrite: 1_000,
        onError: (error) => void problems.push(`closing failed: ${String(error)}`),
      },
      chance,
      time,
    )
  const processes = [start(), start()] as const
  for (const [index, { link }] of processes.entries()) link.slownessMs = slownessMs[index] ?? 0
  const auctions = Array.from({ length: hotAuctions + calmAuctions }, (_, index) =>
    sampleAuction({ id: index + 1, ...period }),
  )
  for (const auction of auctions) await replicated.insertAuction(auction)
  const world: World = {
    chance,
    time,
    limits,
    processes,
    problems,
    abandonPercent: 0,
    isCalm: true,
    known: auctions.map(knownAs),
    open: [],
    attempts: [],
    followers: [],
    ending: { isOver: false, ...Promise.withResolvers<void>() },
    everything: replicated.everything,
    closedAtMs: new Map(),
    receiver: undefined,
  }

  const wins = processes.map(() => 0)
  const calmWaitsMs: number[] = []
  const bidders = world.known.flatMap((known, index) =>
    processes.flatMap((process, side) => {
      if (index >= hotAuctions)
        return index % 2 === side ? [bidCalmly(world, known, process, durationMs, calmWaitsMs)] : []
      return Array.from({ length: biddersEach }, async (_, bidder) => {
        const won = await bidHotly(world, known, process, durationMs, 2 + side * biddersEach + bidder)
        wins[side] = (wins[side] ?? 0) + won
      })
    }),
  )
  void Promise.all(bidders).then(() => {
    for (const process of processes) process.stop()
  })
  await time.run()

  const violations = checkHistory({
    ...(await replicated.everything()),
    attempts: [...created(auctions), ...world.attempts],
    clockErrorMs: 0,
    marginMs: limits.clockSkewMs,
  })
  return {
    wins,
    longestCalmWaitMs: Math.max(...calmWaitsMs),
    problems: [...problems, ...violations.map(({ message }) => message)],
  }
}

const period = { startTime: new Date(startMs - 1_000).toISOString(), endTime: new Date(startMs + 60_000).toISOString() }

const created = (auctions: readonly Auction[]): readonly Attempt[] =>
  auctions.map((auction) => ({
    type: 'create-auction',
    auction,
    sentAtMs: auction.createdAtMs,
    answeredAtMs: auction.createdAtMs,
    answer: { outcome: 'accepted', auction },
  }))

/** Bids without a pause, a step or two above the known price. Returns the number of accepted bids. */
async function bidHotly(
  world: World,
  known: KnownAuction,
  process: Process,
  durationMs: number,
  bidder: number,
): Promise<number> {
  let won = 0
  while (world.time.nowMs() < durationMs) {
    const answer = await bidding(world, nextBid(known, bidder, world.chance.int(1, 3))).send(process)
    if (answer.outcome === 'accepted') won += 1
  }
  return won
}

/** Bids now and then, and records the duration of each bid. */
async function bidCalmly(
  world: World,
  known: KnownAuction,
  process: Process,
  durationMs: number,
  waitsMs: number[],
): Promise<void> {
  const { time, chance } = world
  while (time.nowMs() < durationMs) {
    const sentAtMs = time.nowMs()
    await bidding(world, nextBid(known, 2, 1)).send(process)
    waitsMs.push(time.nowMs() - sentAtMs)
    await time.sleep(chance.int(10, 60))
  }
}

function nextBid({ auction, priceMinor }: KnownAuction, bidder: number, steps: number): NewBid {
  const amountMinor = (priceMinor + steps * auction.minimumBidIncrementMinor) as AmountMinor // Far below the limit.
  return {
    auctionId: auction.id,
    bidderId: sampleAuction({ ownerId: bidder }).ownerId,
    amount: toDecimal(amountMinor, auction.currency) as Decimal, // Above 0.
  }
}
