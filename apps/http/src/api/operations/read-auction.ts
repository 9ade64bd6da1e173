import type { AuctionView } from '@auction/domain/auction'
import type { Success } from '../../host/answers/success.ts'
import { reasonsOf } from '../answers/refusals.ts'
import { AuctionViewResource, auctionViewResource } from '../answers/resources.ts'
import type { Viewer } from '../callers/viewer.ts'
import { AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'

/** The response to a read, whose entity tag a correction must name. */
export const readAuctionAnswer = (view: AuctionView, viewer: Viewer): Success<AuctionViewResource> => ({
  message: `Auction ${view.auction.id} is ${view.status}.`,
  data: auctionViewResource(view, viewer),
})

export const readAuction = defineOperation({
  name: 'readAuction',
  method: 'GET',
  path: '/api/Auctions/{id}',
  tag: 'Auctions',
  permission: 'Auctions.Read',
  isPublic: true,
  summary: 'Read an auction',
  description: 'Returns the current state.',
  parameters: AuctionPath,
  success: {
    status: 200,
    description: 'The auction, with its current price, status and result.',
    data: AuctionViewResource,
    tagged: true,
  },
  refusals: reasonsOf('auction-not-found'),
  call: (readAuction, { parameters }) => readAuction(parameters.id),
  answer: (view, { viewer }) => readAuctionAnswer(view, viewer),
  examples: {
    'An auction with two bids': { parameters: { id: 1 } },
    'An auction that does not exist': { parameters: { id: 99 } },
    'An invalid id': { parameters: { id: 'desk' } },
  },
})
