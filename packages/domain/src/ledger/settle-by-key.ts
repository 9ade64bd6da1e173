import type { Command } from '../auction/commands.ts'
import { type AmountMinor, type Currency, type Decimal, toMinor } from '../money.ts'
import { refused, repeated } from '../result.ts'
import type { Store } from '../store.ts'
import { withOutcome } from '../store-unavailable.ts'
import type { Entry } from './entry.ts'
import { fail, type PendingCommand, settle } from './pending-command.ts'

/**
 * Settles the commands of one auction whose key already has an entry: with that entry if the request is the same, otherwise with a
 * refusal. Other commands are unchanged. If the lookup fails, the commands with keys fail and have changed nothing; commands without a
 * key are not affected.
 */
export async function settleByKey(
  store: Pick<Store, 'findEntriesByKey'>,
  keyed: readonly PendingCommand[],
): Promise<void> {
  if (keyed.length === 0) return
  const keys = keyed.map(({ requestKey }) => requestKey).filter((key) => key !== undefined)
  let found: readonly Entry[]
  try {
    found = await store.findEntriesByKey(keys)
  } catch (error) {
    for (const pending of keyed) fail(pending, withOutcome(error, 'nothing-changed'))
    return
  }
  const made = new Map(found.map((entry) => [entry.requestKey, entry]))
  for (const pending of keyed) {
    const entry = made.get(pending.requestKey)
    if (entry === undefined) continue
    const isSame = entry.auctionId === pending.auctionId && records(entry, pending.command)
    settle(pending, isSame ? repeated(entry) : refused({ code: 'idempotency-key-reused' }))
  }
}

/** Whether an entry is the result of the same request as a command. */
function records({ event, currency }: Entry, command: Command): boolean {
  switch (command.type) {
    case 'place-bid':
      return (
        (event.type === 'bid-placed' || event.type === 'maximum-raised') &&
        event.bidderId === command.bidderId &&
        isSameAmount(event.amountMinor, command.amount, currency) &&
        isSameAmount(event.maximumMinor, command.maximumAmount, currency)
      )
    case 'buy-now':
      return event.type === 'bought' && event.buyerId === command.buyerId
    case 'cancel':
      return event.type === 'cancelled' && event.reason === command.reason
    case 'close':
      return event.type === 'closed'
    default:
      return command satisfies never
  }
}

/** Entries contain only exact amounts. */
const isSameAmount = (stored: AmountMinor | undefined, sent: Decimal | undefined, currency: Currency): boolean =>
  stored === undefined || sent === undefined ? stored === sent : stored === toMinor(sent, currency)
