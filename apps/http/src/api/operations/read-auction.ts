import type { CurrentView } from '@auction/domain'
import type { AuctionView } from '@auction/domain/auction'
import { refused } from '@auction/domain/result'
import type { Success } from '@auction/host/responses'
import { isAnonymous } from '@auction/host/security'
import * as v from 'valibot'
import { type Forbidden, readingAs, type Viewer } from '../callers/caller.ts'
import { At, AuctionPath } from '../requests/parameters.ts'
import { reasonsOf } from '../responses/refusals.ts'
import { AuctionViewResource, auctionViewResource } from '../responses/resources.ts'
import { allOf, defineOperation, responseTo } from './define-operation.ts'

/** The response to a read, whose entity tag a correction must name. */
export const readAuctionResponse = (
  view: AuctionView & Pick<CurrentView, 'ownBid'>,
  viewer: Viewer,
): Success<AuctionViewResource> => ({
  message: `Auction ${view.auction.id} is ${view.status}.`,
  data: auctionViewResource(view, viewer),
})

/** The same for a caller who has no bid on the auction. */
export const readWithoutBidResponse = (view: AuctionView, viewer: Viewer): Success<AuctionViewResource> =>
  readAuctionResponse({ ...view, ...(viewer.userId !== undefined && { ownBid: null }) }, viewer)

const hiddenHistory: Forbidden = {
  code: 'forbidden',
  message: 'With at, this operation also requires the permission Bids.Read.',
}

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
    description:
      'Returns the current state. With `at`: the state after an event, and the status at its time, or both at a time. That also requires `Bids.Read`, because it shows who bid. `title`, `description`, `metadata` and `correctedAt` are always those of now: what was corrected away is not shown. With sealed bids, `at` is refused before the result.',
    success: 'The auction, with its current price, status and result.',
  },
  schemas: {
    parameters: AuctionPath,
    query: v.object({ at: At }),
    data: AuctionViewResource,
    isTagged: true,
  },
  refusals: reasonsOf('auction-not-found', 'sealed-bids-unavailable'),
  handle: async ({ input, viewer, service, request }) => {
    const { id } = input.parameters
    const { at } = input.query
    if (at === undefined) {
      const { viewerId, seesPrivate } = readingAs(viewer)
      return responseTo(await service.readAuction(id, viewerId, seesPrivate), (view) =>
        readAuctionResponse(view, viewer),
      )
    }
    if (!isAnonymous(request) && !viewer.permissions.has('Bids.Read')) return refused(hiddenHistory)
    const when = typeof at === 'object' ? `at ${at.iso}` : at === 0 ? 'before its first entry' : `after entry ${at}`
    return responseTo(await service.readAuctionAt(id, at, readingAs(viewer)), (view) => ({
      message: `Auction ${id} was ${view.status} ${when}.`,
      data: auctionViewResource(view, viewer),
    }))
  },
  examples: {
    'An auction with two bids': { parameters: { id: 1 } },
    'The auction as it was after the first bid': { parameters: { id: 1 }, query: { at: '1' } },
    'An auction that does not exist': { parameters: { id: 99 } },
    'An invalid id': { parameters: { id: 'desk' } },
  },
})
