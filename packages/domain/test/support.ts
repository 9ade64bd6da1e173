import { parseNewAuction } from '../src/auction/new-auction.ts'
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

/** The time at which the new auctions of tests are parsed. */
export const parsedAtMs = Date.parse('2030-01-15T00:00:00Z')

/** Parses a valid new auction, with some fields changed. */
export const parseChanged = (changed?: Readonly<Record<string, unknown>>) =>
  parseNewAuction(newAuctionJson(changed), parsedAtMs)

/** An object with the members 0, 1, 2 …, which have one value. */
export const membersOf = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, value]))

/** An end that is past by then. */
export const past = { startTime: '2029-01-01T00:00:00Z', endTime: '2030-01-15T00:00:00Z' }
