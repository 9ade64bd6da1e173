import type { Command } from '../auction/commands.ts'
import type { Refusal } from '../auction/refusals.ts'
import type { AuctionId } from '../ids.ts'
import type { SafeObserver } from '../observer.ts'
import type { KeyReused, RequestKey } from '../request-key.ts'
import type { Result } from '../result.ts'
import type { CallSignal } from '../store.ts'
import { StoreUnavailableError } from '../store-unavailable.ts'
import type { TimeLimit, Waiter } from '../time-limit.ts'
import type { Entry } from './entry.ts'

export type AuctionNotFound = { readonly code: 'auction-not-found'; readonly auctionId: AuctionId }

/** There is more to do than there is room for; it says nothing about the command itself, which may be tried again. */
export type Overloaded = { readonly code: 'overloaded' }

/** Why a command made no entry. */
export type CommandRefusal = Refusal | AuctionNotFound | KeyReused | Overloaded

export type CommandResult = Result<Entry, CommandRefusal>

/** What the commands of all lanes share. */
export type InFlight = {
  /** How many are not settled. */
  commands: number
  /** From a command's arrival to its answer. */
  readonly limit: TimeLimit
  readonly observer: SafeObserver | undefined
}

/** A write on its way into the ledger, as whoever waits for an entry of it sees it. It is the signal of the write as well. */
export type Write = CallSignal & {
  /** How many of its entries somebody still waits for. */
  awaited: number
}

export const createWrite = (awaited: number): Write => ({
  awaited,
  // What is not sent yet is not sent for nobody: a store that hangs would let it pile up.
  get aborted() {
    return this.awaited === 0
  },
})

/** A command on its way, with the promise that its caller waits on. */
export type PendingCommand = Waiter & {
  readonly auctionId: AuctionId
  readonly command: Command
  readonly requestKey: RequestKey | undefined
  readonly inFlight: InFlight
  readonly resolve: (result: CommandResult) => void
  readonly reject: (error: unknown) => void
  /** How often another process was first. */
  conflicts: number
  /** The write that its entry is in. */
  write: Write | undefined
  /** Whether its key has to be looked up before it is decided: a command with the same key was decided just now. */
  hasDuplicateKey: boolean
  /** Whether it is refused, unless its key turns out to have made an entry: the round goes on without it. */
  isRefused: boolean
  isSettled: boolean
}

export type PendingParts = Pick<
  PendingCommand,
  'auctionId' | 'command' | 'requestKey' | 'inFlight' | 'resolve' | 'reject'
>

/** Counts the command as under way, and starts its time. */
export function createPending({ inFlight, ...parts }: PendingParts): PendingCommand {
  const pending: PendingCommand = {
    ...parts,
    inFlight,
    conflicts: 0,
    write: undefined,
    hasDuplicateKey: false,
    isRefused: false,
    isSettled: false,
    onLate() {
      const outcome = pending.write === undefined ? 'nothing-changed' : 'unknown'
      if (pending.write !== undefined) pending.write.awaited -= 1
      inFlight.observer?.onDeadline(outcome)
      fail(pending, new StoreUnavailableError(`the store has not done it within ${inFlight.limit.ms} ms`, { outcome }))
    },
  }
  inFlight.commands += 1
  inFlight.limit.start(pending)
  return pending
}

export function settle(pending: PendingCommand, result: CommandResult): void {
  if (end(pending)) pending.resolve(result)
}

export function fail(pending: PendingCommand, error: unknown): void {
  if (end(pending)) pending.reject(error)
}

function end(pending: PendingCommand): boolean {
  if (pending.isSettled) return false
  pending.isSettled = true
  pending.inFlight.commands -= 1
  pending.inFlight.limit.end(pending)
  return true
}
