import type { SafeObserver } from '../observer.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { CallSignal } from '../store/store.ts'
import type { TimeLimit, Waiter } from '../time-limit.ts'
import type { AuctionId } from '../values/ids.ts'
import type { KeyReused, RequestKey } from '../values/request-key.ts'
import type { Result } from '../values/result.ts'
import type { Guard, LedgerTypes, RefusalOf } from './kind.ts'

/** Too many commands are waiting. The command may be sent again. */
export type Overloaded = { readonly code: 'overloaded' }

/** The refusals that any command of any kind may get. */
export type LaneRefusal = KeyReused | Overloaded

/** The reasons why a command has no entry. */
export type RefusalOfCommand<Kind extends LedgerTypes> = RefusalOf<Kind> | Kind['notFound'] | LaneRefusal

export type CommandResult<Kind extends LedgerTypes> = Result<Kind['entry'], RefusalOfCommand<Kind>>

/** The state that the commands of all lanes share. */
export type CommandsInFlight = {
  /** The number of unsettled commands. */
  commands: number
  /** The time limit from arrival to result. */
  readonly limit: TimeLimit
  readonly observer: SafeObserver | undefined
}

/**
 * A write in progress, for the callers that wait for its entries. It is also the signal of the write: unsent writes
 * without waiting callers are dropped, so that they do not accumulate while a store hangs.
 */
export type Write = CallSignal & {
  readonly step: 'writing'
  /** The number of entries that callers still wait for. */
  awaited: number
  aborted: boolean
}

/** What happens to a command at the moment. */
export type CommandState =
  /** It waits to be decided. */
  | { readonly step: 'waiting' }
  /** It waits until its key is looked up, because another command with this key was proposed or stored. */
  | { readonly step: 'key-taken' }
  /** Its entry is being written. All commands of a write share this state. */
  | Write
  /** It is refused unless its key has an entry, which is being looked up. The round continues without it. */
  | { readonly step: 'refused' }
  | { readonly step: 'settled' }

export const waiting: CommandState = { step: 'waiting' }
export const keyTaken: CommandState = { step: 'key-taken' }
export const refusedByRules: CommandState = { step: 'refused' }
const settled: CommandState = { step: 'settled' }

/** A command in progress, with the promise of its caller. */
export type PendingCommand<Kind extends LedgerTypes> = Waiter & {
  readonly auctionId: AuctionId
  readonly command: Kind['command']
  readonly guard: Guard<Kind> | undefined
  readonly requestKey: RequestKey | undefined
  /** When its request had arrived, in milliseconds since 1970. It is decided for this time, however long it waits. */
  readonly arrivedAtMs: number
  readonly inFlight: CommandsInFlight
  readonly resolve: (result: CommandResult<Kind>) => void
  readonly reject: (error: unknown) => void
  /** The number of conflicts with other processes. */
  conflicts: number
  state: CommandState
}

/** A command with a key. */
export type KeyedCommand<Kind extends LedgerTypes> = PendingCommand<Kind> & { readonly requestKey: RequestKey }

export const isKeyed = <Kind extends LedgerTypes>(pending: PendingCommand<Kind>): pending is KeyedCommand<Kind> =>
  pending.requestKey !== undefined

export type PendingParts<Kind extends LedgerTypes> = Pick<
  PendingCommand<Kind>,
  'auctionId' | 'command' | 'guard' | 'requestKey' | 'arrivedAtMs' | 'inFlight' | 'resolve' | 'reject'
>

/** Counts the command as in progress, and starts its time limit. */
export function createPending<Kind extends LedgerTypes>(parts: PendingParts<Kind>): PendingCommand<Kind> {
  const pending: PendingCommand<Kind> = {
    ...parts,
    conflicts: 0,
    state: waiting,
    onLate: () => failLate(pending),
  }
  parts.inFlight.commands += 1
  parts.inFlight.limit.start(pending)
  return pending
}

function failLate<Kind extends LedgerTypes>(pending: PendingCommand<Kind>): void {
  const { state, inFlight } = pending
  const outcome = state.step === 'writing' ? 'unknown' : 'nothing-changed'
  if (state.step === 'writing') {
    state.awaited -= 1
    state.aborted = state.awaited === 0
  }
  inFlight.observer?.onDeadline(outcome)
  fail(pending, new StoreUnavailableError(`the store did not finish within ${inFlight.limit.ms} ms`, { outcome }))
}

export function settle<Kind extends LedgerTypes>(pending: PendingCommand<Kind>, result: CommandResult<Kind>): void {
  if (end(pending)) pending.resolve(result)
}

export function fail<Kind extends LedgerTypes>(pending: PendingCommand<Kind>, error: unknown): void {
  if (end(pending)) pending.reject(error)
}

function end<Kind extends LedgerTypes>(pending: PendingCommand<Kind>): boolean {
  if (pending.state.step === 'settled') return false
  pending.state = settled
  pending.inFlight.commands -= 1
  pending.inFlight.limit.end(pending)
  return true
}
