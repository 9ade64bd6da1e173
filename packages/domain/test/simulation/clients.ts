import type { CancellationOf, ReserveReductionOf, WantedRepair } from '@auction/testing/history'
import { type AuctionSample, sampleAuction } from '@auction/testing/samples'
import type { Auction, NewAuction } from '../../src/auction/auction.ts'
import type { NewBid } from '../../src/auction/bid.ts'
import type { CorrectionJson } from '../../src/auction/correction.ts'
import { incrementAt } from '../../src/auction/increments.ts'
import type { MetadataPatch } from '../../src/auction/metadata.ts'
import { auctionStatuses } from '../../src/auction/status.ts'
import type { AuctionId } from '../../src/values/ids.ts'
import { momentAt } from '../../src/values/moment.ts'
import { type AmountMinor, type Decimal, toDecimal } from '../../src/values/money.ts'
import type { Chance } from './chance.ts'
import { listBidsOfSomebody } from './read-bids.ts'
import {
  bidding,
  cancellation,
  correction,
  creation,
  listing,
  listingOfAll,
  purchase,
  reading,
  repair,
} from './requests.ts'
import { isSettled, type KnownAuction, nowMs, type Request, type World } from './world.ts'

/** A client creates, bids, reads and lists, one request after another, and repeats requests without an answer. */
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

/** Reads an auction once, or, if an auction without known bids ends soon, that one around its end: it may offer buy now until then. */
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

/** Sends corrections of one auction at the same time, mostly of one without bids. Only one of those that expect the same texts may succeed. */
async function correctAtOnce(world: World, client: number, name: string): Promise<void> {
  const { chance } = world
  const [first, ...others] = goingOn(world).filter(
    ({ auction, priceMinor }) => priceMinor === auction.startingPriceMinor,
  )
  const known = first === undefined || chance.percent(20) ? drawnKnown(world) : chance.pick([first, ...others])
  const corrections = ['a', 'b', 'c'].slice(0, chance.int(1, 3))
  await Promise.all(corrections.map((each) => insist(world, correctSomething(world, client, `${name}-${each}`, known))))
}

/** Staff send repairs of one auction at the same time as others bid on it; after that, withdrawn bidders bid and buy, or it is corrected. */
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

/** A request, and another one that its client sends under the same key. */
type Wish = { readonly request: Request; readonly isKeyed: boolean; readonly mistaken: () => Request }

/** Sends a request with a key until its outcome is known, sometimes twice at the same time, and sometimes again after that. */
async function insist(world: World, { request, isKeyed, mistaken }: Wish): Promise<void> {
  const { chance, time, processes } = world
  if (!isKeyed) {
    await request.send(chance.pick(processes))
    return
  }
  const duplicates = [request, ...(chance.percent(25) ? [request] : []), ...(chance.percent(15) ? [mistaken()] : [])]
  const answers = await Promise.all(duplicates.map((twin) => twin.send(chance.pick(processes))))
  let isKnown = answers[0] !== undefined && isSettled(answers[0])
  for (let retry = 0; retry < 4 && (!isKnown || chance.percent(15)); retry++) {
    await time.sleep(chance.int(0, 100))
    const answer = await request.send(chance.pick(processes))
    isKnown ||= isSettled(answer)
  }
  if (!isKnown) world.open.push(request)
  if (chance.percent(10)) await mistaken().send(chance.pick(processes))
}

function createSomething(world: World, client: number, name: string): Wish {
  const key = world.chance.percent(60) ? `create-${name}` : undefined
  const auction = drawnAuction(world, client)
  return {
    request: creation(world, auction, key),
    isKeyed: key !== undefined,
    mistaken: () => creation(world, drawnAuction(world, client), key),
  }
}

function bidSomething(world: World, client: number, name: string, known = drawnKnown(world)): Wish {
  const key = world.chance.percent(60) ? `bid-${name}` : undefined
  return {
    request: bidding(world, drawnBid(world, client, known), key),
    isKeyed: key !== undefined,
    mistaken: () => bidding(world, drawnBid(world, client, drawnKnown(world)), key),
  }
}

