import type { ReserveReductionOf, WantedRepair } from '@auction/testing/history'
import { type AuctionSample, sampleAuction } from '@auction/testing/samples'
import type { Auction, NewAuction } from '../../src/auction/auction.ts'
import type { CorrectionJson } from '../../src/auction/correction.ts'
import { nextAmountMinor } from '../../src/auction/formats/english/prices.ts'
import type { MetadataPatch } from '../../src/auction/metadata.ts'
import type { NewBid } from '../../src/auction/offers.ts'
import type { AuctionId } from '../../src/values/ids.ts'
import { momentAt } from '../../src/values/moment.ts'
import { type AmountMinor, type Decimal, toDecimal } from '../../src/values/money.ts'
import type { Chance } from './chance.ts'
import { type KnownAuction, nowMs, type World } from './world.ts'

/** A repair of the kind that a number from 1 to 100 draws. */
export function drawnRepair(world: World, known: KnownAuction, draw: number): WantedRepair {
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
export function drawnCorrection(world: World, auction: Auction, text: string): CorrectionJson {
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

export const userOf = (client: number) => sampleAuction({ ownerId: 100 + client }).ownerId

export function drawnAuction(world: World, client: number): NewAuction {
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

/** Steps, a percentage, a ladder, or 500 at every price. At first, the increment is at most 1,500. */
function drawnIncrements(chance: Chance, startingPriceMinor: number): AuctionSample {
  const draw = chance.int(1, 100)
  if (draw <= 30) {
    const fromPriceMinor = startingPriceMinor + chance.pick([1, 500, 1_000])
    const first = { fromPriceMinor, incrementMinor: chance.pick([500, 700, 1_000]) }
    const second = { fromPriceMinor: fromPriceMinor + chance.pick([1, 1_500]), incrementMinor: 1_500 }
    return { incrementSteps: [first, second] }
  }
  if (draw <= 50) return { incrementBasisPoints: chance.pick([725, 1_250]) }
  if (draw > 62) return {}
  const first = { fromPriceMinor: startingPriceMinor, amountsMinor: [500, 1_200, 1_500] }
  const second = { fromPriceMinor: startingPriceMinor + chance.pick([2_000, 4_500]), amountsMinor: [1_000, 2_500] }
  return { bidSteps: [first, second], ...(draw <= 56 && { onlySteps: true }) }
}

export function drawnBid(world: World, client: number, known: KnownAuction): NewBid {
  const { chance } = world
  const { auction, priceMinor } = known
  const dueMinor = nextAmountMinor(auction, priceMinor as AmountMinor) - priceMinor // Far below the limit.
  const mostMinor = auction.maximumBidIncrementMinor ?? 2_000
  const steps = chance.pick([-500, 0, dueMinor - 1, dueMinor, dueMinor, 500, 1_000, 2_000, mostMinor, mostMinor + 1])
  // An amount equal to the price raises only the maximum of a leader.
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

export const decimalOf = (amountMinor: number, { currency }: Pick<Auction, 'currency'>): Decimal =>
  toDecimal(amountMinor as AmountMinor, currency) as Decimal // Integers above 0, far below the limit.

export const goingOn = (world: World): readonly KnownAuction[] =>
  world.known.filter(({ auction: { softClose }, endMs }) => {
    const lastMs = Math.max(softClose?.latestEndTime.epochMs ?? endMs, endMs)
    return lastMs + 200 > nowMs(world)
  })

/** An auction that clients know, mostly an open one. */
export function drawnKnown(world: World): KnownAuction {
  const { chance, known } = world
  const open = goingOn(world)
  const [first, ...others] = open.length > 0 && chance.percent(90) ? open : known
  if (first === undefined) throw new Error('clients know no auction yet')
  return chance.pick([first, ...others])
}

/** An auction that clients know, mostly one whose terms offer buy now. */
export function drawnBuyable(world: World): KnownAuction {
  const { chance } = world
  const [first, ...others] = goingOn(world).filter(({ auction }) => auction.buyNowPriceMinor !== undefined)
  return first === undefined || chance.percent(20) ? drawnKnown(world) : chance.pick([first, ...others])
}

/** Often an auction that has not started, or one with a reserve that its price has not met. */
export function drawnForRepair(world: World): KnownAuction {
  const { chance } = world
  const draw = chance.int(1, 100)
  const [first, ...others] = goingOn(world).filter(({ auction, priceMinor }) => {
    const isPending = auction.startTime.epochMs > nowMs(world)
    return draw <= 20 ? isPending : priceMinor < (auction.reservePriceMinor ?? 0)
  })
  return first === undefined || draw > 60 ? drawnKnown(world) : chance.pick([first, ...others])
}

/** Some of the open auctions, each once, in any order. */
export function drawnOpen(world: World): readonly KnownAuction[] {
  const ranked = goingOn(world).map((known) => ({ known, rank: world.chance.int(0, 1_000) }))
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, 8)
    .map(({ known }) => known)
}

/** One auction several times, so that each bid on it exceeds the one before. */
export const risingOn = (known: KnownAuction): readonly KnownAuction[] =>
  [0, 500, 1_000, 1_500].map((moreMinor) => ({ ...known, priceMinor: known.priceMinor + moreMinor }))

/** Mostly the given id; sometimes the id of no auction. */
export const drawnAuctionId = ({ chance }: World, id: AuctionId): AuctionId =>
  chance.percent(1) ? sampleAuction({ id: 999_999 }).id : id
