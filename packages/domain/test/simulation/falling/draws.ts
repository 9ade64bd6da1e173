import type { PurchaseOf, WantedRepair } from '@auction/testing/history'
import { sampleNewFallingAuction } from '@auction/testing/samples'
import type { Auction, NewAuction } from '../../../src/auction/auction.ts'
import type { CorrectionJson } from '../../../src/auction/correction.ts'
import { priceAt } from '../../../src/auction/formats/falling/price.ts'
import type { OfFormat } from '../../../src/auction/formats/formats.ts'
import type { Checked } from '../../../src/values/checked.ts'
import { momentAt } from '../../../src/values/moment.ts'
import type { AmountMinor } from '../../../src/values/money.ts'
import { decimalOf, drawnAuctionId, drawnKnown, userOf } from '../draws.ts'
import { type KnownAuction, nowMs, type World } from '../world.ts'

/** An auction whose next step, or start, is near. */
export function drawnFalling(world: World, client: number, fields: object = {}): Checked<NewAuction> {
  const { chance } = world
  const now = nowMs(world)
  const intervalSeconds = chance.pick([5, 5, 6])
  const passedMs = intervalSeconds * 1_000 * chance.int(1, 4) - chance.int(50, 1_500)
  const startMs = now + (chance.percent(25) ? chance.pick([40, 150, 400]) : -passedMs)
  const endMs = Math.max(startMs + 1, now + chance.pick([-5, 300, 800, 1_500, 3_000, 5_000, 9_000]))
  const falling = { decrement: chance.pick([5, 7, 30]), intervalSeconds, floorPrice: chance.pick([0, 60, 90]) }
  return sampleNewFallingAuction({
    ownerId: chance.percent(20) ? 100 + client : 200,
    ...{ startTime: new Date(startMs).toISOString(), endTime: new Date(endMs).toISOString(), falling },
    currency: chance.pick(['USD', 'USD', 'JPY']),
    ...(chance.percent(20) && { cancellableUntilEnd: true }),
    ...fields,
  })
}

/** The cast: the clients of this simulation know auctions of this format only. */
const fallingIn = ({ auction }: KnownAuction) => auction as Auction as OfFormat<'falling', Auction>

/** The time of the next step of an auction, or of its start. */
export function nextStepMs(world: World, known: KnownAuction): number {
  const { startTime, falling } = fallingIn(known)
  const intervalMs = falling.intervalSeconds * 1_000
  return startTime.epochMs + Math.max(0, Math.ceil((nowMs(world) - startTime.epochMs) / intervalMs)) * intervalMs
}

/** Mostly for the price after the next step, so that an auction is not bought at once. */
export function drawnPurchase(world: World, client: number, known = drawnKnown(world)): PurchaseOf {
  const { chance } = world
  const auction = fallingIn(known)
  const [nowPrice, nextPrice] = [priceAt(auction, nowMs(world)), priceAt(auction, nextStepMs(world, known))]
  const atMostMinor = chance.pick([
    nextPrice,
    nextPrice,
    nextPrice,
    nextPrice - 1,
    nextPrice - 1,
    nowPrice,
  ]) as AmountMinor
  const isInvalid = chance.percent(3)
  return {
    auctionId: drawnAuctionId(world, auction.id),
    buyerId: userOf(chance.percent(5) ? 100 : client),
    ...(!isInvalid && { atMost: decimalOf(Math.max(atMostMinor, 0), auction) }),
  }
}

/** Texts or terms of an auction that, mostly, has not started. */
export function drawnCorrection(world: World, known: KnownAuction, text: string): CorrectionJson {
  const { chance } = world
  const later = (ms: number) => new Date(nowMs(world) + ms).toISOString()
  const falling = { decrement: chance.pick([5, 10]), intervalSeconds: 5, floorPrice: chance.pick([0, 10]) }
  return chance.pick<CorrectionJson>([
    { title: text },
    { metadata: { color: text } },
    { endTime: later(chance.pick([-5, 800, 3_000])) },
    { startTime: later(chance.pick([-5_100, 20, 100])) },
    { startingPrice: chance.pick([50, 130]) },
    ...(fallingIn(known).startingPriceMinor > 1_000 ? [{ falling }] : []),
  ])
}

export function drawnRepair(world: World, known: KnownAuction): WantedRepair {
  const { chance } = world
  const { auction, endMs } = known
  const common = { auctionId: drawnAuctionId(world, auction.id), editor: 'staff', reason: 'outage' }
  const draw = chance.int(1, 100)
  if (draw <= 40) {
    const endTime = momentAt(Math.max(endMs, nowMs(world)) + chance.pick([-50, 100, 1_000, 5_000]))
    return { type: 'extend-auction', repair: { ...common, endTime } }
  }
  if (draw <= 80) {
    const blocking = chance.percent(85) ? { isBlocked: chance.percent(75) } : {}
    return { type: 'withdraw-bidder', repair: { ...common, bidderId: userOf(chance.int(1, 6)), ...blocking } }
  }
  if (draw <= 90) return { type: 'end-auction', repair: common }
  return { type: 'lower-reserve', repair: { ...common, reservePrice: decimalOf(0, auction) } }
}
