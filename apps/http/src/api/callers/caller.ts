import { createHmac } from 'node:crypto'
import type { Claims } from '@auction/domain'
import type { AboveLimit, NotAdmitted, Viewer as Reading } from '@auction/domain/auction'
import type { AuctionId, UserId } from '@auction/domain/ids'
import type { Reader } from '@auction/domain/json'
import { type AmountMinor, type Currency, toDecimal } from '@auction/domain/money'
import { accepted, type Result, refused } from '@auction/domain/result'
import type { HostProblem } from '@auction/host/responses'
import type { Caller } from '@auction/host/security'
import type * as v from 'valibot'
import type { Configuration } from '../../configuration/configuration.ts'
import type { Permission } from '../../configuration/permissions.ts'

export type UserBinding = ReturnType<typeof createUserBinding>

/** A caller that may not do this. Another scope would not help, so the response does not ask for one. */
export type Forbidden = HostProblem & { readonly code: 'forbidden' }

/** Who changes an auction, for the ledger: staff need no user. */
export const editorOf = ({ userId, storedAs }: Caller): string => (userId === undefined ? storedAs : String(userId))

/** The refusal of what only owners may do without a permission, if the service does not know them. */
export const ownerUnknownFor = (what: string, permission: Permission): Forbidden => ({
  code: 'forbidden',
  message: `This service does not bind callers to users, so it does not know the owners; ${what} needs the permission ${permission}.`,
})

/** Binds callers to the users that their tokens identify. Unless this is configured, a caller may act for any user. */
export function createUserBinding({ tokens: { subjectClaim } }: Pick<Configuration, 'tokens'>) {
  const identifiesNone: Forbidden = {
    code: 'forbidden',
    message: `This token identifies no user; its claim "${subjectClaim}" must be a user id.`,
  }
  return {
    /** Returns the user that the caller is bound to, if callers are bound. */
    requesterOf: ({ userId }: Caller): Result<UserId | undefined, Forbidden> =>
      userId === undefined && subjectClaim !== undefined ? refused(identifiesNone) : accepted(userId),
    /** Returns the refusal of a caller that may not act for the user in a field of the body, if it may not. */
    refusalIfNotUser({ userId }: Caller, field: 'ownerId' | 'bidderId' | 'buyerId', id: UserId): Forbidden | undefined {
      if (subjectClaim === undefined || userId === id) return undefined
      if (userId === undefined) return identifiesNone
      const message = `This token identifies another user; ${field} must equal its claim "${subjectClaim}".`
      return { code: 'forbidden', message }
    },
  }
}

/** The caller that reads a response, which decides the fields that it contains. */
export type Viewer = Pick<Caller, 'userId' | 'permissions'> & {
  /** Undefined if all viewers see the ids of bidders. */
  readonly pseudonymOf: PseudonymOf | undefined
}

declare module '@auction/host/security' {
  interface CallerClaims {
    /** The user that the caller is bound to; undefined if callers are not bound, or the token identifies no user. */
    readonly userId: UserId | undefined
    /** The registers to which a claim of the token admits that user. */
    readonly admissions?: Claims | undefined
  }
}

type PseudonymOf = (auctionId: AuctionId, bidderId: UserId) => number

/** What a viewer may know of at all. */
export const readingAs = ({ userId, permissions }: Pick<Viewer, 'userId' | 'permissions'>): Required<Reading> => ({
  viewerId: userId,
  seesPrivate: permissions.has('Auctions.Manage'),
})

/** The viewers of a server, which have one secret for pseudonyms, or none. */
export function createViewers(pseudonymSecret: string | undefined) {
  const pseudonymOf = pseudonymSecret === undefined ? undefined : createPseudonyms(pseudonymSecret)
  const viewerOf = ({ userId, permissions }: Pick<Caller, 'userId' | 'permissions'>): Viewer => ({
    userId,
    permissions,
    pseudonymOf,
  })
  return { viewerOf, publicViewer: asPublic({ pseudonymOf }) }
}

/** A viewer who sees only what every reader may see. */
export const asPublic = ({ pseudonymOf }: Pick<Viewer, 'pseudonymOf'>): Viewer => ({
  userId: undefined,
  permissions: noPermissions,
  pseudonymOf,
})
const noPermissions: Viewer['permissions'] = new Set()

