import type { UserId } from '../values/ids.ts'
import type { AuctionResult } from './state.ts'

export const standings = ['leading', 'outbid', 'won', 'lost', 'cancelled'] as const

/** The standing of a bidder in an auction. It describes the bidder and not a bid: a bidder also leads by an automatic bid. */
export type Standing = (typeof standings)[number]

/** The leader and the final result of an auction, as a view has them. */
type Outcome = { readonly leaderId: UserId | undefined; readonly result: AuctionResult | undefined }

/**
 * The standing of a user who has bid. Without a result, which includes the time between the end and its recording, the leader is `leading`
 * and others are `outbid`. With one, the user who gets the product has `won`; an auction that is unsold because of its reserve is `lost`,
 * even for its leader.
 */
export function standingOf(bidderId: UserId, { leaderId, result }: Outcome): Standing {
  if (result === undefined) return bidderId === leaderId ? 'leading' : 'outbid'
  switch (result.outcome) {
    case 'sold':
      return bidderId === result.winnerId ? 'won' : 'lost'
    case 'bought':
      return bidderId === result.buyerId ? 'won' : 'lost'
    case 'unsold':
      return 'lost'
    case 'cancelled':
      return 'cancelled'
    default:
      return result satisfies never
  }
}
