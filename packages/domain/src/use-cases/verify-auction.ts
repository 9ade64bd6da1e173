import { type Terms, termsOf } from '../auction/auction.ts'
import { type AuctionNotFound, auctionLedger } from '../auction/auction-ledger.ts'
import type { Command } from '../auction/commands.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import type { Tally } from '../auction/formats/format.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { recordedCommand } from '../auction/recorded-command.ts'
import { openedEntry } from '../auction/sealed-entry.ts'
import { continued, standingWithout, withoutBidder } from '../auction/without-bidder.ts'
import type { LedgerKind, LedgerTypes } from '../ledger/kind.ts'
import { noSealer, type Sealer } from '../sealer.ts'
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
 * Verifies the ledger of an auction: whether `decide` and `evolve` of this version give every entry again, from its
 * request, its time and the entry before it. Reads the entries up to the last one at the time of the call, a page at a
 * time, and writes nothing. The result is for operators, because it may contain secrets.
 * The result of a sealed auction is tallied again, from its opened bids.
 * @throws InvalidValueError for an invalid id
 * @throws SealedError and KeyMissingError, if a sealed bid cannot be opened
 * @throws StoreUnavailableError, and UnreadableStoredError if this version cannot read an entry
 */
export async function verifyAuction(
  store: VerifiedStore,
  auctionId: AuctionId,
  sealer: Sealer = noSealer,
): Promise<Result<Verification, AuctionNotFound>> {
  requireId(auctionId, 'id of a verified auction')
  const [[found], [head]] = await Promise.all([store.findAuctions({ ids: [auctionId] }), store.findHeads([auctionId])])
  if (found === undefined) return refused({ code: 'auction-not-found', auctionId })
  const terms = termsOf(found.auction)
  const last = head?.sequence ?? 0
  const tally = formatOf(terms).createTally?.()
  const entries = openedLedger(store, terms, last, sealer)
  const verified = verifyLedger(auctionLedger, entries, terms, last, async (before, entry) => {
    const command = await commandOf(store, terms, before, entry, tally)
    tally?.add(entry)
    return command
  })
  return accepted(await verified)
}

/** The entry before another one, or what is before the first. */
type Before<Kind extends LedgerTypes> = Pick<Kind['entry'], 'sequence' | 'atMs' | 'state'>

async function* openedLedger(store: VerifiedStore, { id }: Terms, last: number, sealer: Sealer) {
  for await (const entry of readLedger(store, id, last)) yield openedEntry(entry, sealer)
}

/** Verifies the entries of a ledger up to a sequence. `commandOf` returns the command that an entry records. */
async function verifyLedger<Kind extends LedgerTypes>(
  kind: LedgerKind<Kind>,
  entries: AsyncIterable<Kind['entry']>,
  terms: Kind['terms'],
  last: number,
  commandOf: (before: Before<Kind>, entry: Kind['entry']) => Promise<Kind['command']>,
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

/**
 * A withdrawal contains what is left without the bids, for which the ledger up to it is read again, unless a tally of
 * the bids before the entry has it.
 */
async function commandOf(
  store: VerifiedStore,
  terms: Terms,
  { sequence, state }: Pick<AuctionEntry, 'sequence' | 'state'>,
  entry: AuctionEntry,
  tally: Tally<AuctionEntry> | undefined,
): Promise<Command> {
  const command = recordedCommand(entry)
  if (tally !== undefined && command.type === 'close') return { ...command, tally }
  if (tally !== undefined && command.type === 'withdraw-own-bid')
    return { ...command, hasBids: tally.hasBids(command.bidderId) }
  if (command.type !== 'withdraw' || tally !== undefined) return command
  let without = withoutBidder(terms, command.bidderId, state)
  for await (const earlier of readLedger(store, terms.id, sequence)) without = continued(without, [earlier])
  return { ...command, without: standingWithout(without) }
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
