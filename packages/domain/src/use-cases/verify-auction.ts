import { type Terms, termsOf } from '../auction/auction.ts'
import type { Command } from '../auction/commands.ts'
import { decide } from '../auction/decide.ts'
import type { Entry } from '../auction/entry.ts'
import { recordedCommand } from '../auction/recorded-command.ts'
import { evolve, initialState } from '../auction/state.ts'
import { continued, withoutBidder } from '../auction/without-bidder.ts'
import type { AuctionNotFound } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import { defined } from '../values/defined.ts'
import type { AuctionId } from '../values/ids.ts'
import { isPlainObject } from '../values/parsing.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { requireId } from './check-arguments.ts'
import { readLedger } from './read-ledger.ts'

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

type VerifiedStore = Pick<Store, 'findAuctions' | 'findHeads' | 'listEntries'>

/**
 * Verifies the ledger of an auction: whether `decide` and `evolve` of this version give every entry again, from its request, its
 * time and the entry before it. Reads the entries up to the last one at the time of the call, a page at a time, and writes
 * nothing. The result is for operators, because it may contain secrets.
 * @throws InvalidValueError for an invalid id
 * @throws StoreUnavailableError, and UnreadableStoredError if this version cannot read an entry
 */
export async function verifyAuction(
  store: VerifiedStore,
  auctionId: AuctionId,
): Promise<Result<Verification, AuctionNotFound>> {
  requireId(auctionId, 'id of a verified auction')
  const [[found], [head]] = await Promise.all([store.findAuctions({ ids: [auctionId] }), store.findHeads([auctionId])])
  if (found === undefined) return refused({ code: 'auction-not-found', auctionId })
  const terms = termsOf(found.auction)
  const last = head?.sequence ?? 0
  let before: Before = { sequence: 0, atMs: 0, state: initialState }
  for await (const entry of readLedger(store, auctionId, last)) {
    const command = await commandOf(store, terms, before, entry)
    const difference = differenceAt(terms, before, entry, command)
    if (difference !== undefined) return accepted({ entries: before.sequence, difference })
    before = entry
  }
  const { sequence } = before
  const missing = { sequence: sequence + 1, recorded: undefined, recomputed: { sequence: sequence + 1 } }
  return accepted({ entries: sequence, difference: sequence < last ? missing : undefined })
}

/** The entry before another one, or what is before the first. */
type Before = Pick<Entry, 'sequence' | 'atMs' | 'state'>

/** A withdrawal contains what is left without the bids, for which the ledger up to it is read again. */
async function commandOf(
  store: VerifiedStore,
  terms: Terms,
  { sequence, state }: Before,
  entry: Entry,
): Promise<Command> {
  const command = recordedCommand(entry)
  if (command.type !== 'withdraw') return command
  let without = withoutBidder(terms, command.bidderId, state)
  for await (const earlier of readLedger(store, terms.id, sequence)) without = continued(without, [earlier])
  const { hasBids, leader, bidCount } = without
  return { ...command, without: hasBids ? { leader, bidCount } : undefined }
}

function differenceAt(terms: Terms, before: Before, entry: Entry, command: Command): LedgerDifference | undefined {
  const { id, sequence, event } = entry
  const atMs = Math.max(entry.atMs, before.atMs)
  const decision = decide(terms, before.state, command, atMs)
  if (!decision.ok) return { sequence, recorded: { event }, recomputed: { refusal: decision.refusal } }
  const recomputed = {
    auctionId: terms.id,
    sequence: before.sequence + 1,
    atMs,
    currency: terms.currency,
    event: decision.value,
    state: evolve(before.state, { id, sequence, atMs, event: decision.value }),
  }
  const { id: _, requestKey: __, ...recorded } = entry
  const sides = differingMembers(recorded, recomputed)
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
