import { canonicalJson } from '../values/canonical-json.ts'
import { defined } from '../values/defined.ts'
import type { Command } from './commands.ts'
import { correctionOf } from './correction.ts'
import type { AuctionEntry } from './entry.ts'
import { formatOf } from './formats/formats.ts'

/**
 * The command that an entry records. At the time of the entry and on the state before it, the rules that recorded it
 * make the same event of it.
 */
export function recordedCommand({ event, currency, state }: AuctionEntry): Command {
  switch (event.type) {
    case 'corrected':
      return { type: 'correct', correction: correctionOf(state, event, currency), editor: event.editor, by: event.by }
    case 'extended':
      return { type: 'extend', endMs: event.endMs, reason: event.reason, editor: event.editor }
    case 'withdrawn': {
      const { bidderId, reason, isUnblocked, editor } = event
      const isBlocked = isUnblocked === true ? false : event.isBlocked
      const withdrawal = defined({ type: 'withdraw', bidderId, reason, isBlocked, editor } as const)
      return { ...withdrawal, without: undefined }
    }
    case 'ended-early':
      return { type: 'end-auction', reason: event.reason, editor: event.editor }
    case 'cancelled':
      return defined({ type: 'cancel', reason: event.reason, isForced: event.isForced } as const)
    case 'closed':
      // The margin is a setting, which may have changed since.
      return { type: 'close', marginMs: 0, facts: () => event.facts }
    default:
      return formatOf(state).commandOf(event, currency)
  }
}

/**
 * Whether an entry is the result of the same request as a command. Who sent it, and what the service adds, does not
 * count. Decimals are as sent: those of an entry are exact, those of a request may be not.
 */
export function isResultOf(entry: AuctionEntry, command: Command): boolean {
  const { event } = entry
  if (command.type !== 'extend' || command.byMs === undefined)
    return requestOf(recordedCommand(entry)) === requestOf(command)
  // The end from which the command counts is in the entry.
  if (event.type !== 'extended' || event.reason !== command.reason) return false
  return event.endMs - event.previousEndMs === command.byMs
}

const notOfRequests = ['editor', 'by', 'isForced', 'without', 'hasBids', 'admission']

/** What the client sent. */
function requestOf(command: Command): string {
  const members = Object.entries(command).filter(([name]) => !notOfRequests.includes(name))
  return canonicalJson(Object.fromEntries(members))
}