function buySomething(world: World, client: number, name: string): Wish {
  const key = world.chance.percent(60) ? `buy-${name}` : undefined
  const { auction } = drawnBuyable(world)
  const wanted = (buyer: number, id = auction.id) => ({ auctionId: drawnAuctionId(world, id), buyerId: userOf(buyer) })
  return {
    request: purchase(world, wanted(client), key),
    isKeyed: key !== undefined,
    mistaken: () => purchase(world, wanted(client + 1, drawnKnown(world).auction.id), key),
  }
}

function cancelSomething(world: World, client: number, name: string): Wish {
  const { chance } = world
  const key = chance.percent(60) ? `cancel-${name}` : undefined
  const wish = ({ auction }: KnownAuction): CancellationOf => ({
    auctionId: drawnAuctionId(world, auction.id),
    ...(chance.percent(50) ? { requesterId: chance.pick([auction.ownerId, auction.ownerId, userOf(client)]) } : {}),
    ...(chance.percent(50) ? { reason: chance.pick(['broken', 'lost']) } : {}),
    ...(chance.percent(25) ? { mayForce: true } : {}),
  })
  return {
    request: cancellation(world, wish(drawnKnown(world)), key),
    isKeyed: key !== undefined,
    mistaken: () => cancellation(world, wish(drawnKnown(world)), key),
  }
}

function correctSomething(world: World, client: number, name: string, known: KnownAuction): Wish {
  const { chance } = world
  const key = chance.percent(60) ? `correct-${name}` : undefined
  const expected = chance.percent(75) ? known.texts : undefined
  const { id, ownerId } = known.auction
  const wish = (text: string) => ({
    auctionId: drawnAuctionId(world, id),
    editor: `${client}`,
    ...(chance.percent(30) && { requesterId: chance.pick([ownerId, ownerId, ownerId, userOf(client)]) }),
    fields: drawnCorrection(world, known.auction, text),
  })
  return {
    request: correction(world, wish(`title ${name}`), expected, key),
    isKeyed: key !== undefined,
    mistaken: () => correction(world, wish(`another title ${name}`), expected, key),
  }
}

function repairSomething(world: World, name: string, known: KnownAuction): Wish & { readonly wanted: WantedRepair } {
  const { chance } = world
  const key = chance.percent(70) ? `repair-${name}` : undefined
  const isPending = known.auction.startTime.epochMs > nowMs(world)
  const draw = isPending && chance.percent(50) ? 70 : chance.int(1, 100)
  const wanted = drawnRepair(world, known, draw)
  return {
    wanted,
    request: repair(world, wanted, key),
    isKeyed: key !== undefined,
    mistaken: () => repair(world, drawnRepair(world, known, draw), key),
  }
}

/** A repair of the kind that a number from 1 to 100 draws. */
function drawnRepair(world: World, known: KnownAuction, draw: number): WantedRepair {
  const { chance } = world
  const { auction, endMs, leaderId } = known
  const common = {
    auctionId: drawnAuctionId(world, auction.id),
    editor: 'staff',
    reason: chance.pick(['outage', 'slip']),
  }
  if (draw <= 30) {
    const laterMs = Math.max(endMs, nowMs(world)) + chance.pick([100, 400, 1_000, 2_500])
    const wantedMs = chance.percent(90) ? laterMs : chance.pick([endMs, nowMs(world), endMs + 3_000_000_000])
    return { type: 'extend-auction', repair: { ...common, endTime: momentAt(wantedMs) } }
  }
  if (draw <= 65) {
    const bidderId = leaderId !== undefined && chance.percent(50) ? leaderId : userOf(chance.int(1, 5))
    const blocking = chance.percent(60) ? { isBlocked: chance.percent(70) } : {}
    return { type: 'withdraw-bidder', repair: { ...common, bidderId, ...blocking } }
  }
  if (draw <= 78) return { type: 'end-auction', repair: common }
  const { reason, ...others } = common
  const given = chance.percent(85) ? { reason } : {}
  return { type: 'lower-reserve', repair: { ...others, ...given, ...drawnReduction(world, known) } }
}

