import * as v from 'valibot'
import { StoredUserId } from '../../../values/ids.ts'
import type { AmountMinor } from '../../../values/money.ts'
import { StoredCount, StoredInteger } from '../../../values/primitives.ts'
import { admission } from '../../admission.ts'
import * as life from '../../life.ts'
import * as events from '../../life-events.ts'
import { CorrectableTerms, format } from './terms.ts'

const SealedBidFields = v.object({
  type: v.literal('sealed-bid'),
  bidderId: StoredUserId,
  /** The fingerprint of the key that opens the amount. */
  key: v.string(),
  sealed: v.string(),
  /** Without the limit. */
  admission,
})
/** A bid as it is stored. */
type SealedBid = Readonly<v.InferOutput<typeof SealedBidFields>>

/** A bid before it is sealed, and after it is opened. Only memory has it. */
export type OpenedBid = Pick<SealedBid, 'type' | 'bidderId' | 'admission'> & { readonly amountMinor: AmountMinor }

const OwnWithdrawalFields = v.object({ type: v.literal('sealed-withdrawal'), bidderId: StoredUserId })
/** A bidder withdrew their own bids. */
export type OwnWithdrawal = Readonly<v.InferOutput<typeof OwnWithdrawalFields>>

export type OwnEvent = SealedBid | OpenedBid | OwnWithdrawal

export const EventFields = v.variant('type', [
  SealedBidFields,
  OwnWithdrawalFields,
  events.correctedWith(CorrectableTerms),
  v.object({ ...events.withdrawal, ...events.repair }),
  events.ExtendedFields,
  events.EndedEarlyFields,
  events.CancelledFields,
  events.ClosedFields,
])
/** All events of a sealed auction. */
export type SealedEvent = OpenedBid | Readonly<v.InferOutput<typeof EventFields>>

export const StateFields = life.phasesWith({
  format,
  /** The number of entries with bids, those of withdrawn bids among them. No response has it before the result. */
  bidCount: StoredCount,
  /** The sequences of the entries that everyone sees: those of no bid. They are few. */
  publicSequences: v.array(StoredInteger),
  ...life.moments,
  corrections: v.exactOptional(life.correctionsWith(CorrectableTerms)),
  repairs: v.exactOptional(v.object({ ...life.repairs, withdrawn: life.withdrawn })),
})
/** States have no amounts and no bidders, because caches, streams and logs have states. */
export type SealedState = Readonly<v.InferOutput<typeof StateFields>>

/** The state after a bid or a bidder's own withdrawal. */
export const evolve = (state: SealedState, { atMs, event }: life.Recorded<OwnEvent>): SealedState => ({
  ...state,
  atMs,
  bidCount: state.bidCount + (event.type === 'sealed-bid' ? 1 : 0),
})
