/** @import { SellingFormat } from '../selling.js' */
/** @import { FieldName } from '../views/fields.js' */

/** How the price falls. @type {readonly FieldName[]} */
const fields = ['decrement', 'intervalSeconds', 'floorPrice']

/** @type {SellingFormat} */
export const falling = {
  name: 'falling',
  title: 'formatFalling',
  hint: 'formatFallingHint',
  correctable: ['title', 'description', 'pictureUrls', 'startingPrice', ...fields, 'startTime', 'endTime'],
  required: fields,
  choices: [],
  priceFields: [...fields, 'cancellableUntilEnd'],
  timeFields: [],
  nested: {
    member: 'falling',
    fields,
    valueOf: ({ decrement, intervalSeconds, floorPrice }) => ({ decrement, intervalSeconds, floorPrice }),
  },
  sent: { format: 'falling' },
  atFirst: ({ startingPrice }) => ({ currentPrice: startingPrice }),
}
