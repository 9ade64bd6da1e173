import type { WantedRepair } from '@auction/testing/history'
import type { Auction } from '../../src/auction/auction.ts'
import {
  decimalOf,
  drawnAuctionId,
  drawnBid,
  drawnForRepair,
  drawnKnown,
  drawnOpen,
  goingOn,
  risingOn,
} from './draws.ts'
import { listBidsOfSomebody } from './read-bids.ts'
import { bidding, purchase, reading, repair } from './requests.ts'
import {
  bidSomething,
  buySomething,
  cancelSomething,
  correctSomething,
  createSomething,
  listSomething,
  repairSomething,
  type Wish,
} from './wishes.ts'
import { isSettled, type KnownAuction, nowMs, type Request, type World } from './world.ts'

/** A client creates, bids, reads and lists, one request after another, and repeats requests without a response. */
export async function actRepeatedly(world: World, client: number): Promise<void> {
  const { chance, time } = world
  const actions = chance.int(3, 12)
  const mostIdleMs = chance.pick([30, 100, 400])
  if (client <= 3) {
    const first = ['a', 'b'].map((name) => insist(world, createSomething(world, client, `${client}-${name}`)))
    await Promise.all(first)
  }
  for (let action = 1; action <= actions; action++) {
    await time.sleep(chance.int(0, mostIdleMs))
    await act(world, client, `${client}-${action}`)
  }
}

async function act(world: World, client: number, name: string): Promise<void> {
  const { chance, known, processes } = world
  const draw = chance.int(1, 100)
  if (known.length === 0 || draw <= 5) {
    await insist(world, createSomething(world, client, name))
    if (known.length === 0) return
    return chance.percent(40) ? repairAtOnce(world, client, name) : correctAtOnce(world, client, name)
  }
  const { auction } = drawnKnown(world)
  if (draw <= 10) await meetTheEnd(world, client, name)
  else if (draw <= 22) await readSomething(world, auction)
  else if (draw <= 25) await listBidsOfSomebody(world)
  else if (draw <= 32) await listSomething(world).send(chance.pick(processes))
  else if (draw <= 36) await correctAtOnce(world, client, name)
  else if (draw <= 59) await bidAtOnce(world, client, name)
  else if (draw <= 65) await repairAtOnce(world, client, name)
  else if (draw <= 88) await insist(world, bidSomething(world, client, name))
  else if (draw <= 95) await insist(world, buySomething(world, client, name))
  else await insist(world, cancelSomething(world, client, name))
}

/**
 * Reads an auction once, or, if an auction without known bids ends soon, that one around its end: it may offer buy now
 * until then.
 */
async function readSomething(world: World, auction: Auction): Promise<void> {
  const { chance, processes } = world
  const offered = offeredToItsEnd(world)
  if (offered !== undefined) await sendAroundTheEnd(world, offered, () => readings(world, offered))
  else await reading(world, drawnAuctionId(world, auction.id)).send(chance.pick(processes))
}

/** Bids on an auction and reads it around its end. */
async function meetTheEnd(world: World, client: number, name: string): Promise<void> {
  const known = drawnKnown(world)
  const bids = () =>
    risingOn(known).map((each, index) => bidSomething(world, client + index, `${name}-${index}`, each).request)
  const repairs = world.chance.percent(40) ? ['a', 'b'] : []
  await sendAroundTheEnd(world, known, () => [
    ...readings(world, known),
    ...bids(),
    ...repairs.map((each) => repairSomething(world, `${name}-${each}`, known).request),
  ])
}

const readings = (world: World, { auction }: KnownAuction): readonly Request[] =>
  Array.from({ length: 8 }, () => reading(world, auction.id))

/** How long a client waits for an end, in milliseconds. */
const maxWaitMs = 1_000

/** Sends requests through all processes, from shortly before the end of an auction until shortly after. */
async function sendAroundTheEnd(
  world: World,
  { endMs }: KnownAuction,
  requests: () => readonly Request[],
): Promise<void> {
  const { chance, time, processes } = world
  const leftMs = endMs - nowMs(world)
  if (leftMs > 0) await time.sleep(Math.min(Math.max(0, leftMs - chance.int(0, 40)), maxWaitMs))
  const sending = requests().map(async (request) => {
    await time.sleep(chance.int(0, 80))
    await request.send(chance.pick(processes))
  })
  await Promise.all(sending)
}

/** Sends concurrent bids on several auctions, or several on one, through one process, which writes them together. */
async function bidAtOnce(world: World, client: number, name: string): Promise<void> {
  const process = world.chance.pick(world.processes)
  const auctions = world.chance.percent(50) ? drawnOpen(world) : risingOn(drawnKnown(world))
  const bids = auctions.map((known, index) => bidSomething(world, client + index, `${name}-${index}`, known))
  await Promise.all(bids.map(({ request }) => request.send(process)))
}

