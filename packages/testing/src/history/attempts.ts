import type { AuctionId } from '@auction/domain/ids'
import type { RequestKey } from '@auction/domain/request-key'
import type { Attempt, History, RepairAttempt, ReserveReductionOf } from '../history.ts'

export type AttemptOf<Type extends Attempt['type']> = Extract<Attempt, { readonly type: Type }>

/** A request for a change of an auction. */
export type CommandAttempt =
  | AttemptOf<'place-bid'>
  | AttemptOf<'buy-now'>
  | AttemptOf<'withdraw-own-bid'>
  | AttemptOf<'cancel-auction'>
  | AttemptOf<'correct-auction'>
  | RepairAttempt

export const attemptsTo = <Type extends Attempt['type']>(
  { attempts }: History,
  type: Type,
): readonly AttemptOf<Type>[] => attempts.filter((attempt): attempt is AttemptOf<Type> => attempt.type === type)

/** The client's part of a request's key: the last one, without a space. */
export const clientKey = (key: RequestKey | undefined): string | undefined => key?.split(' ').at(-1)

/** Returns whether a cancellation needs neither the owner nor an auction without bids. */
export const isForced = ({ mayForce, reason }: AttemptOf<'cancel-auction'>['cancellation']): boolean =>
  mayForce === true && reason !== undefined

/** Who lowers a reserve: an owner who may lower any does so as staff, with a reason. */
export const lowererOf = ({ requesterId, mayLowerAny, reason }: ReserveReductionOf, ownerId: number | undefined) =>
  requesterId === ownerId && requesterId !== undefined && !(mayLowerAny === true && reason !== undefined)
    ? 'owner'
    : 'staff'

export function auctionAskedFor(attempt: Attempt): AuctionId | undefined {
  if ('repair' in attempt) return attempt.repair.auctionId
  if ('bid' in attempt) return attempt.bid.auctionId
  if ('purchase' in attempt) return attempt.purchase.auctionId
  if ('withdrawal' in attempt) return attempt.withdrawal.auctionId
  if ('cancellation' in attempt) return attempt.cancellation.auctionId
  if ('correction' in attempt) return attempt.correction.auctionId
  return attempt.type === 'read-auction' ? attempt.auctionId : undefined
}
