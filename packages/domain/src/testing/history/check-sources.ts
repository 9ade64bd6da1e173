import type { History, Violation } from '../history.ts'
import type { Commands, Made, Try } from './commands.ts'

/** Since when a thing can have been stored: since a client asked for it. Undefined when nobody is left to have asked. */
export type Sources = ReadonlyMap<number, number | undefined>

/**
 * Whose request each thing was made of. The tries of one key are one request, and each request makes one thing at the most: what
 * it was told of, or if it was never told of any, one of those that nobody was told of. A refused try makes none. What is shared may
 * be of somebody who was not told of it, though others were.
 */
export function sourcesOf({ tries, made, isShared }: Commands): Sources {
  const { keyed, told, untold } = byRequest(tries)
  return new Map(
    made.map((thing) => {
      const candidates =
        thing.key !== undefined
          ? keyed.get(thing.key)
          : isShared
            ? [...(told.get(thing.id) ?? []), ...(untold.get(thing.asksFor) ?? [])]
            : (told.get(thing.id) ?? untold.get(thing.asksFor)?.splice(0, 1))
      const able = (candidates ?? []).filter((each) => each.asksFor === thing.asksFor && canHaveMade(each, thing))
      return [thing.id, able.length === 0 ? undefined : Math.min(...able.map(({ sentAtMs }) => sentAtMs))]
    }),
  )
}

function byRequest(tries: readonly Try[]) {
  const keyed = new Map<string, Try[]>()
  const told = new Map<number, Try[]>()
  const untold = new Map<string, Try[]>()
  for (const each of tries) {
    if (each.key !== undefined) pushTo(keyed, each.key, each)
    else if (each.answer.outcome === 'accepted') pushTo(told, each.answer.id, each)
    else if (each.answer.outcome === 'unknown') pushTo(untold, each.asksFor, each)
  }
  // Which of several equal requests made a thing is not known; the earliest can have made any of them.
  for (const equal of untold.values()) equal.sort((a, b) => a.sentAtMs - b.sentAtMs)
  return { keyed, told, untold }
}

function pushTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}

const canHaveMade = ({ answer, isForeign }: Try, { id }: Made): boolean =>
  !isForeign && (answer.outcome === 'unknown' || (answer.outcome === 'accepted' && answer.id === id))

/** Every accepted request is stored once, as it was answered, and nothing else is stored (1), at a time at which it was asked for (3). */
export function checkSources(commands: Commands, sources: Sources, { clockErrorMs }: History): Violation[] {
  const { kind, tries, made, isShared } = commands
  const violations: Violation[] = []
  const stored = new Map<number, Made>()
  const requestOf = new Map<number, unknown>()
  for (const thing of made) {
    if (stored.has(thing.id)) violations.push({ invariant: 1, message: `${kind} ${thing.id} is stored twice` })
    stored.set(thing.id, thing)
    const sinceMs = sources.get(thing.id)
    if (sinceMs === undefined) {
      const message = `${kind} ${thing.id} is stored, and nobody is left to have asked for it: ${thing.as}`
      violations.push({ invariant: 1, message })
    } else if (thing.atMs < sinceMs - clockErrorMs) {
      violations.push({ invariant: 3, message: `${kind} ${thing.id} is of ${thing.atMs}, and was sent at ${sinceMs}` })
    }
  }
  for (const each of tries) {
    const { answer, asksFor, key, answeredAtMs } = each
    if (answer.outcome !== 'accepted') continue
    const { id, as } = answer
    const thing = stored.get(id)
    const isSharedOut = !isShared && requestOf.has(id) && requestOf.get(id) !== (key ?? each)
    requestOf.set(id, key ?? each)
    const fault =
      thing === undefined
        ? 'is not stored'
        : thing.as !== as
          ? `is stored as ${thing.as}`
          : (!isShared || key !== undefined) && thing.asksFor !== asksFor
            ? `was asked for as ${asksFor}`
            : isSharedOut
              ? 'was accepted for another request, too'
              : undefined
    if (fault !== undefined)
      violations.push({ invariant: 1, message: `${kind} ${id} was accepted as ${as}, and ${fault}` })
    else if (thing !== undefined && thing.atMs > answeredAtMs + clockErrorMs) {
      violations.push({
        invariant: 3,
        message: `${kind} ${id} is of ${thing.atMs}, and was answered at ${answeredAtMs}`,
      })
    }
  }
  return violations
}
