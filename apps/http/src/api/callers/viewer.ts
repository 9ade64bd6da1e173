import type { Auction, Bid } from '@auction/domain/auction'
import type { UserId } from '@auction/domain/ids'

/** The caller that reads a response, which decides the fields that it contains. */
export type Viewer = {
  /** The user that the caller is bound to; undefined if callers are not bound, or the token identifies no user. */
  readonly userId: UserId | undefined
  readonly permissions: ReadonlySet<string>
}

declare module '../../host/security/callers.ts' {
  interface CallerClaims {
    /** The user that the token identifies. */
    readonly userId: UserId | undefined
  }
}

/** The owner and holders of the permission may see a reserve. If callers are not bound, the owner is unknown. */
export const maySeeReserve = ({ userId, permissions }: Viewer, { ownerId }: Pick<Auction, 'ownerId'>): boolean =>
  userId === ownerId || permissions.has('Auctions.Reserve.Read')

/** Only the bidder may see a maximum. */
export const maySeeMaximum = ({ userId }: Viewer, { bidderId }: Pick<Bid, 'bidderId'>): boolean => userId === bidderId
