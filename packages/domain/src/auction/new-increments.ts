import * as v from 'valibot'
import { NonNegativeDecimal, PositiveDecimal } from '../values/amount.ts'
import { toMinorAt } from '../values/money.ts'
import { missingField } from '../values/parsing.ts'

const maxSteps = 20
const stepsRule = `must be an array of 1 to ${maxSteps} steps`

const StepFields = v.object(
  {
    fromPrice: v.pipe(
      NonNegativeDecimal,
      v.description('The price from which the increment counts, such as 0; above that of the step before.'),
    ),
    increment: v.pipe(
      PositiveDecimal,
      v.description('The increment; at least `minimumBidIncrement` and that of the step before.'),
    ),
  },
  missingField,
)

const percentRule = 'must be a number from 0.01 to 100, with at most two decimal places'

/** The optional fields of a new auction that are about increments. */
export const incrementEntries = {
  incrementSteps: v.nullish(
    v.pipe(
      v.array(StepFields, stepsRule),
      v.minLength(1, stepsRule),
      v.maxLength(maxSteps, stepsRule),
      v.description(
        'Increments that grow with the price: by ascending `fromPrice`, and none lower than the one before. Below the first step, `minimumBidIncrement` counts; with a step from 0, it never does.',
      ),
    ),
  ),
  incrementPercent: v.nullish(
    v.pipe(
      v.number(percentRule),
      v.metadata({ minimum: 0.01, maximum: 100 }),
      v.check((percent) => percent > 0 && percent <= 100 && toMinorAt(percent, 2) !== undefined, percentRule),
      v.description(
        'The increment as a percentage of the price, rounded up to a minor unit, and at least `minimumBidIncrement`. At most two decimal places. Not together with `incrementSteps`.',
      ),
    ),
  ),
  maximumBidIncrement: v.nullish(
    v.pipe(
      PositiveDecimal,
      v.description(
        'How far the `amount` of a bid may exceed the current price; at least the largest increment. With `incrementPercent`: at least the increment at `startingPrice`, and a higher increment replaces it. A `maximumAmount` may be higher.',
      ),
    ),
  ),
}
