import { isoOf, type Moment } from '../../../values/moment.ts'
import { isInexactIn } from '../../../values/money.ts'
import { endsAfterStart, isExact, isOrdered, paddlesNeedRegister, type Rule, type Rules } from '../../rules.ts'
import type { Fields } from './fields.ts'
import { errorsOfIncrements } from './increments.ts'
import { maxOvertimeMs } from './terms.ts'

function isLatestEndOf(endTime: Moment, latestEndTime: Moment): boolean {
  const overtimeMs = latestEndTime.epochMs - endTime.epochMs
  return overtimeMs > 0 && overtimeMs <= maxOvertimeMs
}

const latestEndRule = (endTime: Moment): string =>
  `must be after endTime and no later than ${isoOf(endTime.epochMs + maxOvertimeMs)}, one week after it`

const buyNowRule = 'must be above startingPrice and reservePrice'

const hasLatestEnd: Rule<Fields> = {
  needs: ['softClose.latestEndTime', 'endTime'],
  // An invalid soft close has no latest end.
  errorIn: ({ softClose, endTime }) =>
    softClose?.latestEndTime === undefined || isLatestEndOf(endTime, softClose.latestEndTime)
      ? undefined
      : latestEndRule(endTime),
}

export const rules: Rules<Fields> = {
  each: [
    isExact('startingPrice'),
    isExact('minimumBidIncrement'),
    endsAfterStart,
    isExact('reservePrice', (_secret, currency) => isInexactIn(currency)),
    isOrdered('reservePrice', 'startingPrice', (reserve, least) => reserve >= least, 'must be at least startingPrice'),
    isExact('buyNowPrice'),
    isOrdered('buyNowPrice', 'startingPrice', (price, least) => price > least, buyNowRule),
    isOrdered('buyNowPrice', 'reservePrice', (price, reserve) => price > reserve, buyNowRule),
    hasLatestEnd,
    paddlesNeedRegister,
  ],
  moreIn: errorsOfIncrements,
}
