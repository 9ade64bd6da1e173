import type { Auction } from '@auction/domain/auction/auction'
import type { Bid } from '@auction/domain/auction/bid'
import type { UserId } from '@auction/domain/ids'
import type { Permission } from '@auction/domain/permissions'

/** Whoever reads an answer, as far as that decides what stands there. */
export type Viewer = {
  /** The user to whom its token binds it; undefined where callers are not bound, or where the token names no user. */
  readonly userId: UserId | undefined
  readonly permissions: ReadonlySet<Permission>
}

/** A reserve is for the owner, and for those who hold the permission. Where callers are not bound, nobody is known to be the owner. */
export const maySeeReserve = ({ userId, permissions }: Viewer, { ownerId }: Pick<Auction, 'ownerId'>): boolean =>
  userId === ownerId || permissions.has('Auctions.Reserve.Read')

/** A maximum is for its bidder alone. */
export const maySeeMaximum = ({ userId }: Viewer, { bidderId }: Pick<Bid, 'bidderId'>): boolean => userId === bidderId
