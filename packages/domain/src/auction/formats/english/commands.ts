import { defined } from '../../../values/defined.ts'
import { type AmountMinor, type Currency, type Decimal, toDecimal } from '../../../values/money.ts'
import { recordedAdmission } from '../../admission.ts'
import type { OfferCommand } from '../../offers.ts'
import type { OwnEvent } from './events.ts'

/** The command that an event records. */
export function commandOf(event: OwnEvent, currency: Currency): OfferCommand {
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { bidderId, amountMinor, maximumMinor } = event
      const bid = {
        type: 'place-bid',
        bidderId,
        amount: sent(amountMinor, currency),
        ...recordedAdmission(event),
      } as const
      return maximumMinor === undefined ? bid : { ...bid, maximumAmount: sent(maximumMinor, currency) }
    }
    case 'reserve-lowered': {
      const { reservePriceMinor, reason, editor, by } = event
      const reservePrice = sent(reservePriceMinor, currency)
      return defined({ type: 'lower-reserve', reservePrice, reason, editor, by } as const)
    }
    case 'bought':
      return { type: 'buy-now', buyerId: event.buyerId, ...recordedAdmission(event) }
    default:
      return event satisfies never
  }
}

/** An amount as a client sends it. The cast: it converts back to these minor units. */
const sent = (amountMinor: AmountMinor, currency: Currency): Decimal => toDecimal(amountMinor, currency) as Decimal
