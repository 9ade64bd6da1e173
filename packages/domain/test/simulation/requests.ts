import {
  type Attempt,
  type CancellationOf,
  type CorrectionOf,
  type PurchaseOf,
  type Refused,
  type SeenAuction,
  type SeenTexts,
  show,
  type Unknown,
  type WantedRepair,
} from '@auction/testing/history'
import { sampleCancellation, sampleCorrection, samplePurchase, sendRepair } from '@auction/testing/samples'
import type { Auction, NewAuction } from '../../src/auction/auction.ts'
import { type NewBid, parseNewBid } from '../../src/auction/bid.ts'
import type { CorrectionJson } from '../../src/auction/correction.ts'
import { toPercent } from '../../src/auction/increments.ts'
import { parseNewAuction } from '../../src/auction/new-auction.ts'
import type { AuctionView, ListedView } from '../../src/auction/view.ts'
import type { AuctionService } from '../../src/service.ts'
import { isStoreUnavailable } from '../../src/store/errors.ts'
import type { ListAuctionsQuery } from '../../src/use-cases/list-auctions.ts'
import type { Checked } from '../../src/values/checked.ts'
import type { AuctionId, UserId } from '../../src/values/ids.ts'
import { type AmountMinor, toDecimal } from '../../src/values/money.ts'
import { type Result, unwrap } from '../../src/values/result.ts'
import { longestHostMs, type Process } from './processes.ts'
import { knownAs, nowMs, type Request, type World } from './world.ts'

/** A caller whose requests may be retried under a key. */
const retryOf = (key: string | undefined) => (key === undefined ? undefined : { caller: 'client', key })

/** A list of auctions in an order. */
type OrderedQuery = Exclude<ListAuctionsQuery, { readonly ids: unknown }>

/** The JSON of an auction, parsed. */
function checkedAuction({ currency, startTime, endTime, softClose, ...others }: NewAuction): Checked<NewAuction> {
  const { incrementSteps, incrementBasisPoints, ...fields } = others
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
    incrementPercent: incrementBasisPoints && toPercent(incrementBasisPoints),
  }
  const sent = { ...Object.fromEntries(json), ...times, ...late, ...increments, currency: currency.code }
  return unwrap(parseNewAuction(sent, 0))
}

/** A request, with a key if it has one. */
const keyed = (key: string | undefined) => (key === undefined ? {} : { key })

export const creation = (world: World, auction: NewAuction, key?: string): Request => ({
  name: `creation ${key}`,
  async send(process) {
    const { answer, times } = await ask(
      world,
      process,
      (service, arrivedAtMs) => service.createAuction(checkedAuction(auction), retryOf(key), arrivedAtMs),
      (made) => ({ outcome: 'accepted' as const, auction: made }),
    )
    if (answer.outcome === 'accepted') learn(world, answer.auction)
    world.attempts.push({
      type: 'create-auction',
      auction,
      ...keyed(key),
      ...times,
      answer,
    })
    return answer
  },
})

export const bidding = (world: World, bid: NewBid, key?: string): Request => ({
  name: `bid ${key}`,
  async send(process) {
    const { answer, times } = await ask(
      world,
      process,
      async (service, arrivedAtMs) => {
        const parsed = parseNewBid(bid)
        return parsed.ok ? service.placeBid(parsed.value, retryOf(key), arrivedAtMs) : parsed
      },
      (placed) => ({ outcome: 'accepted' as const, bid: placed }),
    )
    if (answer.outcome === 'accepted') {
      const { amountMinor, outbidAtMinor, maximumMinor } = answer.bid
      learnPrice(world, bid.auctionId, outbidAtMinor ?? amountMinor)
      learnMaximum(world, bid.auctionId, maximumMinor)
      learnLeader(world, bid.auctionId, answer.bid.leaderId)
    }
    if (answer.outcome === 'refused') learnPrice(world, bid.auctionId, answer.currentPriceMinor)
    world.attempts.push({ type: 'place-bid', bid, ...keyed(key), ...times, answer })
    return answer
  },
})

export const purchase = (world: World, wanted: PurchaseOf, key?: string): Request => ({
  name: `purchase ${key}`,
  async send(process) {
    const { answer, times } = await askForEnd(world, process, (service, arrivedAtMs) =>
      service.buyNow(
        { auctionId: wanted.auctionId, purchase: samplePurchase(wanted.buyerId) },
        retryOf(key),
        arrivedAtMs,
      ),
    )
    world.attempts.push({ type: 'buy-now', purchase: wanted, ...keyed(key), ...times, answer })
    return answer
  },
})