/** Mostly a reserve at the price or just above it, which a maximum may cover; by the owner or by staff. */
function drawnReduction(world: World, known: KnownAuction): Omit<ReserveReductionOf, 'auctionId' | 'editor'> {
  const { chance } = world
  const { priceMinor, maximumMinor = priceMinor } = known
  const { ownerId, reservePriceMinor: presentMinor = 10_00 } = known.auction
  const aboveMinor = priceMinor + chance.pick([0, 1, 700, 2_000, 4_000])
  const minor = chance.pick([0, presentMinor, presentMinor - 1, maximumMinor, aboveMinor, aboveMinor, aboveMinor])
  const requesterId = chance.pick([undefined, undefined, ownerId, ownerId, userOf(1)])
  return {
    reservePrice: decimalOf(Math.max(minor, 0), known.auction),
    ...(requesterId && { requesterId }),
    ...(chance.percent(20) && { mayLowerAny: true }),
  }
}

/** Texts, metadata or terms. Some make the auction invalid. */
function drawnCorrection(world: World, auction: Auction, text: string): CorrectionJson {
  const { chance } = world
  const later = (ms: readonly [number, ...number[]]) => new Date(nowMs(world) + chance.pick(ms)).toISOString()
  const amount = (minors: readonly [number, ...number[]]) => decimalOf(chance.pick(minors), auction)
  // A price above the reserve is invalid.
  const isReserved = auction.reservePriceMinor !== undefined
  const draw = chance.int(1, 100)
  if (draw <= 30) return { title: chance.percent(90) ? text : null }
  if (draw <= 37) return { description: text }
  if (draw <= 47)
    return { metadata: chance.pick<MetadataPatch | null>([{ color: text }, { color: null, size: '7' }, null]) }
  if (draw <= 61)
    return { endTime: later([-5, 150, 400, 1_000, 3_000]), ...(chance.percent(50) && { softClose: null }) }
  if (draw <= 68) return { startTime: later([-1_000, 20, 100]) }
  if (draw <= 88) return { startingPrice: amount(isReserved ? [110_00, 130_00] : [0, 50_00, 100_00, 130_00]) }
  if (draw <= 92) return { minimumBidIncrement: amount([1, 250, 1_000]) }
  if (draw <= 96) return { reservePrice: chance.percent(30) ? null : amount([50_00, 105_00, 120_00]) }
  return { buyNowPrice: chance.percent(30) ? null : amount([90_00, 140_00]), cancellableUntilEnd: chance.percent(50) }
}

function listSomething(world: World): Request {
  const { chance } = world
  const limit = chance.pick([1, 2, 100, 100])
  const list = limit < 100 && chance.percent(70) ? listingOfAll : listing
  const owner = chance.percent(30) ? { ownerId: userOf(chance.pick([1, 2, 100])) } : {}
  if (chance.percent(40)) return list(world, { order: 'agenda', status: 'Active', limit, ...owner })
  const status = chance.percent(70) ? { status: chance.pick(auctionStatuses) } : {}
  return list(world, { order: 'newest', limit, ...status, ...owner })
}

const userOf = (client: number) => sampleAuction({ ownerId: 100 + client }).ownerId

function drawnAuction(world: World, client: number): NewAuction {
  const { chance } = world
  const now = nowMs(world)
  const startMs = now + chance.pick([-1_000, -1_000, 40, 150])
  const endMs = Math.max(startMs + 1, now + chance.pick([-5, 300, 800, 1_500, 3_000, 3_000, 5_000]))
  const startingPriceMinor = chance.pick([0, 100_00])
  const {
    id: _,
    createdAtMs: __,
    ...fields
  } = sampleAuction({
    ownerId: chance.percent(20) ? 100 + client : 200,
    startTime: new Date(startMs).toISOString(),
    endTime: new Date(endMs).toISOString(),
    currency: chance.pick(['USD', 'USD', 'JPY']),
    ...(chance.percent(50) && { title: 'A chair' }),
    startingPriceMinor,
    ...drawnFormats(chance, startingPriceMinor, endMs),
  })
  return fields
}

