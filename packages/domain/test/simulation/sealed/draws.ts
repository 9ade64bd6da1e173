import type { OwnWithdrawalOf, PurchaseOf, WantedRepair } from '@auction/testing/history'
import { sampleNewSealedAuction } from '@auction/testing/samples'
import type { NewAuction } from '../../../src/auction/auction.ts'
import type { CorrectionJson } from '../../../src/auction/correction.ts'
import type { NewBid } from '../../../src/auction/offers.ts'
import type { Checked } from '../../../src/values/checked.ts'
import { momentAt } from '../../../src/values/moment.ts'
import { decimalOf, drawnAuctionId, drawnKnown, userOf } from '../draws.ts'
import { type KnownAuction, nowMs, type World } from '../world.ts'

/** An auction that has mostly started, and ends soon. */
export function drawnSealed(world: World, client: number, fields: object = {}): Checked<NewAuction> {
  const { chance } = world
  const now = nowMs(world)
  const startMs = now + (chance.percent(30) ? chance.pick([40, 150, 400]) : -1_000)
  const endMs = Math.max(startMs + 1, now + chance.pick([-5, 300, 800, 1_500, 3_000]))
  return sampleNewSealedAuction({
    ownerId: chance.percent(20) ? 100 + client : 200,
    pricing: chance.pick(['first', 'second', 'second']),
    ...(chance.percent(40) && { reveal: 'bids' }),
    ...(chance.percent(50) && { reservePrice: 103 }),
    ...(chance.percent(5) && { startingPrice: 0, minimumBidIncrement: 1 }),
    ...{ startTime: new Date(startMs).toISOString(), endTime: new Date(endMs).toISOString() },
    currency: chance.pick(['USD', 'USD', 'JPY']),
    ...(chance.percent(20) && { cancellableUntilEnd: true }),
    ...fields,
  })
}

/** One of few amounts, so that bids tie, are replaced by lower ones, and are at the reserve, or below it. */
export function drawnBid(world: World, client: number, known = drawnKnown(world)): NewBid {
  const { chance } = world
  const { auction } = known
  const amount = chance.percent(95) ? chance.int(100, 106) : 99
  return {
    auctionId: drawnAuctionId(world, auction.id),
    bidderId: chance.percent(2) ? auction.ownerId : userOf(client),
    amount: decimalOf(amount * 10 ** auction.currency.exponent, auction),
    ...(chance.percent(2) && { maximumAmount: decimalOf(200_00, auction) }),
  }
}

export const drawnWithdrawal = (world: World, client: number, known = drawnKnown(world)): OwnWithdrawalOf => ({
  auctionId: drawnAuctionId(world, known.auction.id),
  bidderId: userOf(client),
})

export const drawnPurchase = ({ chance }: World, client: number, { auction }: KnownAuction): PurchaseOf => ({
  ...{ auctionId: auction.id, buyerId: userOf(client) },
  ...(chance.percent(50) && { atMost: decimalOf(200_00, auction) }),
})

/** Texts or terms of an auction that, mostly, has not started. */
export function drawnCorrection(world: World, text: string): CorrectionJson {
  const { chance } = world
  const later = (ms: number) => new Date(nowMs(world) + ms).toISOString()
  return chance.pick<CorrectionJson>([
    { title: text },
    { metadata: { color: text } },
    { endTime: later(chance.pick([-5, 800, 3_000])) },
    { startTime: later(chance.pick([-100, 20, 100])) },
    { startingPrice: chance.pick([101, 104]) },
    { reservePrice: chance.pick([null, 99, 104]) },
  ])
}

export function drawnRepair(world: World, known: KnownAuction): WantedRepair {
  const { chance } = world
  const { auction, endMs } = known
  const common = { auctionId: drawnAuctionId(world, auction.id), editor: 'staff', reason: 'outage' }
  const draw = chance.int(1, 100)
  if (draw <= 30) {
    const endTime = momentAt(Math.max(endMs, nowMs(world)) + chance.pick([-50, 100, 1_000]))
    return { type: 'extend-auction', repair: { ...common, endTime } }
  }
  if (draw <= 80) {
    const blocking = chance.percent(60) ? { isBlocked: chance.percent(60) } : {}
    return { type: 'withdraw-bidder', repair: { ...common, bidderId: userOf(chance.int(1, 6)), ...blocking } }
  }
  if (draw <= 92) return { type: 'end-auction', repair: common }
  return { type: 'lower-reserve', repair: { ...common, reservePrice: decimalOf(100_00, auction) } }
}
