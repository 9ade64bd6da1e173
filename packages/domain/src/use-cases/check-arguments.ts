import type { Clock } from '../clock.ts'
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
export function requireEditor(editor: string, what: string): void {
  checkedValue(Editor, editor, `the editor of ${what}`)
}

/**
 * When the request of a command had arrived: by default now, which is also the latest time that counts.
 * @throws InvalidValueError
 */
export function arrivalOf(arrivedAtMs: number | undefined, clock: Pick<Clock, 'nowMs'>): number {
  if (arrivedAtMs === undefined) return clock.nowMs()
  if (Number.isSafeInteger(arrivedAtMs) && arrivedAtMs >= 0) return Math.min(arrivedAtMs, clock.nowMs())
  throw new InvalidValueError('the arrival of a command must be a whole number of milliseconds since 1970')
}