export const cancellation = (world: World, wanted: CancellationOf, key?: string): Request => ({
  name: `cancellation ${key}`,
  async send(process) {
    const { reason, ...asked } = wanted
    const { answer, times } = await askForEnd(world, process, (service, arrivedAtMs) =>
      service.cancelAuction({ ...asked, cancellation: sampleCancellation(reason) }, retryOf(key), arrivedAtMs),
    )
    world.attempts.push({ type: 'cancel-auction', cancellation: wanted, ...keyed(key), ...times, answer })
    return answer
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
    const { answer, times } = await ask(
      world,
      process,
      (service, arrivedAtMs) => service.correctAuction(sent, retryOf(key), arrivedAtMs),
      (view) => {
        learnTerms(world, view)
        return { outcome: 'accepted' as const, auction: seenOf(view) }
      },
    )
    if (answer.outcome === 'accepted') learnView(world, answer.auction)
    world.attempts.push({
      type: 'correct-auction',
      correction: { ...asker, ...parsed },
      ...(expected && { expected }),
      ...keyed(key),
      ...times,
      answer,
    })
    return answer
  },
})

export const repair = (world: World, wanted: WantedRepair, key?: string): Request => ({
  name: `${wanted.type} ${key}`,
  async send(process) {
    const { answer, times } = await ask(
      world,
      process,
      (service, arrivedAtMs) => sendRepair(service, wanted, retryOf(key), arrivedAtMs),
      (view) => {
        learnTerms(world, view)
        return { outcome: 'accepted' as const, auction: seenOf(view) }
      },
    )
    if (answer.outcome === 'accepted') learnView(world, answer.auction)
    world.attempts.push({ ...wanted, ...keyed(key), ...times, answer })
    return answer
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
    const { answer, times } = await ask(
      world,
      process,
      (service) => service.readAuction(auctionId),
      (view) => ({ outcome: 'read' as const, auction: seenOf(view) }),
    )
    if (answer.outcome === 'read') learnView(world, answer.auction)
    world.attempts.push({ type: 'read-auction', auctionId, ...times, answer })
    return answer
  },
})

export const listing = (world: World, query: OrderedQuery): Request => ({
  name: 'list',
  async send(process) {
    const { answer, times } = await askForPage(world, process, query)
    const listing = answer.outcome === 'listed' ? { ...answer, isWhole: answer.next === undefined } : answer
    world.attempts.push({ type: 'list-auctions', query, ...times, answer: listing })
    return listing
  },
})

/** Reads page after page, each from any process: changes in the meantime must not skip or repeat an item. */
export const listingOfAll = (world: World, query: OrderedQuery): Request => ({
  name: 'list of all',
  async send(process) {
    const sentAtMs = nowMs(world)
    let { answer: page } = await askForPage(world, process, query)
    const auctions: SeenAuction[] = []
    while (page.outcome === 'listed') {
      auctions.push(...page.auctions)
      if (page.next === undefined) break
      const next = { ...query, after: page.next }
      page = (await askForPage(world, world.chance.pick(world.processes), next)).answer
    }
    const answer = page.outcome === 'listed' ? { outcome: page.outcome, auctions, isWhole: true } : page
    world.attempts.push({ type: 'list-auctions', query, sentAtMs, answeredAtMs: nowMs(world), answer })
    return answer
  },
})

const askForPage = (world: World, process: Process, query: OrderedQuery) =>
  ask(
    world,
    process,
    (service) => service.listAuctions(query),
    ({ items, next }) => ({ outcome: 'listed' as const, auctions: items.map(seenOf), next }),
  )

const seenOf = ({ auction, effectiveEndTime, ...view }: ListedView): SeenAuction => ({
  ...view,
  id: auction.id,
  title: auction.title,
  metadata: auction.metadata,
  effectiveEndMs: effectiveEndTime.epochMs,
})

function learn({ known }: World, auction: Auction): void {
  if (known.some(({ auction: { id } }) => id === auction.id)) return
  known.push(knownAs(auction))
}

const textsOf = ({ title, metadata, correctedAtMs }: SeenAuction): SeenTexts => ({ title, metadata, correctedAtMs })

