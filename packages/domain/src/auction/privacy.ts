import type { UserId } from '../values/ids.ts'
import type { Command } from './commands.ts'
import type { CommonTerms } from './common-terms.ts'

/** Who reads. Without members: everyone. */
export type Viewer = {
  /** The user who reads. */
  readonly viewerId?: UserId | undefined
  /** Whether the reader, as staff, sees auctions of which others may not know. */
  readonly seesPrivate?: boolean | undefined
}

type Private = Pick<CommonTerms, 'isPrivate' | 'offeredTo'>

/** Whether the auction does not exist for a reader. */
export const isHiddenFrom = ({ isPrivate, offeredTo }: Private, { viewerId, seesPrivate }: Viewer): boolean =>
  isPrivate === true && seesPrivate !== true && viewerId !== offeredTo

/** Whether the auction does not exist for the bidder of a command. Use cases check who sends the other commands. */
export function isHiddenFromBidder(terms: Private, command: Command): boolean {
  switch (command.type) {
    case 'place-bid':
    case 'withdraw-own-bid':
      return isHiddenFrom(terms, { viewerId: command.bidderId })
    case 'buy-now':
      return isHiddenFrom(terms, { viewerId: command.buyerId })
    default:
      return false
  }
}
