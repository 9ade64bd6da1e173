// `@auction/domain/json`: auctions and bids as JSON, with the names and values of the HTTP service. Amounts are exact
// decimals, and times are texts in UTC. A field that is not set, or that the reader may not see, is undefined, and
// `JSON.stringify` omits it.

export { bidJson, placedBidJson } from '../auction/formats/english/json.ts'
export { priceJson } from '../auction/formats/falling/json.ts'
export { auctionJson, auctionViewJson } from '../auction/formats/json.ts'
export {
  amountJson,
  asUser,
  everyone,
  minimumNextBidJson,
  type Reader,
  type RefusalJson,
  refusalJson,
  resultJson,
} from '../json.ts'
