/** @import { SellingFormat } from '../selling.js' */

/** @type {SellingFormat} */
export const sealed = {
  name: 'sealed',
  title: 'formatSealed',
  hint: 'formatSealedHint',
  correctable: ['title', 'description', 'pictureUrls', 'startingPrice', 'reservePrice', 'startTime', 'endTime'],
  required: [],
  choices: [
    {
      ...{ name: 'pricing', title: 'pricing' },
      options: [
        { value: 'first', title: 'pricingFirst', hint: 'paysFirst' },
        { value: 'second', title: 'pricingSecond', hint: 'paysSecond' },
      ],
    },
    {
      ...{ name: 'reveal', title: 'reveal' },
      options: [
        { value: 'result', title: 'revealResult', hint: 'showsResult' },
        { value: 'bids', title: 'revealBids', hint: 'showsBids' },
      ],
    },
  ],
  priceFields: ['reservePrice', 'cancellableUntilEnd'],
  timeFields: [],
  sent: { format: 'sealed' },
  atFirst: () => ({}),
}
