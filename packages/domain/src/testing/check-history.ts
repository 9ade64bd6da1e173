import type { Auction } from '../auction.ts'
import type { Bid, NewBid } from '../bid.ts'
import { currentPriceMinor, minimumNextBidMinor } from '../bidding.ts'
import type { BidId } from '../ids.ts'
import { type AmountMinor, isSameCurrency, toMinor } from '../money.ts'

/** What a client was told of its bid. */
export type BidAnswer =
  /** A 201, with the bid as it was answered. */
  | { readonly outcome: 'accepted'; readonly bid: AnsweredBid }
  /** Any refusal. `bid-too-low` must be true, and its figures those of the ledger. */
  | {
      readonly outcome: 'refused'
      readonly code: string
      readonly currentPriceMinor?: AmountMinor
      /** Undefined when it was said that no higher bid is possible; left out when nothing was said of it. */
      readonly minimumNextBidMinor?: AmountMinor | undefined
    }
  /** No answer, or one that says that the outcome is unknown: the bid may be stored or not, or may be later. */
  | { readonly outcome: 'unknown' }

export type AnsweredBid = Pick<Bid, 'id' | 'auctionId' | 'bidderId' | 'amountMinor' | 'timestampMs'>

/** One request of a client. Its times are of any clock that all clients share. */
export type BidAttempt = {
  readonly bid: NewBid
  /** What the client named its request with, unique among callers; attempts of one key are tries of one request. */
  readonly key?: string
  readonly sentAtMs: number
  readonly answeredAtMs: number
  readonly answer: BidAnswer
}

export type History = {
  readonly auctions: readonly Auction[]
  readonly attempts: readonly BidAttempt[]
  /** All that is stored in the end, in any order. */
  readonly ledger: readonly Bid[]
}

/** A broken promise. Its number is that of the invariant, as listed with `checkHistory`. */
export type Violation = { readonly invariant: 1 | 2 | 3 | 4 | 5; readonly message: string }

/**
 * Checks what clients saw of a service against what its store holds in the end. What must hold, over any history:
 *
 * 1. Every accepted bid is in the ledger exactly once, with the fields that were answered; nothing is in it that no client
 *    sent, or more often than it was sent, or that a client was told was refused.
 * 2. Sequences have no gaps; amounts rise by at least the increment, the first is at least the starting price; no owner bids.
 * 3. Timestamps never go back, and lie in [startTime, endTime).
 * 4. A refusal `bid-too-low` was true of a ledger at or before its answer, and its figures were not out of date when the bid
 *    was sent.
 * 5. One key, one bid: a try of it that is sent after the bid was answered is answered with the bid.
 */
export function checkHistory(history: History): readonly Violation[] {
  const ledgers = Map.groupBy(history.ledger, ({ auctionId }) => auctionId)
  const attempts = Map.groupBy(history.attempts, ({ bid }) => bid.auctionId)
  const seen = sightings(history)
  return [
    ...checkAccepted(history),
    ...checkSources(history),
    ...history.auctions.flatMap((auction) => {
      const bids = (ledgers.get(auction.id) ?? []).toSorted((a, b) => a.sequence - b.sequence)
      return [...checkLedger(auction, bids), ...checkRefusals(auction, bids, attempts.get(auction.id) ?? [], seen)]
    }),
    ...checkKeys(history.attempts),
  ]
}

function checkAccepted({ attempts, ledger }: History): Violation[] {
  const violations: Violation[] = []
  const stored = new Map<BidId, Bid>()
  for (const bid of ledger) {
    if (stored.has(bid.id)) violations.push({ invariant: 1, message: `bid ${bid.id} is in the ledger twice` })
    stored.set(bid.id, bid)
  }
  for (const { answer } of attempts) {
    if (answer.outcome !== 'accepted') continue
    const { id } = answer.bid
    const bid = stored.get(id)
    if (bid === undefined) violations.push({ invariant: 1, message: `bid ${id} was accepted and is not in the ledger` })
    else if (!isAsAnswered(bid, answer.bid)) {
      const message = `bid ${id} is in the ledger as ${show(bid)}, but was answered as ${show(answer.bid)}`
      violations.push({ invariant: 1, message })
    }
  }
  return violations
}