/**
 * Sends corrections of one auction at the same time, mostly of one without bids. Only one of those that expect the same
 * texts may succeed.
 */
async function correctAtOnce(world: World, client: number, name: string): Promise<void> {
  const { chance } = world
  const [first, ...others] = goingOn(world).filter(
    ({ auction, priceMinor }) => priceMinor === auction.startingPriceMinor,
  )
  const known = first === undefined || chance.percent(20) ? drawnKnown(world) : chance.pick([first, ...others])
  const corrections = ['a', 'b', 'c'].slice(0, chance.int(1, 3))
  await Promise.all(corrections.map((each) => insist(world, correctSomething(world, client, `${name}-${each}`, known))))
}

/**
 * Staff send repairs of one auction at the same time as others bid on it; after that, withdrawn bidders bid and buy, or
 * it is corrected.
 */
async function repairAtOnce(world: World, client: number, name: string): Promise<void> {
  const { chance, processes } = world
  const known = drawnForRepair(world)
  const repairs = ['a', 'b', 'c']
    .slice(0, chance.int(1, 3))
    .map((each) => repairSomething(world, `${name}-${each}`, known))
  const bids = (chance.percent(60) ? risingOn(known) : []).map((rising, index) =>
    bidSomething(world, client + index, `${name}-${index}`, rising).request.send(chance.pick(processes)),
  )
  await Promise.all([...repairs.map((each) => insist(world, each)), ...bids])
  for (const { wanted } of repairs) {
    if (wanted.type === 'lower-reserve') await repair(world, byOwner(wanted, known)).send(chance.pick(processes))
    if (wanted.type !== 'withdraw-bidder') continue
    const { auctionId, bidderId } = wanted.repair
    if (chance.percent(40)) await repair(world, unblocking(wanted)).send(chance.pick(processes))
    await bidding(world, { ...drawnBid(world, client, known), bidderId }).send(chance.pick(processes))
    if (known.auction.buyNowPriceMinor !== undefined)
      await purchase(world, { auctionId, buyerId: bidderId }).send(chance.pick(processes))
  }
  if (known.priceMinor === known.auction.startingPriceMinor)
    await insist(world, correctSomething(world, client, `${name}-correct`, known))
}

const unblocking = (wanted: Extract<WantedRepair, { readonly type: 'withdraw-bidder' }>): WantedRepair => ({
  ...wanted,
  repair: { ...wanted.repair, isBlocked: false },
})

/** The owner lowers a reserve by a little more than it was just lowered. */
function byOwner({ type, repair: wanted }: LowerReserve, { auction }: KnownAuction): WantedRepair {
  const { mayLowerAny: _, ...lowered } = wanted
  const reservePrice = decimalOf(Math.max(Math.round(wanted.reservePrice * 100) - 1, 0), auction)
  return { type, repair: { ...lowered, reservePrice, requesterId: auction.ownerId } }
}
type LowerReserve = Extract<WantedRepair, { readonly type: 'lower-reserve' }>

/**
 * Sends a request with a key until its outcome is known, sometimes twice at the same time, and sometimes again after
 * that.
 */
export async function insist(world: World, { request, isKeyed, mistaken }: Wish): Promise<void> {
  const { chance, time, processes } = world
  if (!isKeyed) {
    await request.send(chance.pick(processes))
    return
  }
  const duplicates = [request, ...(chance.percent(25) ? [request] : []), ...(chance.percent(15) ? [mistaken()] : [])]
  const responses = await Promise.all(duplicates.map((twin) => twin.send(chance.pick(processes))))
  let isKnown = responses[0] !== undefined && isSettled(responses[0])
  for (let retry = 0; retry < 4 && (!isKnown || chance.percent(15)); retry++) {
    await time.sleep(chance.int(0, 100))
    const response = await request.send(chance.pick(processes))
    isKnown ||= isSettled(response)
  }
  if (!isKnown) world.open.push(request)
  if (chance.percent(10)) await mistaken().send(chance.pick(processes))
}

/** An auction that ends soon and of which no bid is known, so that it may offer buy now until its end. */
const offeredToItsEnd = (world: World): KnownAuction | undefined =>
  world.known.find(({ auction: { startingPriceMinor, buyNowPriceMinor }, endMs, priceMinor }) => {
    const leftMs = endMs - nowMs(world)
    return buyNowPriceMinor !== undefined && priceMinor === startingPriceMinor && leftMs > 0 && leftMs <= maxWaitMs
  })
