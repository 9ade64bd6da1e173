import type { AuctionView } from '@auction/domain/auction'
import { accepted } from '@auction/domain/result'
import type { Success } from '@auction/host/answers'
import { reasonsOf } from '../answers/refusals.ts'
import { AuctionViewResource, auctionViewResource } from '../answers/resources.ts'
import { allOf } from '../callers/requirement.ts'
import type { Viewer } from '../callers/viewer.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'

/** The response to a read, whose entity tag a correction must name. */
export const readAuctionAnswer = (view: AuctionView, viewer: Viewer): Success<AuctionViewResource> => ({
  message: `Auction ${view.auction.id} is ${view.status}.`,
  data: auctionViewResource(view, viewer),
})

export const readAuction = defineOperation({
  route: {
    name: 'readAuction',
    method: 'GET',
    path: '/api/Auctions/{id}',
    permissions: allOf('Auctions.Read'),
    isPublic: true,
  },
  docs: {
    tag: 'Auctions',
    summary: 'Read an auction',
    description: 'Returns the current state.',
    success: 'The auction, with its current price, status and result.',
  },
  schemas: { parameters: AuctionPath, data: AuctionViewResource, isTagged: true },
  refusals: reasonsOf('auction-not-found'),
  handle: async ({ input: { parameters }, viewer, service }) => {
    const read = await service.readAuction(parameters.id)
    return read.ok ? accepted(readAuctionAnswer(read.value, viewer)) : read
  },
  examples: {
    'An auction with two bids': { parameters: { id: 1 } },
    'An auction that does not exist': { parameters: { id: 99 } },
    'An invalid id': { parameters: { id: 'desk' } },
  },
})
