import type { Terms } from '../auction/auction.ts'
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

/** Whether a user, who must be the owner, is. A caller without a user may change any auction. */
export const isOwner = ({ ownerId }: Pick<Terms, 'ownerId'>, userId: UserId | undefined): boolean =>
  userId === undefined || userId === ownerId
