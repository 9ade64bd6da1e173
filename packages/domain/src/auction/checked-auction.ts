import * as v from 'valibot'
import { StoredAmountMinor } from '../amount.ts'
import { InvalidValueError } from '../invalid-value.ts'
import { AuctionFields } from '../stored.ts'
import { isPlainObject, parseFirst } from '../validation.ts'
import type { NewAuction } from './auction.ts'
import { Description, Title } from './new-auction.ts'
import { isLatestEndOf } from './soft-close-fields.ts'

const { version: _version, id: _id, createdAtMs: _createdAtMs, ...storedFields } = AuctionFields.entries

/** The fields as they will be read, so that nothing is stored which can't be, and what the ledger relies on beside that. */
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
      'it must be after endTime, by a week at most',
    ),
    ['softClose', 'latestEndTime'],
  ),
)

/**
 * A new auction that a program may have put together by hand, as a new object of its fields alone. A field that is undefined is
 * left out.
 * @throws InvalidValueError that names the first faulty field
 */
export function checkedAuction(auction: NewAuction): NewAuction {
  const given = isPlainObject(auction) ? auction : {}
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const result = parseFirst(CommandFields, fields)
  if (result.ok) return result.value
  const { field, rule } = result.refusal
  throw new InvalidValueError(`a new auction has a faulty field ${field}: ${rule}`)
}
