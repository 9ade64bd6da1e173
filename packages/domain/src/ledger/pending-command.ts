import type { Command } from '../auction/commands.ts'
import type { Refusal } from '../auction/refusals.ts'
import type { AuctionId } from '../ids.ts'
import type { KeyReused, RequestKey } from '../request-key.ts'
import type { Result } from '../result.ts'
import type { Batch } from './batch.ts'
import type { Entry } from './entry.ts'

export type AuctionNotFound = { readonly code: 'auction-not-found'; readonly auctionId: AuctionId }

/** There is more to do than there is room for; it says nothing about the command itself, which may be tried again. */
export type Overloaded = { readonly code: 'overloaded' }

/** Why a command made no entry. */
export type CommandRefusal = Refusal | AuctionNotFound | KeyReused | Overloaded

export type CommandResult = Result<Entry, CommandRefusal>

/** How many commands are under way in all. */
export type Load = { commands: number }

/** A command on its way, with the promise that its caller waits on. */
export type PendingCommand = {
  readonly auctionId: AuctionId
  readonly command: Command
  readonly requestKey: RequestKey | undefined
  /** The number of the deadline clock's tick in which it arrived. */
  readonly arrivedInTick: number
  /** Counts the commands that are not settled. */
  readonly load: Load
  readonly resolve: (result: CommandResult) => void
  readonly reject: (error: unknown) => void
  /** How often another process was first. */
  conflicts: number
  /** The batch that its entry is in, on the way into the ledger. */
  batch: Batch | undefined
  /** Whether its key has to be looked up before it is decided: a twin of it was decided just now. */
  isTwin: boolean
  isSettled: boolean
}

export function settle(pending: PendingCommand, result: CommandResult): void {
  if (pending.isSettled) return
  pending.isSettled = true
  pending.load.commands -= 1
  pending.resolve(result)
}

export function fail(pending: PendingCommand, error: unknown): void {
  if (pending.isSettled) return
  pending.isSettled = true
  pending.load.commands -= 1
  pending.reject(error)
}