const isAsAnswered = (bid: Bid, answered: AnsweredBid): boolean =>
  bid.auctionId === answered.auctionId &&
  bid.bidderId === answered.bidderId &&
  bid.amountMinor === answered.amountMinor &&
  bid.timestampMs === answered.timestampMs

const show = (value: unknown) => JSON.stringify(value)

/**
 * Nothing from nowhere: each request accounts for one entry at the most, with its own fields. The tries of one key are one
 * request, and so are accepted answers of one bid; a request that was refused in each of its tries accounts for none.
 */
function checkSources({ auctions, attempts, ledger }: History): Violation[] {
  const currencies = new Map(auctions.map(({ id, currency }) => [id, currency]))
  const acknowledged = new Set<BidId>()
  const requests = new Map<string, Set<unknown>>()
  for (const attempt of attempts) {
    const { bid, answer, key } = attempt
    if (answer.outcome === 'accepted') acknowledged.add(answer.bid.id)
    if (answer.outcome !== 'unknown') continue
    const currency = currencies.get(bid.auctionId)
    const amountMinor = currency && toMinor(bid.amount, currency)
    const fields = show([bid.auctionId, bid.bidderId, amountMinor])
    requests.set(fields, (requests.get(fields) ?? new Set()).add(key ?? attempt))
  }
  const violations: Violation[] = []
  for (const bid of ledger) {
    if (acknowledged.has(bid.id)) continue
    const open = requests.get(show([bid.auctionId, bid.bidderId, bid.amountMinor]))
    const [request] = open ?? []
    if (request !== undefined) open?.delete(request)
    else
      violations.push({
        invariant: 1,
        message: `the ledger holds a bid that nobody was left to have sent: ${show(bid)}`,
      })
  }
  return violations
}

function checkLedger(auction: Auction, bids: readonly Bid[]): Violation[] {
  const violations: Violation[] = []
  let head: Bid | undefined
  for (const bid of bids) {
    const where = `bid ${bid.id} of auction ${auction.id}`
    const sequence = (head?.sequence ?? 0) + 1
    if (bid.sequence !== sequence) {
      violations.push({ invariant: 2, message: `${where} has sequence ${bid.sequence} where ${sequence} was next` })
    }
    const least = minimumNextBidMinor(auction, head) ?? Number.POSITIVE_INFINITY
    if (bid.amountMinor < least) {
      violations.push({ invariant: 2, message: `${where} offers ${bid.amountMinor}, below ${least} minor units` })
    }
    if (!isSameCurrency(bid.currency, auction.currency) || bid.bidderId === auction.ownerId) {
      violations.push({ invariant: 2, message: `${where} is not of its auction's currency, or of its owner` })
    }
    if (
      bid.timestampMs < (head?.timestampMs ?? auction.startTime.epochMs) ||
      bid.timestampMs >= auction.endTime.epochMs
    ) {
      violations.push({
        invariant: 3,
        message: `${where} has timestamp ${bid.timestampMs}, before the last or out of time`,
      })
    }
    head = bid
  }
  return violations
}

/** When a bid can first have been in the ledger, and when it surely was. */
type Sighting = { sentAtMs: number; answeredAtMs: number }

