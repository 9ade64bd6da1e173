import { show, type Violation } from '../history.ts'
import { saysNothing } from './check-refusals.ts'
import type { Commands, Try } from './commands.ts'

/** Since when a thing may have been stored, and since when it surely was. */
export type Known = (id: number) => { readonly fromMs: number | undefined; readonly knownMs: number | undefined }

/**
 * One key, one thing (5). A try that is sent when the thing is surely stored is answered with it, or is told that it asks for
 * something else, which must be true (4).
 */
export function checkKeys({ kind, tries, made }: Commands, known: Known): Violation[] {
  const violations: Violation[] = []
  const madeBy = new Map<string, Commands['made'][number]>()
  for (const thing of made) {
    if (thing.key === undefined) continue
    const other = madeBy.get(thing.key)
    if (other === undefined) madeBy.set(thing.key, thing)
    else violations.push({ invariant: 5, message: `key ${thing.key} made ${kind} ${other.id} and ${kind} ${thing.id}` })
  }
  const told = new Map<string, number>()
  for (const { key, answer } of tries) {
    if (key === undefined || answer.outcome !== 'accepted') continue
    const id = told.get(key) ?? answer.id
    told.set(key, id)
    if (id !== answer.id) {
      violations.push({
        invariant: 5,
        message: `key ${key} was answered with ${kind} ${id} and with ${kind} ${answer.id}`,
      })
    }
  }
  for (const each of tries) {
    if (each.key === undefined) continue
    const thing = madeBy.get(each.key)
    const message = `key ${each.key} has made ${thing ? `${kind} ${thing.id}` : 'nothing'}, and was answered ${show(each.answer)}`
    const { fromMs, knownMs } = thing === undefined ? nothing : known(thing.id)
    if (thing !== undefined && each.sentAtMs > (knownMs ?? each.sentAtMs) && !isRightBehind(each, thing.asksFor)) {
      violations.push({ invariant: 5, message })
    }
    if (each.answer.outcome !== 'refused' || each.answer.code !== 'idempotency-key-reused') continue
    const isTrue = thing !== undefined && thing.asksFor !== each.asksFor && (fromMs ?? 0) <= each.answeredAtMs
    if (!isTrue) violations.push({ invariant: 4, message })
  }
  return violations
}

const nothing = { fromMs: undefined, knownMs: undefined }

/** Whether an answer may be given to a try of a key that has made something. */
function isRightBehind({ answer, asksFor }: Try, made: string): boolean {
  switch (answer.outcome) {
    case 'accepted': // With this very thing, or it is told above.
    case 'unknown':
      return true
    case 'refused':
      return saysNothing(answer) || (answer.code === 'idempotency-key-reused' && asksFor !== made)
    default:
      return answer satisfies never
  }
}
