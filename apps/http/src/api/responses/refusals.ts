import { type AuctionService, registerRefusals, saleRefusals } from '@auction/domain'
import { refusals as auctionRefusals, type BuyNowNotOffered, type RefusalKind } from '@auction/domain/auction'
import { AuctionId, UserId } from '@auction/domain/ids'
import { type RefusalJson, refusalJson } from '@auction/domain/json'
import { MomentText } from '@auction/domain/moment'
import { defined, type ValidationFailed } from '@auction/domain/parsing'
import {
  type HostProblem,
  type HostProblemCode,
  hostProblemTypes,
  type Problem,
  type ProblemType,
} from '@auction/host/responses'
import * as v from 'valibot'
import { MaximumNextBid, MinimumNextBid, Price, priceFields } from './resources.ts'

type RefusalOf<UseCase extends (...input: never[]) => Promise<unknown>> =
  Extract<Awaited<ReturnType<UseCase>>, { readonly ok: false }> extends { readonly refusal: infer Refusal }
    ? Refusal
    : never

export type UseCaseName = Exclude<
  keyof AuctionService,
  'close' | 'closeDue' | 'backlog' | 'watchAuction' | 'watchSale' | 'extend'
>

export type Refusal = RefusalOf<AuctionService[UseCaseName]>

/** The problem code for a refusal code. They are equal except for `not-the-owner`. */
export type ShownAs<Code> = Code extends 'not-the-owner' ? 'forbidden' : Code

const statuses: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  precondition: 412,
  busy: 503,
}

type Row<Code extends Refusal['code']> = {
  readonly message: string | ((refusal: RefusalJson<Extract<Refusal, { readonly code: Code }>>) => string)
  /** The members of the refusal that the problem has. */
  readonly members?: v.ObjectEntries
  /** What it means, if the domain has another word for it. */
  readonly when?: string
  /** Replaces the status of its kind. */
  readonly status?: number
}

const prices = { currentPrice: Price, minimumNextBid: MinimumNextBid, currency: v.string() }

export const sendReason = 'Send a reason to cancel it with the permission Auctions.Cancel.Any.'
const reasonNeeded = `without a reason. ${sendReason}`

