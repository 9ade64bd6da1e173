import type { Bidder, BidderView, Register, RegisterView, WithdrawnEverywhere } from '@auction/domain'
import { AuctionId, RegisterId, UserId } from '@auction/domain/ids'
import { amountJson } from '@auction/domain/json'
import { isoOf, MomentText } from '@auction/domain/moment'
import { NewRegisterFields } from '@auction/domain/parsing'
import { described, integerFrom } from '@auction/host/responses'
import * as v from 'valibot'
import { asRead, Price, type Resource } from './resources.ts'

const { title, currency, admits, claims, metadata } = asRead(NewRegisterFields.entries)

/** A register. It never changes, but for its bidders. */
export const RegisterResource = v.object({
  id: described(RegisterId, 'Assigned by the service.'),
  ...{ title, currency, admits, claims, metadata },
  createdAt: described(MomentText, 'When the register was created, in UTC.'),
})

export const registerResource = (register: Register): Resource<typeof RegisterResource> => ({
  id: register.id,
  title: register.title,
  currency: register.currency.code,
  admits: register.admits,
  claims: register.claims,
  metadata: register.metadata,
  createdAt: isoOf(register.createdAtMs),
})

const count = (what: string) => integerFrom(0, `The number of bidders who are ${what}.`)

export const RegisterViewResource = v.object({
  ...RegisterResource.entries,
  counts: v.object({ admitted: count('admitted'), pending: count('pending'), refused: count('refused') }),
})

export const registerViewResource = ({ register, counts }: RegisterView): Resource<typeof RegisterViewResource> => ({
  ...registerResource(register),
  counts,
})

const bidder = {
  bidderId: described(UserId, 'The user.'),
  limit: v.optional(
    described(Price, 'The most that the bidder may risk in one auction, in the currency of the register.'),
  ),
  paddle: v.optional(described(v.string(), 'The number of the bidder in the room.')),
}

/** The entry of a bidder in a list. */
export const ListedBidderResource = v.object({ ...bidder, status: v.picklist(['admitted', 'pending', 'refused']) })

export const listedBidderResource = (
  { bidderId, status, limitMinor, paddle }: Bidder,
  register: Pick<Register, 'currency'>,
): Resource<typeof ListedBidderResource> => ({
  bidderId,
  status,
  limit: amountJson(limitMinor, register.currency),
  paddle,
})

/** What a register says of a user. */
export const BidderResource = v.object({
  registerId: RegisterId,
  ...bidder,
  status: described(
    v.picklist(['admitted', 'pending', 'refused', 'none']),
    'What the register lists; `none` for a user whom it does not list.',
  ),
  mayBid: described(
    v.boolean(),
    'Whether the user may bid on the auctions of the register now: by its list, because it admits everyone, or by a claim of the token.',
  ),
  byClaim: v.optional(described(v.literal(true), 'Present if a claim of the token admits the user, with its `limit`.')),
  currency,
  admissionText: v.optional(
    described(v.string(), 'The `admissionText` of the `metadata` of the register: how to be admitted.'),
  ),
})

export function bidderResource(
  { register, bidder, admission }: BidderView,
  bidderId: UserId,
): Resource<typeof BidderResource> {
  const mayBid = admission.registration === undefined
  return {
    registerId: register.id,
    bidderId,
    status: bidder?.status ?? 'none',
    mayBid,
    byClaim: admission.byClaim,
    limit: amountJson(mayBid ? admission.limitMinor : bidder?.limitMinor, register.currency),
    paddle: bidder?.paddle,
    currency: register.currency.code,
    admissionText: register.metadata?.['admissionText'],
  }
}

/** The outcomes for the bids of a bidder in the open auctions of the register. */
export const WithdrawnEverywhereResource = v.object({
  auctions: described(
    v.array(
      v.object({
        auctionId: AuctionId,
        outcome: described(v.string(), '`withdrawn`, or the code of the problem that prevented it.'),
      }),
    ),
    'The open auctions of the register in which the bidder has bid.',
  ),
  more: described(
    v.boolean(),
    'Whether there may be more: send the request again. It stays true for a bidder with 500 bids or more, of which only the newest are searched.',
  ),
  settledAt: described(
    MomentText,
    'When no bid that arrived before the refusal can still be recorded, in UTC. Send the request again after it.',
  ),
})

export const withdrawnEverywhereResource = ({
  auctions,
  more,
  settledAtMs,
}: WithdrawnEverywhere): v.InferInput<typeof WithdrawnEverywhereResource> => ({
  auctions: auctions.map(({ auctionId, outcome }) => ({ auctionId, outcome })),
  more,
  settledAt: isoOf(settledAtMs),
})