/** Any of the formats, in any combination. */
function drawnFormats(chance: Chance, startingPriceMinor: number, endMs: number): AuctionSample {
  const isChosen = () => chance.percent(45)
  const latestEndTime = new Date(endMs + chance.pick([150, 700, 2_500])).toISOString()
  const softClose = { windowSeconds: chance.pick([1, 1, 3]), extensionSeconds: chance.pick([1, 1, 2]), latestEndTime }
  const reservePriceMinor = startingPriceMinor + chance.pick([0, 500, 1_001, 2_500, 6_000, 20_000])
  const buyNowPriceMinor = reservePriceMinor + chance.pick([1, 500, 4_000])
  const maximumBidIncrementMinor = chance.pick([1_500, 2_500, 6_000])
  return {
    ...drawnIncrements(chance, startingPriceMinor),
    ...(isChosen() && { maximumBidIncrementMinor }),
    ...(isChosen() && { softClose }),
    ...(isChosen() && { reservePriceMinor }),
    ...(isChosen() && { buyNowPriceMinor }),
    ...(isChosen() && { cancellableUntilEnd: chance.percent(80) }),
  }
}

/** Steps, a percentage, or 500 at every price. At first, the increment is at most 1,500. */
function drawnIncrements(chance: Chance, startingPriceMinor: number): AuctionSample {
  const draw = chance.int(1, 100)
  if (draw <= 30) {
    const fromPriceMinor = startingPriceMinor + chance.pick([1, 500, 1_000])
    const first = { fromPriceMinor, incrementMinor: chance.pick([500, 700, 1_000]) }
    const second = { fromPriceMinor: fromPriceMinor + chance.pick([1, 1_500]), incrementMinor: 1_500 }
    return { incrementSteps: [first, second] }
  }
  return draw <= 50 ? { incrementBasisPoints: chance.pick([725, 1_250]) } : {}
}

function drawnBid(world: World, client: number, known: KnownAuction): NewBid {
  const { chance } = world
  const { auction, priceMinor } = known
  const dueMinor = incrementAt(auction, priceMinor as AmountMinor) // Far below the limit.
  const mostMinor = auction.maximumBidIncrementMinor ?? 2_000
  const steps = chance.pick([-500, 0, dueMinor - 1, dueMinor, dueMinor, 500, 1_000, 2_000, mostMinor, mostMinor + 1])
  // With the price, only the maximum of a leader rises.
  const isRaise = chance.percent(16)
  const nearMinor = isRaise || chance.percent(90) ? priceMinor : drawnThreshold(world, known)
  const amountMinor = Math.max(nearMinor + (isRaise ? 0 : steps), 1)
  const exact = decimalOf(amountMinor, auction)
  return {
    auctionId: drawnAuctionId(world, auction.id),
    bidderId: userOf(client),
    amount: (chance.percent(1) ? Number((exact + 0.001).toFixed(3)) : exact) as Decimal, // At most three decimals.
    ...((isRaise || chance.percent(45)) && {
      maximumAmount: (isRaise && drawnReserve(world, known)) || drawnMaximum(world, known, amountMinor),
    }),
  }
}

/** Mostly an unmet reserve, which the service bids for a leader whose new maximum covers it. */
function drawnReserve({ chance }: World, { auction, priceMinor }: KnownAuction): Decimal | undefined {
  const { reservePriceMinor = 0 } = auction
  return reservePriceMinor > priceMinor && chance.percent(60) ? decimalOf(reservePriceMinor, auction) : undefined
}

