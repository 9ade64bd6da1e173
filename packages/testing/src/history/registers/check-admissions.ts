import type { UserId } from '@auction/domain/ids'
import { isSameCurrency } from '@auction/domain/money'
import type { Entry, StoredAuction } from '@auction/domain/store'
import { type History, show, type Violation } from '../../history.ts'
import { type AttemptOf, attemptsTo, clientKey } from '../attempts.ts'
import { isOwn } from '../formats/format.ts'
import { statesDuring, type Timelines } from '../ledger-states.ts'
import { isBlocked } from '../life.ts'
import { requestIn } from '../rules.ts'
import { type RegisterTimeline, type RegisterTimelines, saidOf } from './timelines.ts'

type OfferAttempt = AttemptOf<'place-bid'> | AttemptOf<'buy-now'>

/**
 * Every bid and purchase was admitted by its register, in a state that was read after the request was sent (9): so no
 * bid follows a refusal that a client has received.
 */
export function checkAdmissions(
  history: History,
  timelines: Timelines,
  registers: RegisterTimelines,
): readonly Violation[] {
  const auctions = new Map(history.auctions.map((auction) => [auction.id, auction]))
  const offers = [...attemptsTo(history, 'place-bid'), ...attemptsTo(history, 'buy-now')]
  const byAuction = Map.groupBy(offers, (offer) =>
    offer.type === 'place-bid' ? offer.bid.auctionId : offer.purchase.auctionId,
  )
  const asViolation = (of: string) => (finding: string) => ({ invariant: 9, message: `${of} ${finding}` }) as const
  return [
    ...history.auctions.flatMap((auction) =>
      findingsOfTerms(auction, registers).map(asViolation(`auction ${auction.id}`)),
    ),
    ...history.ledger.flatMap((entry) => {
      const auction = auctions.get(entry.auctionId)
      if (auction === undefined || !isOwn(entry)) return []
      const tries = (byAuction.get(auction.id) ?? []).filter(mayHaveMade(entry))
      return findingsOf(entry, auction, tries, registers).map(asViolation(`entry ${entry.id} of auction ${auction.id}`))
    }),
    ...checkWithdrawn(history, timelines),
  ]
}

function findingsOfTerms(
  { registerId, registerAdmits, currency }: StoredAuction,
  registers: RegisterTimelines,
): readonly string[] {
  if (registerId === undefined) return registerAdmits === undefined ? [] : ['admits bidders of no register']
  const register = registers.get(registerId)?.register
  if (register === undefined) return [`has the register ${registerId}, which is not stored`]
  return [
    ...(isSameCurrency(register.currency, currency) ? [] : [`is in another currency than register ${registerId}`]),
    ...(register.admits === registerAdmits ? [] : [`admits ${registerAdmits} instead of ${register.admits}`]),
  ]
}

/** Whether an attempt may be the one that made the entry of a bid or a purchase. */
function mayHaveMade(entry: Entry) {
  const request = requestIn(entry)
  const key = clientKey(entry.requestKey)
  return (attempt: OfferAttempt): boolean => {
    const { response } = attempt
    if (attempt.key !== key || request?.type !== attempt.type || response.outcome === 'refused') return false
    if ('bid' in response) return (response.bid.id as number) === entry.id
    const [sent, recorded] = 'bid' in attempt ? [attempt.bid, request] : [attempt.purchase, request]
    return show(sent) === show('bid' in recorded ? recorded.bid : 'purchase' in recorded && recorded.purchase)
  }
}

