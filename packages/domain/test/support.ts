import type { FieldError, Parsed } from '../src/validation.ts'

/** The JSON of a new auction that is right, with some fields changed; `undefined` leaves a field out. */
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

/** The JSON of a new bid that is right, with some fields changed. */
export const newBidJson = (changed: Readonly<Record<string, unknown>> = {}): unknown =>
  JSON.parse(JSON.stringify({ auctionId: 1, bidderId: 2, amount: 100, ...changed }))

/** The faults that are told of what was parsed; none when it is right. */
export const errorsOf = (parsed: Parsed<unknown>): readonly FieldError[] => (parsed.ok ? [] : parsed.refusal.errors)

/** Where the faults are, in the order in which they are told. */
export const pointers = (parsed: Parsed<unknown>): readonly string[] => errorsOf(parsed).map(({ pointer }) => pointer)