/** The message and the members of each refusal. A new refusal of the domain does not compile until it has a row. */
const rows: { readonly [Code in Exclude<Refusal['code'], 'validation-failed'>]: Row<Code> } = {
  'auction-not-found': { message: ({ auctionId }) => `Auction ${auctionId} does not exist.` },
  'bid-not-found': { message: ({ bidId }) => `Bid ${bidId} does not exist.` },
  'not-the-owner': {
    message(refusal) {
      const message = 'This token identifies another user; only the owner can'
      if (refusal.prevents === 'correction') {
        return `${message} correct the auction without the permission Auctions.Update.Any.`
      }
      if (refusal.prevents === 'reserve-reduction') {
        return `${message} lower its reserve without the permission Auctions.Manage.`
      }
      return `${message} cancel the auction${refusal.needsReason ? ` ${reasonNeeded}` : '.'}`
    },
  },
  'auction-not-started': {
    members: { startTime: MomentText },
    message: ({ startTime }) => `The auction has not started; it starts at ${startTime}.`,
  },
  'auction-ended': {
    members: { endTime: v.pipe(MomentText, v.description('When the auction ended, in UTC.')) },
    message: ({ endTime, final }) => ends[final ?? 'open'](endTime),
  },
  'auction-cancelled': { message: 'The auction was cancelled.' },
  'auction-has-bids': {
    message(refusal) {
      if (refusal.prevents === 'correction') return 'The auction has had bids, so it cannot be corrected.'
      const message = 'The auction has had bids and was created without cancellableUntilEnd, so it cannot be cancelled'
      return `${message}${refusal.needsReason ? ` ${reasonNeeded}` : '.'}`
    },
  },
  'auction-started': {
    message(refusal) {
      const message = 'The auction has started, and its format fixes it from then on, so it cannot be'
      if (refusal.prevents === 'correction') return `${message} corrected.`
      return `${message} cancelled without cancellableUntilEnd${refusal.needsReason ? `, ${reasonNeeded}` : '.'}`
    },
  },
  'not-in-format': {
    message: ({ format }) => `An auction with the format ${format} does not support this request.`,
  },
  'too-many-corrections': {
    message: ({ limits: { owner, staff } }) =>
      `Owners can correct an auction until it was corrected ${owner} times, and staff until ${staff} times.`,
  },
  'auction-repaired': {
    message:
      'The auction was extended, or its reserve was lowered, so only its title, description and metadata can be corrected.',
  },
  'owner-cannot-bid': { message: 'The owner of an auction cannot bid on it.' },
  'too-many-repairs': {
    message: 'Staff have repaired the auction 50 times, which is the limit; the first lower reserve does not count.',
  },
  'reserve-lowered-before': {
    message:
      'The reserve was lowered before. Owners lower it once; staff with the permission Auctions.Manage can lower it again, with a reason.',
  },
  'no-bids-of-bidder': {
    message:
      'Nothing would change: this user has no bids on this auction to withdraw, or, with block false, is not blocked.',
  },
  'bidder-blocked': { message: 'This user may not bid on this auction, nor buy it.' },
  'not-admitted': {
    members: {
      registration: v.optional(
        v.pipe(
          v.picklist(['none', 'pending', 'refused']),
          v.description('What the register says of the user: only for that user, and with `Registers.Read`.'),
        ),
      ),
    },
    message: 'This user is not admitted to the auction.',
  },
  'above-limit': {
    members: {
      limit: v.optional(v.pipe(Price, v.description('Only for that user, and with `Registers.Read`.'))),
      currency: v.string(),
    },
    message: ({ limit, currency }) =>
      `This is above the limit of the user in the register of the auction${limit === undefined ? '' : `: ${limit} ${currency}`}.`,
  },
  'auction-not-over': { message: 'The auction has no result yet; wait until its result is not null.' },
  'auction-is-offer': {
    members: { offerOf: AuctionId },
    message: ({ offerOf }) => `The auction is an offer of auction ${offerOf}; relist or offer that one.`,
  },
  'auction-relisted': {
    members: { relistedAs: v.pipe(AuctionId, v.description('The repetition of the auction.')) },
    message: ({ relistedAs }) => `The auction was relisted as auction ${relistedAs}.`,
  },
  'auction-has-offer': {
    members: { offerId: v.pipe(AuctionId, v.description('The open offer, which is an auction.')) },
    message: ({ offerId }) =>
      `Auction ${offerId} is an offer of the auction that has no result yet; wait for it, or cancel it.`,
  },
  'no-next-bidder': { message: 'Without the excluded bidders, the auction has no bids that count.' },
  'too-many-offers': { message: 'The auction was offered 50 times, which is the limit.' },
  'register-not-found': { message: ({ registerId }) => `Register ${registerId} does not exist.` },
  'paddle-taken': {
    members: { bidderId: UserId, paddle: v.string() },
    message: ({ bidderId, paddle }) =>
      `Bidder ${bidderId} cannot get the paddle ${paddle}: another bidder has it, or had it.`,
  },
  'too-many-bidders': { message: ({ most }) => `A register lists at most ${most} bidders.` },
  'sale-not-found': { message: ({ saleId }) => `Sale ${saleId} does not exist.` },
  'lot-taken': {
    members: { lots: v.pipe(v.array(v.string()), v.description('The numbers of these lots.')) },
    message: ({ lots }) => `The sale has these lots with other content: ${lots.join(', ')}; nothing was added.`,
  },
  'too-many-extensions': { message: 'The sale was extended 50 times, which is the limit.' },
  'too-many-lots': { message: ({ most }) => `A sale has at most ${most} lots; nothing was added.` },
  'bid-too-low': {
    // An auction with sealed bids has no price.
    members: { ...prices, currentPrice: v.optional(Price) },
    message: (prices) =>
      'currentPrice' in prices
        ? withNext(prices, (next) => `The bid is too low; the minimum next bid is ${next}.`)
        : `The bid is too low; the lowest that the auction takes is ${prices.minimumNextBid} ${prices.currency}.`,
  },
  'bid-too-high': {
    members: { currentPrice: Price, maximumNextBid: MaximumNextBid, currency: v.string() },
    message: ({ maximumNextBid, currency }) =>
      `The bid is too high; the maximum next bid is ${maximumNextBid} ${currency}. A maximumAmount may be higher.`,
  },
  'bid-not-on-step': {
    members: {
      lowerAmount: v.pipe(Price, v.description('The step below the amount: at least the `minimumNextBid`.')),
      higherAmount: v.pipe(v.nullable(Price), v.description('The step above the amount; null if it may not be bid.')),
      currency: v.string(),
    },
    message: ({ lowerAmount, higherAmount, currency }) =>
      `The amount is between two steps; bid ${higherAmount === null ? '' : `${higherAmount} or `}${lowerAmount} ${currency}.`,
  },
  'buy-now-is-lower': {
    members: { buyNowPrice: Price, ...prices },
    // A high increment may make every lower bid too low.
    message({ auctionId, buyNowPrice, minimumNextBid, currency }) {
      const orBidLess = minimumNextBid !== null && minimumNextBid < buyNowPrice ? ', or bid less' : ''
      return `Auction ${auctionId} can be bought now for ${buyNowPrice} ${currency}; buy it with POST /api/Auctions/${auctionId}/Purchase${orBidLess}.`
    },
  },
  'maximum-not-raised': {
    message:
      'The bidder already leads with this maximum or bid, or a higher one. Send a higher maximumAmount, or omit it to raise the bid.',
  },
  'bids-not-taken': {
    message: 'The price of this auction falls, so it takes no bids; buy it with POST /api/Auctions/{id}/Purchase.',
  },
  'price-is-higher': {
    members: { ...priceFields, currency: v.string() },
    message: ({ currentPrice, nextPrice, nextPriceTime, currency }) =>
      `The price is ${currentPrice} ${currency}, above atMost${
        nextPrice === null
          ? '; it does not fall further.'
          : `; it falls to ${nextPrice} ${currency} at ${nextPriceTime}.`
      }`,
  },
  'owner-cannot-buy': { message: 'The owner of an auction cannot buy it.' },
  'buy-now-not-offered': {
    members: prices,
    message: ({ reason, ...prices }) =>
      `${whyNotOffered[reason]}. ${withNext(prices, (next) => `The minimum next bid is ${next}.`)}`,
  },
  'precondition-failed': {
    when: '`If-Match` does not contain the entity tag that a read returns to the caller.',
    message: 'If-Match does not contain the current ETag. Read the resource again, and send the change with its ETag.',
  },
  'idempotency-key-reused': {
    status: 422,
    message: 'This Idempotency-Key was already used for a different request; use a new key.',
  },
  overloaded: { message: 'Too many requests are waiting; this request changed nothing. Send it again.' },
}

