import * as v from 'valibot'
import { PositiveDecimal } from '../../../values/amount.ts'
import { MomentText } from '../../../values/moment.ts'
import { missingField } from '../../../values/parsing.ts'
import * as common from '../../common-fields.ts'
import { incrementEntries, ladderEntries } from './increments.ts'
import { maxOvertimeMs } from './terms.ts'

const maxSeconds = maxOvertimeMs / 1000

const secondsRule = `must be an integer from 1 to ${maxSeconds}, in seconds`

const Seconds = v.pipe(
  v.number(secondsRule),
  v.integer(secondsRule),
  v.minValue(1, secondsRule),
  v.maxValue(maxSeconds, secondsRule),
)

const SoftCloseFields = v.object(
  {
    windowSeconds: v.pipe(Seconds, v.description('The time before the end in which a bid extends the auction.')),
    extensionSeconds: v.pipe(Seconds, v.description('The minimum time between a late bid and the end.')),
    latestEndTime: v.pipe(MomentText, v.description('The latest possible end. After `endTime`, by at most one week.')),
  },
  missingField,
)

const prices = {
  startingPrice: common.startingPrice,
  minimumBidIncrement: common.minimumBidIncrement,
}

const conditions = {
  ...common.times,
  softClose: v.nullish(v.pipe(SoftCloseFields, v.description('Extends the auction on late bids.'))),
  reservePrice: common.reservePrice,
  buyNowPrice: v.nullish(
    v.pipe(
      PositiveDecimal,
      v.description('The price of an immediate purchase; above `startingPrice` and `reservePrice`.'),
    ),
  ),
  cancellableUntilEnd: common.cancellableUntilEnd,
  ...incrementEntries,
}

/** The fields of a new auction, in the order of documents. */
export const fields = v.object(
  {
    ...common.names,
    ...common.texts,
    ...prices,
    currency: common.currency,
    ...conditions,
    ...ladderEntries,
    ...common.admitting,
    metadata: common.metadata,
  },
  missingField,
)

/** The terms that can be corrected. */
export const correctable = { ...prices, ...conditions }

export type Fields = v.InferOutput<typeof fields>
