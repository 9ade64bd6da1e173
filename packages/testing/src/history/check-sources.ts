import type { History, Violation } from '../history.ts'
import type { Commands, Made, Try } from './commands.ts'

/** The time when a request was first sent, and by which one of its tries had arrived: infinite if no response tells. */
type Source = { readonly sentAtMs: number; readonly arrivedByMs: number }

/** The requests of things, by their ids. Undefined without a possible request. */
export type Sources = ReadonlyMap<number, Source | undefined>

/**
 * The request that made each thing. The tries of one key are one request, and each request makes at most one thing: the
 * one in its response, or if it has no response, one of the things that no response contains. A refused try makes none.
 * A shared thing may come from a request without a response, even if it is in the responses to others.
 */
export function sourcesOf({ tries, made, isShared }: Commands): Sources {
  const { keyed, withResponse, withoutResponse } = byRequest(tries)
  return new Map(
    made.map((thing) => {
      const candidates =
        thing.key !== undefined
          ? keyed.get(thing.key)
          : isShared
            ? [...(withResponse.get(thing.id) ?? []), ...(withoutResponse.get(thing.asksFor) ?? [])]
            : (withResponse.get(thing.id) ?? withoutResponse.get(thing.asksFor)?.splice(0, 1))
      const able = (candidates ?? []).filter(
        (attempt) => attempt.asksFor === thing.asksFor && canHaveMade(attempt, thing),
      )
      return [thing.id, able.length === 0 ? undefined : sourceOf(able)]
    }),
  )
}

const sourceOf = (tries: readonly Try[]): Source => ({
  sentAtMs: Math.min(...tries.map(({ sentAtMs }) => sentAtMs)),
  arrivedByMs: Math.max(...tries.map(arrivedByMs)),
})

function arrivedByMs({ key, response, respondedAtMs, arrivedAtMs }: Try): number {
  const isUnknown = response.outcome !== 'accepted'
  // An equal request without a response may have made the thing as well.
  if (isUnknown && key === undefined) return Number.POSITIVE_INFINITY
  return arrivedAtMs ?? (isUnknown ? Number.POSITIVE_INFINITY : respondedAtMs)
}

function byRequest(tries: readonly Try[]) {
  const keyed = new Map<string, Try[]>()
  const withResponse = new Map<number, Try[]>()
  const withoutResponse = new Map<string, Try[]>()
  for (const attempt of tries) {
    if (attempt.key !== undefined) pushTo(keyed, attempt.key, attempt)
    else if (attempt.response.outcome === 'accepted') pushTo(withResponse, attempt.response.id, attempt)
    else if (attempt.response.outcome === 'unknown') pushTo(withoutResponse, attempt.asksFor, attempt)
  }
  // It is unknown which of several equal requests made a thing; the earliest can have made any of them.
  for (const equal of withoutResponse.values()) equal.sort((a, b) => a.sentAtMs - b.sentAtMs)
  return { keyed, withResponse, withoutResponse }
}

function pushTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}

const canHaveMade = ({ response, isForeign }: Try, { id }: Made): boolean =>
  !isForeign && (response.outcome === 'unknown' || (response.outcome === 'accepted' && response.id === id))

/**
 * Accepted requests are stored once, as in their responses, and nothing else is (1). No time is before its request (3).
 */
export function checkSources(commands: Commands, sources: Sources, { clockErrorMs }: History): Violation[] {
  const { kind, tries, made, isShared } = commands
  const violations: Violation[] = []
  const report = (invariant: 1 | 3, message: string) => violations.push({ invariant, message })
  const stored = new Map<number, Made>()
  const requestOf = new Map<number, unknown>()
  for (const thing of made) {
    if (stored.has(thing.id)) report(1, `${kind} ${thing.id} is stored twice`)
    stored.set(thing.id, thing)
    const source = sources.get(thing.id)
    if (source === undefined) {
      report(1, `${kind} ${thing.id} is stored without ${lackOf(thing, tries)}: ${thing.as}`)
    } else if (thing.mayPrecede !== true && thing.atMs < source.sentAtMs - clockErrorMs) {
      report(3, `${kind} ${thing.id} has the time ${thing.atMs}, before its request at ${source.sentAtMs}`)
    }
  }
  for (const attempt of tries) {
    const { response, asksFor, key, respondedAtMs } = attempt
    if (response.outcome !== 'accepted') continue
    const { id, as } = response
    const thing = stored.get(id)
    const isSharedOut = !isShared && requestOf.has(id) && requestOf.get(id) !== (key ?? attempt)
    requestOf.set(id, key ?? attempt)
    const finding =
      thing === undefined
        ? 'is not stored'
        : thing.as !== as
          ? `is stored as ${thing.as}`
          : (!isShared || key !== undefined) && thing.asksFor !== asksFor
            ? `was requested as ${asksFor}`
            : isSharedOut
              ? 'was also accepted for another request'
              : undefined
    if (finding !== undefined) report(1, `${kind} ${id} was accepted as ${as}, and ${finding}`)
    else if (thing !== undefined && thing.atMs > respondedAtMs + clockErrorMs) {
      report(3, `${kind} ${id} has the time ${thing.atMs}, after its response at ${respondedAtMs}`)
    }
  }
  return violations
}

/** What a thing lacks to be that of a request. A thing of a request with a key must be stored with the key. */
function lackOf({ id, key }: Made, tries: readonly Try[]): string {
  if (key !== undefined) return `a request for it with its key ${key}`
  const keyed = tries.find((attempt) => attempt.response.outcome === 'accepted' && attempt.response.id === id)?.key
  return keyed === undefined ? 'a request for it' : `the key ${keyed} of its request`
}