function findingsOf(
  entry: Entry,
  auction: StoredAuction,
  tries: readonly OfferAttempt[],
  registers: RegisterTimelines,
): readonly string[] {
  const { event } = entry
  const recorded = 'admission' in event ? event.admission : undefined
  const request = requestIn(entry)
  if (request?.type !== 'place-bid' && request?.type !== 'buy-now') return []
  const { registerId } = auction
  if (registerId === undefined) return recorded === undefined ? [] : ['has an admission, but its auction no register']
  const register = registers.get(registerId)
  if (register === undefined) return [] // The auction is reported.
  if (recorded === undefined) return [`has no admission by register ${registerId}`]
  const { registerSequence } = recorded
  if (!register.states.some(({ sequence }) => sequence === registerSequence))
    return [`was decided on entry ${registerSequence} of register ${registerId}, which is not stored`]
  const userId = request.type === 'place-bid' ? request.bid.bidderId : request.purchase.buyerId
  // Without a request, it is reported elsewhere; of several, any may have made it.
  const found = tries.map((attempt) => findingsOfTry(entry, auction, attempt, userId, register, recorded))
  return found.some((findings) => findings.length === 0) ? [] : (found[0] ?? [])
}

type Recorded = { readonly registerSequence: number; readonly byClaim?: true }

function findingsOfTry(
  { event }: Entry,
  { format, showPaddles }: StoredAuction,
  { claims = {}, response, ...attempt }: OfferAttempt,
  userId: UserId,
  register: RegisterTimeline,
  recorded: Recorded,
): readonly string[] {
  const { registerSequence, byClaim } = recorded
  const { registration, ...said } = saidOf(register, userId, registerSequence, claims[register.id])
  const { limitMinor, paddle } = said
  const expected = {
    ...{ registerSequence, byClaim: said.byClaim },
    limitMinor: format === 'sealed' ? undefined : limitMinor,
    paddle: showPaddles === true ? paddle : undefined,
  }
  const amountMinor = 'amountMinor' in event ? event.amountMinor : undefined
  const priceMinor = 'priceMinor' in event ? event.priceMinor : undefined
  const maximumMinor = 'maximumMinor' in event ? event.maximumMinor : undefined
  const riskMinor = maximumMinor ?? amountMinor ?? priceMinor ?? 0
  const respondedAtMs = response.outcome === 'accepted' ? attempt.respondedAtMs : Number.POSITIVE_INFINITY
  const possible = statesDuring(register, attempt.sentAtMs, respondedAtMs)
  const [first, last] = [possible[0]?.sequence ?? 0, possible.at(-1)?.sequence ?? 0]
  const at = `entry ${registerSequence} of register ${register.id}`
  const isAdmitted = registration === undefined
  return [
    !isAdmitted &&
      `is of user ${userId}, who is ${registration} at ${at}${byClaim ? ', but whom a claim admitted' : ''}`,
    isAdmitted &&
      show(recorded) !== show(expected) &&
      `has the admission ${show(recorded)} instead of ${show(expected)}`,
    limitMinor !== undefined && riskMinor > limitMinor && `risks ${riskMinor}, above the limit ${limitMinor} at ${at}`,
    registerSequence < first && `was decided on ${at}, although a client knew of entry ${first} before its request`,
    registerSequence > last && `was decided on ${at}, which was sent after its response`,
  ].filter((finding) => finding !== false)
}

/** A bidder whose bids a refusal has withdrawn from an auction is blocked there. */
function checkWithdrawn(history: History, timelines: Timelines): readonly Violation[] {
  return attemptsTo(history, 'set-bidders').flatMap(({ change, response, sentAtMs, respondedAtMs }) => {
    const bidderId = change.bidders[0]?.bidderId
    if (response.outcome !== 'accepted' || bidderId === undefined) return []
    return (response.withdrawn ?? []).flatMap(({ auctionId, outcome }): readonly Violation[] => {
      const timeline = timelines.get(auctionId)
      const states = timeline === undefined ? [] : statesDuring(timeline, sentAtMs, respondedAtMs)
      if (outcome !== 'withdrawn' || states.some(({ head }) => isBlocked(bidderId, head))) return []
      const message = `bidder ${bidderId} was not blocked in auction ${auctionId} when their bids were withdrawn`
      return [{ invariant: 9, message }]
    })
  })
}