/** Pseudonyms are from -(2^53 - 1) to -1: still integers, and never the id of a user. */
function createPseudonyms(secret: string): PseudonymOf {
  const count = BigInt(Number.MAX_SAFE_INTEGER)
  return (auctionId, bidderId) => {
    const digest = createHmac('sha256', secret).update(`${auctionId}/${bidderId}`).digest()
    return -1 - Number(digest.readBigUInt64BE() % count)
  }
}

/**
 * A secret amount that its viewer may see. Resources have this type, so that any other amount does not
 * compile.
 */
export type ShownAmount = number & v.Brand<'ShownAmount'>

/** The only source of this type. */
const shown = (amountMinor: AmountMinor | undefined, currency: Currency): ShownAmount | undefined =>
  amountMinor === undefined ? undefined : (toDecimal(amountMinor, currency) as number as ShownAmount)

/** The owner and holders of the permission may see a reserve. If callers are not bound, the owner is unknown. */
const showReserve = (
  { userId, permissions }: Viewer,
  { ownerId, reservePriceMinor, currency }: Parameters<Reader['reserve']>[0],
): ShownAmount | undefined =>
  userId === ownerId || permissions.has('Auctions.Reserve.Read') ? shown(reservePriceMinor, currency) : undefined

/** Only the bidder may see a maximum. */
const showMaximum = (
  { userId }: Viewer,
  bidderId: UserId | undefined,
  maximumMinor: AmountMinor | undefined,
  currency: Currency,
): ShownAmount | undefined => (userId === bidderId ? shown(maximumMinor, currency) : undefined)

/**
 * With pseudonyms, only the bidder and holders of the permission may see which bids are the bidder's, including in
 * queries.
 */
export const maySeeBids = ({ userId, permissions, pseudonymOf }: Viewer, bidderId: UserId): boolean =>
  pseudonymOf === undefined || userId === bidderId || permissions.has('Bidders.Read')

export const hiddenBidder: Forbidden = {
  code: 'forbidden',
  message:
    'This service hides the ids of other bidders; bidderId must be the user of the token, or the token needs the permission Bidders.Read.',
}

/** What a register says of a user is for that user, and for staff. */
export const maySeeListed = ({ userId, permissions }: Viewer, bidderId: UserId): boolean =>
  userId === bidderId || permissions.has('Registers.Read')

type Barring = NotAdmitted | AboveLimit
const isBarring = (refusal: { readonly code: string }): refusal is Barring =>
  refusal.code === 'not-admitted' || refusal.code === 'above-limit'

/** The result of an offer without what the caller may not see of the register. */
export function asMayBeSeen<Given extends Result<unknown, { readonly code: string }>>(
  given: Given,
  viewer: Viewer,
): Given {
  if (given.ok || !isBarring(given.refusal) || maySeeListed(viewer, given.refusal.bidderId)) return given
  const { code, bidderId } = given.refusal
  const shown = code === 'not-admitted' ? { code, bidderId } : { code, bidderId, currency: given.refusal.currency }
  // The cast: what is left out is optional.
  return refused(shown) as object as Given
}

/** The id or the pseudonym of a bidder. Resources have this type, so that a `UserId` instead does not compile. */
export type ShownBidderId = number & v.Brand<'ShownBidderId'>

/** The cast: only this function and `ownPseudonym` make values of this type. */
export const showBidder = (viewer: Viewer, auctionId: AuctionId, bidderId: UserId): ShownBidderId =>
  (maySeeBids(viewer, bidderId) ? bidderId : viewer.pseudonymOf?.(auctionId, bidderId)) as number as ShownBidderId

/** The cast: others see it, so the viewer may. Undefined for a viewer who is no user, and if ids are visible to all. */
const ownPseudonym = ({ userId, pseudonymOf }: Viewer, auctionId: AuctionId): ShownBidderId | undefined =>
  (userId && pseudonymOf?.(auctionId, userId)) as ShownBidderId | undefined

/** What the viewer sees of auctions and bids. */
export const readerOf = (viewer: Viewer): Reader<ShownBidderId, ShownAmount> => ({
  userId: viewer.userId,
  bidder: (auctionId, bidderId) => showBidder(viewer, auctionId, bidderId),
  reserve: (auction) => showReserve(viewer, auction),
  maximum: (bidderId, maximumMinor, currency) => showMaximum(viewer, bidderId, maximumMinor, currency),
  pseudonym: (auctionId) => ownPseudonym(viewer, auctionId),
})
