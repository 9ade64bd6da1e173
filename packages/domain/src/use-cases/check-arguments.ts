import type { Terms } from '../auction/auction.ts'
import { notFound } from '../auction/auction-ledger.ts'
import { isHiddenFrom, type Viewer } from '../auction/privacy.ts'
import type { UserId } from '../values/ids.ts'
import { checkedValue } from '../values/parsing.ts'
import { textUpTo } from '../values/primitives.ts'
import { InvalidValueError } from '../values/validation.ts'

// Arguments have types, but programs in JavaScript can pass anything. The errors omit the value, which may be a secret.

/** @throws InvalidValueError */
export function requireObject(request: unknown, what: string): void {
  if (typeof request !== 'object' || request === null) throw new InvalidValueError(`${what} must be an object`)
}

/** @throws InvalidValueError that names the field */
export function requireId(id: unknown, field: string): void {
  if (Number.isSafeInteger(id) && Number(id) >= 1) return
  throw new InvalidValueError(`the ${field} must be an integer from 1 to ${Number.MAX_SAFE_INTEGER}`)
}

const Editor = textUpTo(100)

/** @throws InvalidValueError that names what it is the editor of */
export function requireEditor(editor: string | undefined, what: string): void {
  checkedValue(Editor, editor as string, `the editor of ${what}`) // Undefined is refused.
}

type Requester = Pick<Viewer, 'seesPrivate'> & {
  readonly requesterId?: UserId | undefined
  /** Whether they may change the auctions of others. */
  readonly mayChangeAny: boolean
}

/**
 * The refusal of a caller who must be the owner. A caller without a user may change any auction. Owners and staff may not
 * know of a private one.
 */
export function refusalIfNotOwner<Prevented extends string>(
  terms: Pick<Terms, 'id' | 'ownerId' | 'isPrivate' | 'offeredTo'>,
  { requesterId, seesPrivate, mayChangeAny }: Requester,
  prevents: Prevented,
) {
  if (isHiddenFrom(terms, { viewerId: requesterId, seesPrivate })) return notFound(terms.id)
  const isAllowed = mayChangeAny || requesterId === undefined || requesterId === terms.ownerId
  return isAllowed ? undefined : ({ code: 'not-the-owner', prevents } as const)
}
