import {
  assignedToAuctions,
  NewAuctionFields,
  newAuctionFields,
  parseNewAuction,
  type ValidationFailed,
  validationFailed,
} from '@auction/domain/parsing'
import { refused } from '@auction/domain/result'
import * as v from 'valibot'
import { ofEach } from '../of-each.ts'
import { jsonBody } from '../requests/json-body.ts'
import { AuctionResource, auctionLocation, auctionResource } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'
import { chairAuction, clockAuction, coinAuction, deskAuction, lampAuction, ringAuction } from './example-data.ts'

const { english, sealed, falling } = newAuctionFields
const { format } = NewAuctionFields.entries

/** The fields of all formats. The parser knows which of them each format has. */
const fields = v.object({ ...ofEach(english.entries, sealed.entries, falling.entries), format })

const keyNeeded = {
  pointer: '/format',
  message: 'must not be sealed: this service has no key that seals bids (SEALED_BIDS_KEY)',
}
/** The body was parsed, so that its format has no other error. */
const isKeyNeeded = (refusal: object): boolean =>
  'errors' in refusal && (refusal as ValidationFailed).errors.some(({ pointer }) => pointer === keyNeeded.pointer)

export const createAuction = defineOperation({
  route: { name: 'createAuction', method: 'POST', path: '/api/Auctions', permissions: allOf('Auctions.Create') },
  docs: {
    tag: 'Auctions',
    summary: 'Create an auction',
    description: 'The response always has the status `Pending`.',
    success: 'The auction was created.',
  },
  schemas: {
    body: jsonBody(fields, (input, { arrivedAtMs }) => parseNewAuction(input, arrivedAtMs), {
      ignored: assignedToAuctions,
      formats: newAuctionFields,
    }),
    data: AuctionResource,
  },
  refusals: {},
  handle: async ({ input: { body, retry }, caller, viewer, userBinding, service, arrivedAtMs }) => {
    const forbidden = userBinding.refusalIfNotUser(caller, 'ownerId', body.ownerId)
    if (forbidden !== undefined) return refused(forbidden)
    const created = await service.createAuction(body, retry, arrivedAtMs)
    if (!created.ok && isKeyNeeded(created.refusal)) return refused(validationFailed(keyNeeded))
    return responseTo(created, (auction) => ({
      message: `Auction ${auction.id} was created.`,
      data: auctionResource(auction, 'Pending', viewer),
      location: auctionLocation(auction),
    }))
  },
  examples: {
    'An auction that runs for a week': { headers: { 'Idempotency-Key': 'desk-7' }, body: deskAuction },
    'An auction with a soft close, a reserve and a buy-now price': { body: chairAuction },
    'An auction that can be cancelled until its end': { body: lampAuction },
    'An auction whose increments grow with the price, and a limit of a bid': { body: coinAuction },
    'An auction whose price falls': { body: clockAuction },
    'An auction whose bids are secret until its end': { body: ringAuction },
    'The first request again, with the same key': { headers: { 'Idempotency-Key': 'desk-7' }, body: deskAuction },
    'A different request with that key': {
      headers: { 'Idempotency-Key': 'desk-7' },
      body: { ...deskAuction, startingPrice: 90 },
    },
    'A reserve below the starting price, and an extension of more than a week': {
      body: {
        ...chairAuction,
        reservePrice: 40,
        softClose: { ...chairAuction.softClose, latestEndTime: '2030-02-14T12:00:01Z' },
      },
    },
  },
})
