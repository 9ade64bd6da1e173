import {
  type BiddersOf,
  type CancellationOf,
  type CorrectionOf,
  type OwnWithdrawalOf,
  type PurchaseOf,
  type RegisterOf,
  type SeenAuction,
  type SeenTexts,
  show,
  type WantedRepair,
} from '@auction/testing/history'
import {
  sampleBidders,
  sampleCancellation,
  sampleCorrection,
  sampleNewRegister,
  sampleOwnWithdrawal,
  samplePurchase,
  sendRepair,
} from '@auction/testing/samples'
import type { NewAuction } from '../../src/auction/auction.ts'
import { parseNewBid } from '../../src/auction/bid.ts'
import type { CorrectionJson } from '../../src/auction/correction.ts'
import { toPercent } from '../../src/auction/formats/english/prices.ts'
import { parseNewAuction } from '../../src/auction/new-auction.ts'
import type { NewBid } from '../../src/auction/offers.ts'
import type { AuctionView } from '../../src/auction/view.ts'
import type { Claim, Claims } from '../../src/register/bidder-list.ts'
import { type BidderChanges, parseBidder } from '../../src/register/fields.ts'
import type { ListAuctionsQuery } from '../../src/use-cases/list-auctions.ts'
import type { BidderView } from '../../src/use-cases/read-registers.ts'
import type { Checked } from '../../src/values/checked.ts'
import { type AuctionId, toRegisterId } from '../../src/values/ids.ts'
import { type AmountMinor, toDecimal } from '../../src/values/money.ts'
import { unwrap } from '../../src/values/result.ts'
import { type Asked, ask, type Use } from './ask.ts'
import { learn, learnLeader, learnMaximum, learnPrice, learnTerms, learnView, seenOf, textsOf } from './knowledge.ts'
import type { Process } from './processes.ts'
import { nowMs, type Request, type World } from './world.ts'

/** A caller whose requests may be retried under a key. */
const retryOf = (key: string | undefined) => (key === undefined ? undefined : { caller: 'client', key })

/** A list of auctions in an order. */
type OrderedQuery = Exclude<ListAuctionsQuery, { readonly ids: unknown }>

/** The JSON of an auction, parsed. */
function checkedAuction({ currency, startTime, endTime, softClose, ...others }: NewAuction): Checked<NewAuction> {
  const { incrementSteps, incrementBasisPoints, bidSteps, ...fields } = others
  const json = Object.entries(fields).map(([name, value]) =>
    name.endsWith('Minor')
      ? [name.slice(0, -'Minor'.length), toDecimal(value as AmountMinor, currency)] // An amount, by its name.
      : [name, value],
  )
  const times = { startTime: startTime.iso, endTime: endTime.iso }
  const late = softClose && { softClose: { ...softClose, latestEndTime: softClose.latestEndTime.iso } }
  const increments = {
    incrementSteps: incrementSteps?.map(({ fromPriceMinor, incrementMinor }) => ({
      fromPrice: toDecimal(fromPriceMinor, currency),
      increment: toDecimal(incrementMinor, currency),
    })),
    bidSteps: bidSteps?.map(({ fromPriceMinor, amountsMinor }) => ({
      fromPrice: toDecimal(fromPriceMinor, currency),
      amounts: amountsMinor.map((amountMinor) => toDecimal(amountMinor, currency)),
    })),
    incrementPercent: incrementBasisPoints && toPercent(incrementBasisPoints),
  }
  const sent = { ...Object.fromEntries(json), ...times, ...late, ...increments, currency: currency.code }
  return unwrap(parseNewAuction(sent, 0))
}

/** A request, with a key if it has one. */
const keyed = (key: string | undefined) => (key === undefined ? {} : { key })

export const creation = (
  world: World,
  auction: NewAuction,
  key?: string,
  sent: () => Checked<NewAuction> = () => checkedAuction(auction),
): Request => ({
  name: `creation ${key}`,
  async send(process) {
    const { response, times } = await ask(
      world,
      process,
      (service, arrivedAtMs) => service.createAuction(sent(), retryOf(key), arrivedAtMs),
      (made) => ({ outcome: 'accepted' as const, auction: made }),
    )
    if (response.outcome === 'accepted') learn(world, response.auction)
    world.attempts.push({
      type: 'create-auction',
      auction,
      ...keyed(key),
      ...times,
      response,
    })
    return response
  },
})

/** What the token of a bidder or buyer says of them, by the ids of registers. */
export type SentClaims = Readonly<Record<string, Claim>>

