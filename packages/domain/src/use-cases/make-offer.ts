import type { Auction } from '../auction/auction.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { type NextBidder, nextBidder } from '../auction/next-bidder.ts'
import { pastEndError } from '../auction/rules.ts'
import { type NewOffer, offerAuction } from '../auction/second-chance.ts'
import { buyerIn } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import { isKeyMissing, SealedBidsUnavailableError } from '../sealer.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { AuctionId, UserId } from '../values/ids.ts'
import { type AmountMinor, isInexactIn, toMinor } from '../values/money.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import { requireId, requireObject } from './check-arguments.ts'
import {
  type Derived,
  type DerivedRefusal,
  type Deriving,
  type DerivingParts,
  derive,
  readSource,
  refusalIfOffered,
  relistingIn,
  type Source,
  type SourceRefusal,
} from './derived-auctions.ts'
import { type TallyParts, tallyTo } from './tally-bids.ts'
import { type Progress, withinDeadline } from './within-deadline.ts'

export type MakeOfferRequest = { readonly auctionId: AuctionId; readonly offer: Checked<NewOffer> }
export type MakeOfferRefusal =
  | SourceRefusal
  | DerivedRefusal
  | ValidationFailed
  | { readonly code: 'no-next-bidder' }
  | { readonly code: 'too-many-offers' }
/**
 * Returns the offer. A request with the same excluded bidders returns it again, without a key, whatever its end and price,
 * unless it has ended without a buyer.
 * `arrivedAtMs` is as for `CreateAuction`.
 */
export type MakeOffer = (request: MakeOfferRequest, arrivedAtMs?: number) => Promise<Result<Auction, MakeOfferRefusal>>

type MakeOfferParts = DerivingParts & TallyParts & { readonly clock: Clock; readonly limit: TimeLimit }

const maxOffers = 50

/**
 * Offers the product of an auction with a result to the next bidder: an auction that only they can buy. Only staff may do
 * so, which the caller checks.
 * @throws InvalidValueError that names an invalid arrival, id or offer; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the offer may be stored
 * @throws SealedBidsUnavailableError without the key of sealed bids
 */
export function makeOfferUseCase(parts: MakeOfferParts): MakeOffer {
  const { clock, limit } = parts
  return async (request, arrivedAtMs) => {
    requireObject(request, 'an offer')
    const { auctionId, offer } = request
    requireId(auctionId, 'auctionId of an offer')
    requireChecked(offer, 'an offer', 'parseNewOffer')
    const atMs = arrivalOf(arrivedAtMs, clock)
    return withinDeadline(limit, async (progress) => {
      const source = await readSource(parts, auctionId)
      if (!source.ok) return source
      let next: Promise<NextBidder | undefined> | undefined
      return derive(parts, auctionId, progress, async (derived): Promise<Deriving<MakeOfferRefusal>> => {
        const made = derived.find((earlier) => isRepeatedBy(earlier, offer))
        if (made !== undefined) return accepted({ made: made.auction.id })
        const refusal = refusalOf(source.value, offer, derived, atMs)
        if (refusal !== undefined) return refused(refusal)
        next ??= findNext(parts, source.value, offer, progress)
        return offerTo(await next, source.value, offer, atMs)
      })
    })
  }
}

/** Whether an offer is the result of another request for it. One that ended without a buyer may be made again. */
function isRepeatedBy({ auction, result }: Derived, { excludedBidderIds }: NewOffer): boolean {
  const hasEnded = result !== undefined && buyerIn(result) === undefined
  return !hasEnded && isSame(auction.excludedBidderIds, excludedBidderIds)
}

const isSame = (one: readonly UserId[] | undefined, other: readonly UserId[]): boolean =>
  one?.length === other.length && other.every((id, index) => one[index] === id)

const buyersRule = 'must contain the winner or buyer of the auction, and each buyer of an earlier offer'

/** The reason why no offer can be made, to any bidder. */
function refusalOf(
  { result }: Source,
  { excludedBidderIds, endTime }: NewOffer,
  derived: readonly Derived[],
  atMs: number,
): MakeOfferRefusal | undefined {
  const relistedAs = relistingIn(derived)?.id
  if (relistedAs !== undefined) return { code: 'auction-relisted', relistedAs }
  const offered = refusalIfOffered(derived)
  if (offered !== undefined) return offered
  if (derived.length >= maxOffers) return { code: 'too-many-offers' }
  const buyers = [result, ...derived.map((offer) => offer.result)].map((ended) => ended && buyerIn(ended))
  const isMissing = buyers.some((id) => id !== undefined && !excludedBidderIds.includes(id))
  const late = pastEndError(endTime, atMs)
  const errors = [
    ...(isMissing ? [{ pointer: '/excludedBidderIds', message: buyersRule }] : []),
    ...(late === undefined ? [] : [late]),
  ]
  return errors.length === 0 ? undefined : validationFailed(...errors)
}

/** Reads the ledger of the auction for its next bidder. */
async function findNext(
  parts: TallyParts,
  { auction, head }: Source,
  { excludedBidderIds }: NewOffer,
  { signal }: Progress,
): Promise<NextBidder | undefined> {
  const stakes = formatOf(auction).createStakes?.(auction)
  if (stakes === undefined) return undefined
  try {
    await tallyTo(parts, auction.id, stakes, head.sequence, signal)
  } catch (cause) {
    if (!isKeyMissing(cause)) throw cause
    throw new SealedBidsUnavailableError(`this process lacks the key of bids of auction ${auction.id}`, { cause })
  }
  return nextBidder(auction, stakes.all(), excludedBidderIds)
}

function offerTo(
  next: NextBidder | undefined,
  { auction }: Source,
  offer: NewOffer,
  atMs: number,
): Deriving<MakeOfferRefusal> {
  if (next === undefined) return refused({ code: 'no-next-bidder' })
  const price = priceOf(next, auction, offer)
  if (!price.ok) return price
  return accepted({ fields: offerAuction(auction, offer, next.bidderId, price.value, atMs) })
}

/** The price that is sent, or the default. No error tells the reserve. */
function priceOf(
  { priceMinor }: NextBidder,
  { currency }: Auction,
  { price }: NewOffer,
): Result<AmountMinor, ValidationFailed> {
  const sentMinor = price === undefined ? priceMinor : toMinor(price, currency)
  if (sentMinor !== undefined) return accepted(sentMinor)
  const message =
    price === undefined ? 'is required: the reserve is above the bids of the next bidder' : isInexactIn(currency)
  return refused(validationFailed({ pointer: '/price', message }))
}
