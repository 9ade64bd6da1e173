import { show, type Violation } from '../history.ts'
import { isInconclusive } from './check-refusals.ts'
import type { Commands, Try } from './commands.ts'

/** The earliest time at which a thing can have been stored, and the time at which it certainly was. */
type Known = (id: number) => { readonly fromMs: number | undefined; readonly knownMs: number | undefined }

/**
 * A key makes one thing (5). The response to a try that is sent after the thing is certainly stored contains it, or
 * reports a reused key, which must be true (4).
 */
export function checkKeys({ kind, tries, made }: Commands, known: Known): Violation[] {
  const violations: Violation[] = []
  const report = (invariant: 4 | 5, message: string) => violations.push({ invariant, message })
  const madeBy = new Map<string, Commands['made'][number]>()
  for (const thing of made) {
    if (thing.key === undefined) continue
    const other = madeBy.get(thing.key)
    if (other === undefined) madeBy.set(thing.key, thing)
    else report(5, `key ${thing.key} made ${kind} ${other.id} and ${kind} ${thing.id}`)
  }
  const withResponse = new Map<string, number>()
  for (const { key, response } of tries) {
    if (key === undefined || response.outcome !== 'accepted') continue
    const id = withResponse.get(key) ?? response.id
    withResponse.set(key, id)
    if (id !== response.id) report(5, `key ${key} has responses with ${kind} ${id} and with ${kind} ${response.id}`)
  }
  for (const attempt of tries) {
    if (attempt.key === undefined) continue
    const thing = madeBy.get(attempt.key)
    const result = thing === undefined ? 'nothing' : `${kind} ${thing.id}`
    const message = `key ${attempt.key} has made ${result}, but has the response ${show(attempt.response)}`
    const { fromMs, knownMs } = thing === undefined ? nothing : known(thing.id)
    const isLater = attempt.sentAtMs > (knownMs ?? attempt.sentAtMs)
    if (thing !== undefined && isLater && !isNextAfter(attempt, thing.asksFor)) report(5, message)
    if (attempt.response.outcome !== 'refused' || attempt.response.code !== 'idempotency-key-reused') continue
    const isTrue = thing !== undefined && thing.asksFor !== attempt.asksFor && (fromMs ?? 0) <= attempt.respondedAtMs
    if (!isTrue) report(4, message)
  }
  return violations
}

const nothing = { fromMs: undefined, knownMs: undefined }

/**
 * The refusals of another request with the key. A request that is invalid in itself, or that is for no register, is
 * refused before its key is read.
 */
const ofOtherRequests: ReadonlySet<string> = new Set([
  ...['idempotency-key-reused', 'validation-failed', 'register-not-found'],
])

/** Returns whether a response is possible for a try with a key that has made something. */
function isNextAfter({ response, asksFor }: Try, made: string): boolean {
  switch (response.outcome) {
    case 'accepted': // Another thing is reported above.
    case 'unknown':
      return true
    case 'refused':
      return isInconclusive(response) || (ofOtherRequests.has(response.code) && asksFor !== made)
    default:
      return response satisfies never
  }
}