const claimsOf = (sent: SentClaims | undefined): Claims | undefined =>
  sent && new Map(Object.entries(sent).map(([id, claim]) => [toRegisterId(Number(id)), claim]))

export const bidding = (world: World, bid: NewBid, key?: string, claims?: SentClaims): Request => ({
  name: `bid ${key}`,
  async send(process) {
    const { response, times } = await ask(
      world,
      process,
      async (service, arrivedAtMs) => {
        const parsed = parseNewBid(bid)
        return parsed.ok ? service.placeBid(parsed.value, retryOf(key), arrivedAtMs, claimsOf(claims)) : parsed
      },
      (placed) => ({ outcome: 'accepted' as const, bid: placed }),
    )
    if (response.outcome === 'accepted') {
      const { amountMinor, outbidAtMinor, maximumMinor } = response.bid
      learnPrice(world, bid.auctionId, outbidAtMinor ?? amountMinor)
      learnMaximum(world, bid.auctionId, maximumMinor)
      learnLeader(world, bid.auctionId, response.bid.leaderId)
    }
    if (response.outcome === 'refused') learnPrice(world, bid.auctionId, response.currentPriceMinor)
    world.attempts.push({ type: 'place-bid', bid, ...(claims && { claims }), ...keyed(key), ...times, response })
    return response
  },
})

export const purchase = (world: World, wanted: PurchaseOf, key?: string, claims?: SentClaims): Request => ({
  name: `purchase ${key}`,
  async send(process) {
    const { response, times } = await askForEnd(world, process, (service, arrivedAtMs) =>
      service.buyNow(
        {
          auctionId: wanted.auctionId,
          purchase: samplePurchase(wanted.buyerId, wanted.atMost),
          claims: claimsOf(claims),
        },
        retryOf(key),
        arrivedAtMs,
      ),
    )
    world.attempts.push({
      type: 'buy-now',
      purchase: wanted,
      ...(claims && { claims }),
      ...keyed(key),
      ...times,
      response,
    })
    return response
  },
})

export const registering = (world: World, register: RegisterOf, key?: string): Request => ({
  name: `register ${key}`,
  async send(process) {
    const { editor, currency, ...fields } = register
    const checked = sampleNewRegister({ ...fields, currency: currency.code })
    const { response, times } = await ask(
      world,
      process,
      (service, arrivedAtMs) => service.createRegister({ register: checked, editor }, retryOf(key), arrivedAtMs),
      (made) => ({ outcome: 'accepted' as const, register: made }),
    )
    world.attempts.push({ type: 'create-register', register, ...keyed(key), ...times, response })
    return response
  },
})

/** The JSON of bidders, parsed. Only that of one bidder may withdraw bids. */
function checkedBidders({ bidders, withdrawal }: BiddersOf): Checked<BidderChanges> {
  const [first] = bidders
  if (withdrawal === undefined || first === undefined) return sampleBidders(...bidders)
  const { bidderId, ...fields } = first
  return unwrap(parseBidder({ ...fields, withdrawBids: true, reason: withdrawal.reason }, bidderId))
}

export const changeOfBidders = (world: World, change: BiddersOf, key?: string): Request => ({
  name: `change of bidders ${key}`,
  async send(process) {
    const { registerId, editor, expected } = change
    const isExpected = ({ bidder }: BidderView) => (bidder?.status ?? 'none') === expected
    const asked = { registerId, bidders: checkedBidders(change), editor, ...(expected && { isExpected }) }
    const { response, times } = await ask(
      world,
      process,
      (service, arrivedAtMs) => service.setBidders(asked, retryOf(key), arrivedAtMs),
      ({ bidders, withdrawn }) => ({ outcome: 'accepted' as const, bidders, withdrawn: withdrawn?.auctions }),
    )
    world.attempts.push({ type: 'set-bidders', change, ...keyed(key), ...times, response })
    return response
  },
})

export const ownWithdrawal = (world: World, wanted: OwnWithdrawalOf, key?: string): Request => ({
  name: `withdrawal ${key}`,
  async send(process) {
    const { response, times } = await askForEnd(world, process, (service, arrivedAtMs) =>
      service.withdrawOwnBid(
        { auctionId: wanted.auctionId, withdrawal: sampleOwnWithdrawal(wanted.bidderId) },
        retryOf(key),
        arrivedAtMs,
      ),
    )
    world.attempts.push({ type: 'withdraw-own-bid', withdrawal: wanted, ...keyed(key), ...times, response })
    return response
  },
})

