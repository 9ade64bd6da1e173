import * as v from 'valibot'
import { StoredAmountMinor } from '../../../values/amount.ts'
import { StoredUserId } from '../../../values/ids.ts'
import { admission } from '../../admission.ts'
import * as life from '../../life.ts'
import * as events from '../../life-events.ts'
import { CorrectableTerms, format } from './terms.ts'

const PurchasedFields = v.object({
  type: v.literal('purchased'),
  buyerId: StoredUserId,
  priceMinor: StoredAmountMinor,
  /** The most that the buyer would have paid. Only the request has it: no reader sees it. */
  atMostMinor: StoredAmountMinor,
  admission,
})
/** The product was bought at the price of the time of the entry, which ends the auction. */
export type Purchased = Readonly<v.InferOutput<typeof PurchasedFields>>

export const EventFields = v.variant('type', [
  PurchasedFields,
  events.correctedWith(CorrectableTerms),
  v.object({ ...events.withdrawal, ...events.repair }),
  events.ExtendedFields,
  events.EndedEarlyFields,
  events.CancelledFields,
  events.ClosedFields,
])
/** All events of an auction whose price falls. */
export type FallingEvent = Readonly<v.InferOutput<typeof EventFields>>

export const StateFields = life.phasesWith({
  format,
  ...life.moments,
  corrections: v.exactOptional(life.correctionsWith(CorrectableTerms)),
  repairs: v.exactOptional(v.object({ ...life.repairs, withdrawn: life.withdrawn })),
})
export type FallingState = Readonly<v.InferOutput<typeof StateFields>>