/** What bids need to know of an auction after a correction. */
function learnTerms({ known }: World, { auction, bidCount, currentPriceMinor }: AuctionView): void {
  const found = known.find(({ auction: { id } }) => id === auction.id)
  if (found === undefined) return
  found.auction = auction
  if (bidCount === 0) found.priceMinor = currentPriceMinor
}

/** A view after a repair replaces what clients knew: a price may have fallen. */
function learnView(world: World, seen: SeenAuction): void {
  const found = world.known.find(({ auction }) => auction.id === seen.id)
  if (found === undefined) return
  found.texts = textsOf(seen)
  if (seen.repairCount > found.repairCount) {
    found.repairCount = seen.repairCount
    found.priceMinor = seen.currentPriceMinor
  } else learnPrice(world, seen.id, seen.currentPriceMinor)
  if (seen.repairCount >= found.repairCount) {
    found.endMs = seen.effectiveEndMs
    found.leaderId = seen.leaderId
  }
}

function learnPrice({ known }: World, auctionId: AuctionId, priceMinor: number | undefined): void {
  const found = known.find(({ auction }) => auction.id === auctionId)
  if (found !== undefined && priceMinor !== undefined) found.priceMinor = Math.max(found.priceMinor, priceMinor)
}

function learnMaximum({ known }: World, auctionId: AuctionId, maximumMinor: number | undefined): void {
  const found = known.find(({ auction }) => auction.id === auctionId)
  if (found !== undefined && maximumMinor !== undefined) found.maximumMinor = maximumMinor
}

function learnLeader({ known }: World, auctionId: AuctionId, leaderId: UserId | undefined): void {
  const found = known.find(({ auction }) => auction.id === auctionId)
  if (found !== undefined) found.leaderId = leaderId
}

type Refusal = Omit<Refused, 'outcome'>

/** An answer, and the times of its request. */
type Asked<Answer> = {
  readonly answer: Answer | Refused | Unknown
  readonly times: Pick<Attempt, 'sentAtMs' | 'arrivedAtMs' | 'answeredAtMs'>
}

type Use<Value> = (service: AuctionService, arrivedAtMs?: number) => Promise<Result<Value, Refusal>>

/** The answer of a process, or `unknown` if it crashes first or its client times out. */
async function ask<Value, Answer>(
  world: World,
  process: Process,
  use: Use<Value>,
  answerOf: (value: Value) => Answer,
): Promise<Asked<Answer>> {
  const { chance, time } = world
  const sentAtMs = nowMs(world)
  let arrivedAtMs: number | undefined
  const onArrival = () => {
    arrivedAtMs = nowMs(world)
  }
  const inTime = answerInTime(world, process, use, answerOf, onArrival)
  const abandoned = (): Promise<Unknown> => time.sleep(chance.int(1, 300)).then(() => ({ outcome: 'unknown' }))
  const answer = await (chance.percent(world.abandonPercent) ? Promise.race([inTime, abandoned()]) : inTime)
  const times = { sentAtMs, ...(arrivedAtMs !== undefined && { arrivedAtMs }), answeredAtMs: nowMs(world) }
  return { answer, times }
}

async function answerInTime<Value, Answer>(
  { time, limits, problems }: World,
  process: Process,
  use: Use<Value>,
  answerOf: (value: Value) => Answer,
  onArrival: () => void,
): Promise<Answer | Refused | Unknown> {
  const [sentAtMs, pausedMs] = [time.nowMs(), process.pausedMs()]
  try {
    const result = await process.call(use, onArrival)
    if (result === 'crashed') return { outcome: 'unknown' }
    return result.ok ? answerOf(result.value) : { ...result.refusal, outcome: 'refused' }
  } catch (error) {
    if (!isStoreUnavailable(error)) problems.push(`a request failed: ${error instanceof Error ? error.stack : error}`)
    const isUnknown = !isStoreUnavailable(error) || error.outcome === 'unknown'
    return isUnknown ? { outcome: 'unknown' } : { outcome: 'refused', code: 'store-unavailable' }
  } finally {
    const tookMs = time.nowMs() - sentAtMs - (process.pausedMs() - pausedMs)
    // A millisecond or two pass between the end of a pause and the timers that wait for it.
    if (tookMs > limits.deadlineMs + longestHostMs + 2) problems.push(`an answer took ${tookMs} ms`)
  }
}
