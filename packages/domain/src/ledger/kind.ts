import type { Store } from '../store/store.ts'
import type { AuctionId, EntryId } from '../values/ids.ts'
import type { Result } from '../values/result.ts'
import type { LedgerEntry } from './entry.ts'

/** The types of a kind of ledger. */
export type LedgerTypes = {
  /** What is known of a ledger before its first entry. It never changes. */
  readonly terms: { readonly id: AuctionId }
  readonly state: unknown
  readonly command: { readonly type: string }
  /** The event of each type of command, and its refusals. */
  readonly decisions: { readonly [type: string]: { readonly event: unknown; readonly refusal: unknown } }
  /** The refusal of a command on a ledger that does not exist. */
  readonly notFound: { readonly code: string }
  readonly entry: LedgerEntry & { readonly event: unknown; readonly state: unknown }
}

type Decisions<Kind extends LedgerTypes> = Kind['decisions'][keyof Kind['decisions']]
export type EventOf<Kind extends LedgerTypes> = Decisions<Kind>['event']
export type RefusalOf<Kind extends LedgerTypes> = Decisions<Kind>['refusal']

/** An event, with the id, position and time of its entry, and the key of its request, if any. */
type Recording<Kind extends LedgerTypes> = Omit<LedgerEntry, 'auctionId' | 'kind'> & {
  readonly event: EventOf<Kind>
}

/** The event of a command, or its refusal. */
export type DecisionOf<
  Kind extends LedgerTypes,
  Type extends keyof Kind['decisions'] = keyof Kind['decisions'],
> = Result<Kind['decisions'][Type]['event'], Kind['decisions'][Type]['refusal']>

/** The last entry, after which a command is decided, or one that is proposed in the same round. */
export type GuardedHead<Kind extends LedgerTypes> = {
  readonly terms: Kind['terms']
  readonly sequence: number
  readonly state: Kind['state']
  /** Whether it was read, or stored, since the round began. */
  readonly isConfirmed: boolean
}

/**
 * What a use case adds to the rules, which know only terms, state, command and time: who may send the command, what its
 * sender expects of the state, or what other entries tell. It does so for the head after which the command is recorded.
 */
export type Guard<Kind extends LedgerTypes, Guarded extends Kind['command'] = Kind['command']> = {
  /**
   * Decides the command by the rules, or another one instead, or refuses it. Undefined if it waits for another head.
   */
  decide(
    head: GuardedHead<Kind>,
    byRules: (command?: Guarded) => DecisionOf<Kind, Guarded['type']>,
  ): DecisionOf<Kind, Guarded['type']> | undefined
  /**
   * Prepares the decision for a confirmed head of this sequence, when no other command precedes it. It must read
   * little, because the other commands of the lane wait. Undefined if it is prepared.
   */
  prepare?(sequence: number): Promise<void> | undefined
}

/** What lanes know of a kind of ledger. All functions but `load` are pure. */
export type LedgerKind<Kind extends LedgerTypes> = {
  /** The state of a ledger without entries. */
  initialState(terms: Kind['terms']): Kind['state']
  /** Reads the terms of a ledger. Undefined if it does not exist. */
  load(store: Store<Kind['entry']>, id: AuctionId): Promise<Kind['terms'] | undefined>
  notFound(id: AuctionId): Kind['notFound']
  decide(terms: Kind['terms'], state: Kind['state'], command: Kind['command'], atMs: number): DecisionOf<Kind>
  /** The entry that records an event, with the state after it. */
  entryOf(terms: Kind['terms'], before: Kind['state'], recording: Recording<Kind>): Kind['entry']
  /** The time of a command by the rules. */
  timeOf(terms: Kind['terms'], state: Kind['state'], command: Kind['command'], arrivedAtMs: number): number
  /** The event that a refused command records for its key, if it has one. Undefined for most refusals. */
  eventForKey(refusal: RefusalOf<Kind>): EventOf<Kind> | undefined
  /** Whether the refusal of a command holds for every later state, too. */
  isFinal(refusal: RefusalOf<Kind>, command: Kind['command']): boolean
  /** Whether the ledger never changes after this state. */
  isOver(state: Kind['state']): boolean
  /** The number of consecutive ids that an event takes, from that of its entry on. */
  idsOf(event: EventOf<Kind>, terms: Kind['terms']): 1 | 2
  /** Whether ids must not tell how many entries there are. */
  hasScatteredIds?(terms: Kind['terms']): boolean
  /** Whether an entry is the result of the same request. They have the same key, and so the same operation. */
  isResultOf(entry: Kind['entry'], command: Kind['command']): boolean
  /** The approximate memory of terms and a state, in bytes. */
  bytesOf(terms: Kind['terms'], state: Kind['state']): number
}

/** The cached data of a ledger: its terms, and the last entry that this process has read or stored. */
export type CachedLedger<Kind extends LedgerTypes> = {
  /** The terms as they were created. */
  readonly terms: Kind['terms']
  readonly sequence: number
  /** The id of the last entry, if there is one. */
  readonly id: EntryId | undefined
  /**
   * The time of the last entry. That of an auction's state is earlier if the entry only records the key of a repeated
   * cancellation.
   */
  readonly atMs: number
  readonly state: Kind['state']
}

export const cachedAt = <Kind extends LedgerTypes>(
  { initialState }: Pick<LedgerKind<Kind>, 'initialState'>,
  terms: Kind['terms'],
  head: Kind['entry'] | undefined,
): CachedLedger<Kind> =>
  head === undefined
    ? { terms, sequence: 0, id: undefined, atMs: 0, state: initialState(terms) }
    : { terms, sequence: head.sequence, id: head.id, atMs: head.atMs, state: head.state }
