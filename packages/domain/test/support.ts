import type { FieldError, Parsed } from '../src/values/validation.ts'

/** The JSON of a valid new auction, with some fields changed; `undefined` leaves a field out. */
export function newAuctionJson(changed: Readonly<Record<string, unknown>> = {}): unknown {
  return JSON.parse(
    JSON.stringify({
      productId: 7,
      ownerId: 1,
      title: 'A vase',
      description: 'It is old.',
      startingPrice: 100,
      minimumBidIncrement: 5,
      currency: 'USD',
      startTime: '2030-01-31T12:00:00Z',
      endTime: '2030-02-07T12:00:00Z',
      ...changed,
    }),
  )
}

/** The JSON of a valid new bid, with some fields changed. */
export const newBidJson = (changed: Readonly<Record<string, unknown>> = {}): unknown =>
  JSON.parse(JSON.stringify({ auctionId: 1, bidderId: 2, amount: 100, ...changed }))

/** The errors of a parse result; none if it is valid. */
export const errorsOf = (parsed: Parsed<unknown>): readonly FieldError[] => (parsed.ok ? [] : parsed.refusal.errors)

/** The pointers of the errors, in order. */
export const pointers = (parsed: Parsed<unknown>): readonly string[] => errorsOf(parsed).map(({ pointer }) => pointer)