function sightings({ attempts, auctions, ledger }: History): ReadonlyMap<BidId, Sighting> {
  const currencies = new Map(auctions.map(({ id, currency }) => [id, currency]))
  const byFields = new Map<string, number>()
  const byId = new Map<BidId, Sighting>()
  for (const { bid, sentAtMs, answeredAtMs, answer } of attempts) {
    if (answer.outcome === 'refused') continue
    const currency = currencies.get(bid.auctionId)
    const fields = show([bid.auctionId, bid.bidderId, currency && toMinor(bid.amount, currency)])
    byFields.set(fields, Math.min(sentAtMs, byFields.get(fields) ?? sentAtMs))
    if (answer.outcome !== 'accepted') continue
    const before = byId.get(answer.bid.id)
    byId.set(answer.bid.id, {
      sentAtMs: Math.min(sentAtMs, before?.sentAtMs ?? sentAtMs),
      answeredAtMs: Math.min(answeredAtMs, before?.answeredAtMs ?? answeredAtMs),
    })
  }
  for (const bid of ledger) {
    const sentAtMs = byFields.get(show([bid.auctionId, bid.bidderId, bid.amountMinor])) ?? Number.NEGATIVE_INFINITY
    const answeredAtMs = byId.get(bid.id)?.answeredAtMs ?? Number.POSITIVE_INFINITY
    byId.set(bid.id, { sentAtMs, answeredAtMs })
  }
  return byId
}

function checkRefusals(
  auction: Auction,
  bids: readonly Bid[],
  attempts: readonly BidAttempt[],
  seen: ReadonlyMap<BidId, Sighting>,
): Violation[] {
  const states = [undefined, ...bids].map((head, index) => ({
    price: currentPriceMinor(auction, head),
    least: minimumNextBidMinor(auction, head) ?? Number.POSITIVE_INFINITY,
    // The ledger had this state no earlier than its last bid was sent, and no longer than until the next was answered.
    fromMs: (head && seen.get(head.id)?.sentAtMs) ?? Number.NEGATIVE_INFINITY,
    untilMs: endOfState(bids[index], seen),
  }))
  // Prices rise, so at most one state has given figures.
  const byLeast = new Map(states.map((state) => [state.least, state]))
  return attempts.flatMap(({ bid, answer, sentAtMs, answeredAtMs }): Violation[] => {
    if (answer.outcome !== 'refused' || answer.code !== 'bid-too-low') return []
    const amountMinor = toMinor(bid.amount, auction.currency) ?? Number.POSITIVE_INFINITY
    const { currentPriceMinor: price, minimumNextBidMinor: least = Number.POSITIVE_INFINITY } = answer
    const named = byLeast.get(least)
    const candidates = !('minimumNextBidMinor' in answer) ? states : named === undefined ? [] : [named]
    const isRight = candidates.some(
      (state) =>
        amountMinor < state.least &&
        state.price === (price ?? state.price) &&
        state.fromMs <= answeredAtMs &&
        state.untilMs >= sentAtMs,
    )
    if (isRight) return []
    const message = `no ledger of auction ${auction.id} at the time refuses ${amountMinor} with ${show(answer)}`
    return [{ invariant: 4, message }]
  })
}

const endOfState = (next: Bid | undefined, seen: ReadonlyMap<BidId, Sighting>): number =>
  (next && seen.get(next.id)?.answeredAtMs) ?? Number.POSITIVE_INFINITY

function checkKeys(attempts: readonly BidAttempt[]): Violation[] {
  const first = new Map<string, { readonly id: BidId; readonly answeredAtMs: number }>()
  const violations: Violation[] = []
  for (const { key, answer, answeredAtMs } of attempts.toSorted((a, b) => a.answeredAtMs - b.answeredAtMs)) {
    if (key === undefined || answer.outcome !== 'accepted') continue
    const { id } = answer.bid
    const made = first.get(key)
    if (made === undefined) first.set(key, { id, answeredAtMs })
    else if (made.id !== id) violations.push({ invariant: 5, message: `key ${key} made bid ${made.id} and bid ${id}` })
  }
  for (const { key, answer, sentAtMs } of attempts) {
    const made = key === undefined ? undefined : first.get(key)
    if (made === undefined || answer.outcome !== 'refused' || sentAtMs < made.answeredAtMs) continue
    if (saysNothingOfTheBid.has(answer.code)) continue
    violations.push({
      invariant: 5,
      message: `key ${key} had made bid ${made.id}, and was answered ${answer.code} later`,
    })
  }
  return violations
}

const saysNothingOfTheBid = new Set(['store-unavailable', 'overloaded'])
