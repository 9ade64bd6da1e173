import type { Checkpoints } from '@auction/delivery/checkpoints'
import { sampleAuction } from '@auction/testing/samples'
import { nextAmountMinor } from '../../src/auction/formats/english/prices.ts'
import { type AmountMinor, type Decimal, toDecimal } from '../../src/values/money.ts'
import { startMs } from './processes.ts'
import { readBids } from './read-bids.ts'
import type { Receiver } from './receiver.ts'
import { bidding, creation, listing, purchase, reading } from './requests.ts'
import { readSealedBids } from './sealed/read-bids.ts'
import { isFalling, isSealed, isSettled, type KnownAuction, nowMs, type Request, type World } from './world.ts'

/** The time that a host may take to close due auctions, in milliseconds. */
const hostMs = 2_000

/** After all faults end, every operation must work again without intervention. */
export async function finish(world: World): Promise<void> {
  const { time, limits, open } = world
  // Stalled calls time out, and late ones arrive.
  await time.sleep(4 * limits.deadlineMs)
  for (const request of open) await mustSettle(world, request)
  for (const process of world.processes) await useOnceMore({ ...world, processes: [process] })
  await waitForClosing(world)
  await endFollowing(world)
  for (const process of world.processes) await readOnceMore({ ...world, processes: [process] })
  for (const process of world.processes) {
    await readBids(world, process)
    await readSealedBids(world, process)
  }
}

async function mustSettle({ chance, processes, problems }: World, request: Request): Promise<void> {
  const response = await request.send(chance.pick(processes))
  if (!isSettled(response)) problems.push(`after all faults, ${request.name} returned ${JSON.stringify(response)}`)
}

/** A process creates an auction, and places a bid on it and on all others. */
async function useOnceMore(world: World): Promise<void> {
  const {
    id: _,
    createdAtMs: __,
    ...fields
  } = sampleAuction({
    startTime: new Date(nowMs(world) - 1_000).toISOString(),
    endTime: new Date(nowMs(world) + 5_000).toISOString(),
  })
  await mustSettle(world, creation(world, fields))
  for (const known of [...world.known]) await mustSettle(world, lastOffer(world, known))
}

function lastOffer(world: World, { auction, priceMinor }: KnownAuction): Request {
  const [auctionId, userId] = [auction.id, sampleAuction({ ownerId: 99 }).ownerId]
  // Below every price, so that auctions end by time.
  if (isFalling(auction)) return purchase(world, { auctionId, buyerId: userId, atMost: 0 as Decimal })
  const nextMinor = isSealed(auction)
    ? Math.max(auction.startingPriceMinor, 1)
    : nextAmountMinor(auction, priceMinor as AmountMinor)
  const amount = toDecimal(nextMinor as AmountMinor, auction.currency) as Decimal // Above 0, and far below the limit.
  return bidding(world, { auctionId, bidderId: userId, amount })
}

/**
 * The time in which everything is delivered and all checkpoints are removed: they are kept for 10 minutes after the
 * end, and the walks take a minute each.
 */
const deliveriesMs = 13 * 60_000

/** Walks find what crashes have left, and then remove the checkpoints. */
export async function waitForDeliveries(
  { chance, time, processes, problems }: World,
  receiver: Receiver,
  checkpoints: Checkpoints,
): Promise<void> {
  for (const process of processes) if (chance.percent(70)) process.crash()
  receiver.heal()
  await time.sleep(deliveriesMs)
  const left = await checkpoints.list({ limit: 100 })
  if (left.length > 0) problems.push(`checkpoints are left: ${JSON.stringify(left)}`)
}

/**
 * The time in which a follower has seen the end of an auction, in milliseconds: the longest pause between polls, and
 * some reads.
 */
const followMs = 5_000

async function endFollowing({ time, ending }: World): Promise<void> {
  await time.sleep(followMs)
  ending.isOver = true
  ending.resolve()
}

async function waitForClosing({ time, everything, closedAtMs, limits, problems, isCalm }: World): Promise<void> {
  const { auctions, ledger } = await everything()
  // The end in an entry is the one after that entry. An end that was corrected to an earlier time may be noticed late.
  const ends = new Map(auctions.map(({ id, endTime }) => [id, endTime.epochMs - startMs]))
  const latestEnds = new Map(ends)
  for (const { auctionId, state } of ledger.toSorted((a, b) => a.sequence - b.sequence)) {
    const movedMs = state.extendedEndMs ?? state.corrections?.terms?.endTime.epochMs
    if (movedMs === undefined) continue
    ends.set(auctionId, movedMs - startMs)
    latestEnds.set(auctionId, Math.max(movedMs - startMs, latestEnds.get(auctionId) ?? 0))
  }
  const healedMs = time.nowMs()
  const boundOf = (endMs: number) => Math.max(endMs, healedMs) + 2 * limits.clockSkewMs + hostMs
  const isClosed = () => [...ends.keys()].every((id) => closedAtMs.has(id))
  const boundMs = boundOf(Math.max(...latestEnds.values()))
  while (!isClosed() && time.nowMs() <= boundMs) await time.sleep(200)
  for (const [id, endMs] of ends) {
    const atMs = closedAtMs.get(id)
    if (atMs === undefined || atMs > boundOf(latestEnds.get(id) ?? endMs))
      problems.push(`auction ${id} is not closed, long after its end`)
    else if (isCalm && atMs > endMs + 2 * limits.clockSkewMs + hostMs) {
      problems.push(`auction ${id} was closed ${atMs - endMs} ms after its end, and nothing held that up`)
    }
  }
}

/** A process reads every auction, and returns its result. */
async function readOnceMore(world: World): Promise<void> {
  for (const { auction } of world.known) {
    const [process] = world.processes
    const response = await reading(world, auction.id).send(process)
    if (response.outcome !== 'read' || response.auction.result === undefined) {
      world.problems.push(`a read after the end of auction ${auction.id} returned ${JSON.stringify(response)}`)
    }
  }
  await mustSettle(world, listing(world, { limit: 100, order: 'newest' }))
}