const ends = {
  open: (endTime: string) => `The auction ended at ${endTime}.`,
  closed: (endTime: string) => `The auction ended at ${endTime}, and its result is final.`,
  bought: (endTime: string) => `The auction was bought at ${endTime}; its result names the buyer.`,
}

const whyNotOffered = {
  'no-buy-now-price': 'The auction has no buyNowPrice',
  'has-bids': 'The auction has bids, which ends the buy-now offer',
  'reserve-met': 'The reserve is met, which ends the buy-now offer',
} as const satisfies Readonly<Record<BuyNowNotOffered['reason'], string>>

type Prices = Pick<RefusalJson<BuyNowNotOffered>, 'currentPrice' | 'minimumNextBid' | 'currency'>

/** A message with the minimum next bid. */
function withNext({ currentPrice, minimumNextBid, currency }: Prices, messageFor: (next: string) => string): string {
  if (minimumNextBid !== null) return messageFor(`${minimumNextBid} ${currency}`)
  return `No higher bid is possible: the bid after ${currentPrice} ${currency} would exceed the largest amount.`
}

type RuleCode = Exclude<ShownAs<Refusal['code']>, HostProblemCode>
export type ProblemCode = HostProblemCode | RuleCode | 'sealed-bids-unavailable'

const refusals = { ...auctionRefusals, ...registerRefusals, ...saleRefusals }

