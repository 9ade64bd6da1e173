import * as v from 'valibot'
import { StoredAmountMinor } from '../values/amount.ts'
import { InvalidValueError } from '../values/invalid-value.ts'
import { isPlainObject, parseFirst } from '../values/validation.ts'
import { AuctionFields, type NewAuction } from './auction.ts'
import { Description, Title } from './new-auction.ts'
import { isLatestEndOf } from './soft-close-fields.ts'

const { id: _id, createdAtMs: _createdAtMs, ...storedFields } = AuctionFields.entries

/** The fields with the rules for stored data, so that reads cannot fail, and the rules that the ledger relies on. */
const CommandFields = v.pipe(
  v.object({
    ...storedFields,
    title: v.exactOptional(Title),
    description: v.exactOptional(Description),
    minimumBidIncrementMinor: v.pipe(v.number(), v.minValue(1), StoredAmountMinor),
  }),
  v.forward(
    v.check(({ startTime, endTime }) => endTime.epochMs > startTime.epochMs, 'it must be after startTime'),
    ['endTime'],
  ),
  v.forward(
    v.check(
      ({ endTime, softClose }) => softClose === undefined || isLatestEndOf(endTime, softClose.latestEndTime),
      'it must be after endTime, by at most a week',
    ),
    ['softClose', 'latestEndTime'],
  ),
)

/**
 * Checks a new auction that a program may have composed itself. Returns a new object without unknown and undefined fields.
 * @throws InvalidValueError that names the first invalid field
 */
export function checkedAuction(auction: NewAuction): NewAuction {
  const given = isPlainObject(auction) ? auction : {}
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const result = parseFirst(CommandFields, fields)
  if (result.ok) return result.value
  const { field, rule } = result.refusal
  throw new InvalidValueError(`the new auction has an invalid field ${field}: ${rule}`)
}