export const cancellation = (world: World, wanted: CancellationOf, key?: string): Request => ({
  name: `cancellation ${key}`,
  async send(process) {
    const { reason, ...asked } = wanted
    const { response, times } = await askForEnd(world, process, (service, arrivedAtMs) =>
      service.cancelAuction({ ...asked, cancellation: sampleCancellation(reason) }, retryOf(key), arrivedAtMs),
    )
    world.attempts.push({ type: 'cancel-auction', cancellation: wanted, ...keyed(key), ...times, response })
    return response
  },
})

/** A correction, with its fields in the form of the JSON. */
export type WantedCorrection = Pick<CorrectionOf, 'auctionId' | 'editor' | 'requesterId'> & {
  readonly fields: CorrectionJson
}

/** A correction of an auction with the expected texts, or with any. */
export const correction = (
  world: World,
  wanted: WantedCorrection,
  expected: SeenTexts | undefined,
  key?: string,
): Request => ({
  name: `correction ${key}`,
  async send(process) {
    const isExpected = (view: AuctionView) => show(textsOf(seenOf(view))) === show(expected)
    const { fields, ...asker } = wanted
    const parsed = sampleCorrection(fields)
    const asked = { ...asker, correction: parsed }
    const sent = expected === undefined ? asked : { ...asked, isExpected }
    const { response, times } = await ask(
      world,
      process,
      (service, arrivedAtMs) => service.correctAuction(sent, retryOf(key), arrivedAtMs),
      (view) => {
        learnTerms(world, view)
        return { outcome: 'accepted' as const, auction: seenOf(view) }
      },
    )
    if (response.outcome === 'accepted') learnView(world, response.auction)
    world.attempts.push({
      type: 'correct-auction',
      correction: { ...asker, ...parsed },
      ...(expected && { expected }),
      ...keyed(key),
      ...times,
      response,
    })
    return response
  },
})

export const repair = (world: World, wanted: WantedRepair, key?: string): Request => ({
  name: `${wanted.type} ${key}`,
  async send(process) {
    const { response, times } = await ask(
      world,
      process,
      (service, arrivedAtMs) => sendRepair(service, wanted, retryOf(key), arrivedAtMs),
      (view) => {
        learnTerms(world, view)
        return { outcome: 'accepted' as const, auction: seenOf(view) }
      },
    )
    if (response.outcome === 'accepted') learnView(world, response.auction)
    world.attempts.push({ ...wanted, ...keyed(key), ...times, response })
    return response
  },
})

const askForEnd = (
  world: World,
  process: Process,
  use: Use<AuctionView>,
): Promise<Asked<{ readonly outcome: 'accepted'; readonly auction: SeenAuction }>> =>
  ask(world, process, use, (view) => ({ outcome: 'accepted' as const, auction: seenOf(view) }))

export const reading = (world: World, auctionId: AuctionId): Request => ({
  name: `read of auction ${auctionId}`,
  async send(process) {
    const { response, times } = await ask(
      world,
      process,
      (service) => service.readAuction(auctionId),
      (view) => ({ outcome: 'read' as const, auction: seenOf(view) }),
    )
    if (response.outcome === 'read') learnView(world, response.auction)
    world.attempts.push({ type: 'read-auction', auctionId, ...times, response })
    return response
  },
})

export const listing = (world: World, query: OrderedQuery): Request => ({
  name: 'list',
  async send(process) {
    const { response, times } = await askForPage(world, process, query)
    const listing = response.outcome === 'listed' ? { ...response, isWhole: response.next === undefined } : response
    world.attempts.push({ type: 'list-auctions', query, ...times, response: listing })
    return listing
  },
})

/** Reads page after page, each from any process: changes in the meantime must not skip or repeat an item. */
export const listingOfAll = (world: World, query: OrderedQuery): Request => ({
  name: 'list of all',
  async send(process) {
    const sentAtMs = nowMs(world)
    let { response: page } = await askForPage(world, process, query)
    const auctions: SeenAuction[] = []
    while (page.outcome === 'listed') {
      auctions.push(...page.auctions)
      if (page.next === undefined) break
      const next = { ...query, after: page.next }
      page = (await askForPage(world, world.chance.pick(world.processes), next)).response
    }
    const response = page.outcome === 'listed' ? { outcome: page.outcome, auctions, isWhole: true } : page
    world.attempts.push({ type: 'list-auctions', query, sentAtMs, respondedAtMs: nowMs(world), response })
    return response
  },
})

const askForPage = (world: World, process: Process, query: OrderedQuery) =>
  ask(
    world,
    process,
    (service) => service.listAuctions(query),
    ({ items, next }) => ({ outcome: 'listed' as const, auctions: items.map(seenOf), next }),
  )