// The casts: each of these codes has a row.
const ruleCodes = Object.keys(rows).filter(
  (code) => code !== 'not-the-owner' && !(code in hostProblemTypes),
) as RuleCode[]

const ruleTypes = Object.fromEntries(ruleCodes.map((code) => [code, ruleType(code)])) as Record<RuleCode, ProblemType>

function ruleType(code: RuleCode): ProblemType {
  const { kind, meaning } = refusals[code]
  const { when = meaning, status = statuses[kind], members }: Omit<Row<RuleCode>, 'message'> = rows[code]
  return defined({ status, when, members })
}

/** The types of problems begin with it. */
export const problemUrn = 'urn:auction-service:problem:'

const problemTypes: Readonly<Record<ProblemCode, ProblemType>> = {
  ...hostProblemTypes,
  'payload-too-large': {
    ...hostProblemTypes['payload-too-large'],
    when: 'The body is larger than 64 KiB, 4 KiB for a bid or 1 MiB for lots, or arrives in more than 4,096 parts.',
  },
  ...ruleTypes,
  'sealed-bids-unavailable': {
    status: 503,
    when: 'This server lacks the key of the sealed bids of the auction. Nothing was changed.',
    retryAfterSeconds: 5,
    headers: ['Retry-After'],
  },
}

export const problemType = (code: ProblemCode): ProblemType => problemTypes[code]

// The cast: these are the keys of the table.
export const problemCodes: readonly ProblemCode[] = (Object.keys(problemTypes) as ProblemCode[]).sort(
  (one, other) => problemTypes[one].status - problemTypes[other].status,
)

/** The descriptions of refusals in the table, for operations that need no other. The cast: it has these codes. */
export const reasonsOf = <const Code extends ProblemCode>(...codes: readonly Code[]) =>
  Object.fromEntries(codes.map((code) => [code, problemTypes[code].when])) as Readonly<Record<Code, string>>

/** The refusal of what only owners and staff may do. */
export const ownersOnly = { forbidden: 'The token lacks the permission, or does not identify the owner.' }

export const clientCode = (code: ProblemCode): string => problemType(code).code ?? code

export function problemOf(refusal: Refusal): Problem {
  if (refusal.code === 'validation-failed') return { ...validationProblem(refusal), type: problemType(refusal.code) }
  const code = refusal.code === 'not-the-owner' ? 'forbidden' : refusal.code
  const shown = refusalJson(refusal)
  // The cast: the row is that of the refusal.
  const { message, members } = rows[refusal.code] as Pick<Row<never>, 'members'> & {
    readonly message: string | ((refusal: typeof shown) => string)
  }
  return {
    code,
    message: typeof message === 'string' ? message : message(shown),
    ...(members && {
      members: Object.fromEntries(Object.keys(members).map((name) => [name, Reflect.get(shown, name)])),
    }),
    type: problemType(code),
  }
}

export function validationProblem({ code, errors, moreErrors }: ValidationFailed): HostProblem {
  const count = errors.length + moreErrors
  const are = count === 1 ? 'One field is missing or invalid' : `${count} fields are missing or invalid`
  return {
    code,
    message: moreErrors === 0 ? `${are}.` : `${are}; the first ${errors.length} are listed.`,
    members: { errors, ...(moreErrors > 0 && { moreErrors }) },
  }
}
