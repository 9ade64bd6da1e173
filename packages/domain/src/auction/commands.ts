import * as v from 'valibot'
import { type Checked, createMark } from '../values/checked.ts'
import { missingField, parseObject } from '../values/parsing.ts'
import { accepted } from '../values/result.ts'
import type { Parsed } from '../values/validation.ts'
import type { CorrectCommand } from './correction.ts'
import type { Tally } from './formats/format.ts'
import type { Facts } from './life-events.ts'
import { type OfferCommand, Reason } from './offers.ts'
import type { RepairCommand } from './repair.ts'

// The commands as the rules take them. The parsers below, in `bid.ts`, `offers.ts`, `correction.ts` and `repair.ts`
// make their parts from the JSON of clients.

export type CancelCommand = Cancellation & {
  readonly type: 'cancel'
  /** Set if staff cancel with a reason, which they may do until the end, even after bids. */
  readonly isForced?: true
}

/**
 * Records the end and the result of an auction, `marginMs` after its end. Until then, any process may still record a
 * command that arrived before the end; the clocks of processes differ, and a store may be slow. `facts` gives those of
 * the format, once the auction is due.
 */
export type CloseCommand = {
  readonly type: 'close'
  readonly marginMs: number
  readonly facts?: () => Facts | undefined
  /** The bids through the entry before, if the format needs them. They are not recorded again. */
  readonly tally?: Tally
}

export type Command = OfferCommand | CancelCommand | CorrectCommand | RepairCommand | CloseCommand

export const CancellationFields = v.object(
  {
    reason: v.nullish(
      v.pipe(
        Reason,
        v.description(
          'The reason, visible to all readers of the auction. Well-formed Unicode, counted in code points.',
        ),
      ),
    ),
  },
  missingField,
)

export type Cancellation = {
  /** Visible to all readers of the auction: 1 to 500 code points. */
  readonly reason?: string
}

const checkedCancellation = createMark<Cancellation>('parseCancellation')

/** Parses the JSON of a cancellation strictly, and reports every error. */
export function parseCancellation(input: unknown): Parsed<Checked<Cancellation>> {
  const parsed = parseObject(CancellationFields, input)
  if (!parsed.ok) return parsed
  const { reason } = parsed.value
  return accepted(checkedCancellation(reason == null ? {} : { reason }))
}