/** Mostly a step or two above the amount; often exactly another bidder’s maximum, or the reserve. */
function drawnMaximum(world: World, known: KnownAuction, amountMinor: number): Decimal {
  const { chance } = world
  const isNearThreshold = chance.percent(50)
  const nearMinor = drawnThreshold(world, known) + chance.pick([-500, -1, 0, 0, 1, 499, 500, 501])
  const aboveMinor = amountMinor + chance.pick([0, 1, 499, 500, 1_000, 2_500, 6_000, 10_000])
  const maximumMinor = isNearThreshold && nearMinor >= amountMinor ? nearMinor : aboveMinor
  return decimalOf(chance.percent(1) ? Math.max(amountMinor - 1, 1) : maximumMinor, known.auction)
}

/** An amount at which a rule has its limit. */
const drawnThreshold = ({ chance }: World, { auction, priceMinor, maximumMinor }: KnownAuction): number =>
  chance.pick([maximumMinor ?? priceMinor, auction.reservePriceMinor ?? maximumMinor ?? priceMinor])

const decimalOf = (amountMinor: number, { currency }: Pick<Auction, 'currency'>): Decimal =>
  toDecimal(amountMinor as AmountMinor, currency) as Decimal // Integers above 0, far below the limit.

const goingOn = (world: World): readonly KnownAuction[] =>
  world.known.filter(({ auction: { softClose }, endMs }) => {
    const lastMs = Math.max(softClose?.latestEndTime.epochMs ?? endMs, endMs)
    return lastMs + 200 > nowMs(world)
  })

/** An auction that clients know, mostly an open one. */
function drawnKnown(world: World): KnownAuction {
  const { chance, known } = world
  const open = goingOn(world)
  const [first, ...others] = open.length > 0 && chance.percent(90) ? open : known
  if (first === undefined) throw new Error('clients know no auction yet')
  return chance.pick([first, ...others])
}

/** An auction that clients know, mostly one whose terms offer buy now. */
function drawnBuyable(world: World): KnownAuction {
  const { chance } = world
  const [first, ...others] = goingOn(world).filter(({ auction }) => auction.buyNowPriceMinor !== undefined)
  return first === undefined || chance.percent(20) ? drawnKnown(world) : chance.pick([first, ...others])
}

/** Often an auction that has not started, or one with a reserve that its price has not met. */
function drawnForRepair(world: World): KnownAuction {
  const { chance } = world
  const draw = chance.int(1, 100)
  const [first, ...others] = goingOn(world).filter(({ auction, priceMinor }) => {
    const isPending = auction.startTime.epochMs > nowMs(world)
    return draw <= 20 ? isPending : priceMinor < (auction.reservePriceMinor ?? 0)
  })
  return first === undefined || draw > 60 ? drawnKnown(world) : chance.pick([first, ...others])
}

/** An auction that ends soon and of which no bid is known, so that it may offer buy now until its end. */
const offeredToItsEnd = (world: World): KnownAuction | undefined =>
  world.known.find(({ auction: { startingPriceMinor, buyNowPriceMinor }, endMs, priceMinor }) => {
    const leftMs = endMs - nowMs(world)
    return buyNowPriceMinor !== undefined && priceMinor === startingPriceMinor && leftMs > 0 && leftMs <= maxWaitMs
  })

/** Some of the open auctions, each once, in any order. */
function drawnOpen(world: World): readonly KnownAuction[] {
  const ranked = goingOn(world).map((known) => ({ known, rank: world.chance.int(0, 1_000) }))
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, 8)
    .map(({ known }) => known)
}

/** One auction several times, so that each bid on it exceeds the one before. */
const risingOn = (known: KnownAuction): readonly KnownAuction[] =>
  [0, 500, 1_000, 1_500].map((moreMinor) => ({ ...known, priceMinor: known.priceMinor + moreMinor }))

/** Mostly the given id; sometimes the id of no auction. */
const drawnAuctionId = ({ chance }: World, id: AuctionId): AuctionId =>
  chance.percent(1) ? sampleAuction({ id: 999_999 }).id : id
