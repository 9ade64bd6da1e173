import { defined } from '../values/defined.ts'
import { momentAt } from '../values/moment.ts'
import { type AmountMinor, type Currency, type Decimal, toDecimal } from '../values/money.ts'
import type { Command } from './commands.ts'
import { correctionOf } from './correcting.ts'
import type { Entry } from './entry.ts'
import type { Corrected, ReserveLowered } from './events.ts'

/**
 * The command that an entry recorded, as far as it has an effect: who was allowed to send it is not recorded. At the time
 * of the entry and on the state before it, the rules that recorded it make the same event of it.
 */
export function recordedCommand({ event, currency, requestKey }: Entry): Command {
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { bidderId, amountMinor, maximumMinor } = event
      const bid = { type: 'place-bid', bidderId, amount: sent(amountMinor, currency) } as const
      return maximumMinor === undefined ? bid : { ...bid, maximumAmount: sent(maximumMinor, currency) }
    }
    case 'corrected':
      return { type: 'correct', correction: correctionOf(event, currency), editor: event.editor, ...senderOf(event) }
    case 'extended':
      return { type: 'extend', endTime: momentAt(event.endMs), reason: event.reason, editor: event.editor }
    case 'withdrawn': {
      const { bidderId, reason, isUnblocked, editor } = event
      const isBlocked = isUnblocked === true ? false : event.isBlocked
      const withdrawal = defined({ type: 'withdraw', bidderId, reason, isBlocked, editor } as const)
      return { ...withdrawal, without: undefined }
    }
    case 'ended-early':
      return { type: 'end-early', reason: event.reason, editor: event.editor }
    case 'reserve-lowered': {
      const { reservePriceMinor, reason, editor } = event
      return defined({
        type: 'lower-reserve',
        reservePrice: sent(reservePriceMinor, currency),
        reason,
        editor,
        ...senderOf(event),
      } as const)
    }
    case 'bought':
      return { type: 'buy-now', buyerId: event.buyerId }
    case 'cancelled': {
      const { reason, isForced } = event
      // A cancellation of a cancelled auction is recorded only for its key.
      const mustBeRecorded = requestKey !== undefined
      return defined({ type: 'cancel', reason, mayForce: isForced === true, mustBeRecorded } as const)
    }
    case 'closed':
      // The margin is a setting, which may have changed since.
      return { type: 'close', marginMs: 0 }
    default:
      return event satisfies never
  }
}

/** An entry of an earlier version does not tell who sent its command. */
const senderOf = ({ by }: Corrected | ReserveLowered) => ({ recordedBy: by ?? 'unknown' }) as const

/** An amount as a client sends it. The cast: it converts back to these minor units. */
export const sent = (amountMinor: AmountMinor, currency: Currency): Decimal =>
  toDecimal(amountMinor, currency) as Decimal
