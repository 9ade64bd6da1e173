import type { LedgerKind, LedgerTypes } from '../ledger/kind.ts'
import { defined } from '../values/defined.ts'
import { isPlainObject } from '../values/parsing.ts'
import { accepted } from '../values/result.ts'

// What the verification of ledgers of all kinds shares.

/** An entry that the rules do not give again. */
export type LedgerDifference = {
  readonly sequence: number
  /** The members of the entry that differ, as they are recorded. They may be secrets: maximums, or the reserve. */
  readonly recorded: unknown
  /** The same members as the rules give them, or `refusal`, if they refuse the request. */
  readonly recomputed: unknown
}

export type Verification = {
  /** The number of entries that were verified, without the one that differs. */
  readonly entries: number
  /** The first difference. Undefined if the rules give every entry again. */
  readonly difference: LedgerDifference | undefined
}

/** The entry before another one, or what is before the first. */
type Before<Kind extends LedgerTypes> = Pick<Kind['entry'], 'sequence' | 'atMs' | 'state'>

/** Verifies the entries of a ledger up to a sequence. `commandOf` returns the command that an entry records. */
export async function verifyLedger<Kind extends LedgerTypes>(
  kind: LedgerKind<Kind>,
  entries: AsyncIterable<Kind['entry']>,
  terms: Kind['terms'],
  last: number,
  commandOf: (before: Before<Kind>, entry: Kind['entry']) => Kind['command'] | Promise<Kind['command']>,
): Promise<Verification> {
  let before: Before<Kind> = { sequence: 0, atMs: 0, state: kind.initialState(terms) }
  for await (const entry of entries) {
    const difference = differenceAt(kind, terms, before, entry, await commandOf(before, entry))
    if (difference !== undefined) return { entries: before.sequence, difference }
    before = entry
  }
  const { sequence } = before
  const missing = { sequence: sequence + 1, recorded: undefined, recomputed: { sequence: sequence + 1 } }
  return { entries: sequence, difference: sequence < last ? missing : undefined }
}

function differenceAt<Kind extends LedgerTypes>(
  kind: LedgerKind<Kind>,
  terms: Kind['terms'],
  before: Before<Kind>,
  entry: Kind['entry'],
  command: Kind['command'],
): LedgerDifference | undefined {
  const { id, sequence, event } = entry
  const atMs = Math.max(entry.atMs, before.atMs)
  const decided = kind.decide(terms, before.state, command, atMs)
  const forKey = decided.ok || entry.requestKey === undefined ? undefined : kind.eventForKey(decided.refusal)
  const decision = forKey === undefined ? decided : accepted(forKey)
  if (!decision.ok) return { sequence, recorded: { event }, recomputed: { refusal: decision.refusal } }
  // The id and the key follow from no rule.
  const recording = { ...defined({ requestKey: entry.requestKey }), id, sequence: before.sequence + 1, atMs }
  const recomputed = kind.entryOf(terms, before.state, { ...recording, event: decision.value })
  const sides = differingMembers(entry, recomputed)
  return sides && { sequence, ...sides }
}

type Sides = Pick<LedgerDifference, 'recorded' | 'recomputed'>

/** What differs of two values: of objects, the members that do. Undefined if nothing does. */
function differenceBetween(recorded: unknown, recomputed: unknown): Sides | undefined {
  if (isPlainObject(recorded) && isPlainObject(recomputed)) return differingMembers(recorded, recomputed)
  return recorded === recomputed || JSON.stringify(recorded) === JSON.stringify(recomputed)
    ? undefined
    : { recorded, recomputed }
}

function differingMembers(
  recorded: Readonly<Record<string, unknown>>,
  recomputed: Readonly<Record<string, unknown>>,
): Sides | undefined {
  const names = new Set([...Object.keys(recorded), ...Object.keys(recomputed)])
  const differing = [...names].flatMap((name) => {
    const difference = differenceBetween(recorded[name], recomputed[name])
    return difference === undefined ? [] : [[name, difference] as const]
  })
  if (differing.length === 0) return undefined
  return {
    recorded: defined(Object.fromEntries(differing.map(([name, sides]) => [name, sides.recorded]))),
    recomputed: defined(Object.fromEntries(differing.map(([name, sides]) => [name, sides.recomputed]))),
  }
}
