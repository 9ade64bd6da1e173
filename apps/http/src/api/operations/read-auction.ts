import type { AuctionView } from '@auction/domain/auction'
import { accepted, refused } from '@auction/domain/result'
import type { Success } from '@auction/host/answers'
import { isAnonymous } from '@auction/host/security'
import * as v from 'valibot'
import { reasonsOf } from '../answers/refusals.ts'
import { AuctionViewResource, auctionViewResource } from '../answers/resources.ts'
import { allOf } from '../callers/requirement.ts'
import type { Forbidden } from '../callers/user-binding.ts'
import type { Viewer } from '../callers/viewer.ts'
import { At, AuctionPath } from '../requests/parameters.ts'
import { defineOperation } from './define-operation.ts'

/** The response to a read, whose entity tag a correction must name. */
export const readAuctionAnswer = (view: AuctionView, viewer: Viewer): Success<AuctionViewResource> => ({
  message: `Auction ${view.auction.id} is ${view.status}.`,
  data: auctionViewResource(view, viewer),
})

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
      'Returns the current state. With `at`: the state after an event, and the status at its time, or both at a time. That also requires `Bids.Read`, because it shows who bid. `title`, `description`, `metadata` and `correctedAt` are always those of now: what was corrected away is not shown.',
    success: 'The auction, with its current price, status and result.',
  },
  schemas: {
    parameters: AuctionPath,
    query: v.object({ at: At }),
    data: AuctionViewResource,
    isTagged: true,
  },
  refusals: reasonsOf('auction-not-found'),
  handle: async ({ input, viewer, service, request }) => {
    const { id } = input.parameters
    const { at } = input.query
    if (at === undefined) {
      const read = await service.readAuction(id)
      return read.ok ? accepted(readAuctionAnswer(read.value, viewer)) : read
    }
    if (!isAnonymous(request) && !viewer.permissions.has('Bids.Read')) return refused(hiddenHistory)
    const read = await service.readAuctionAt(id, at)
    if (!read.ok) return read
    const when = typeof at === 'object' ? `at ${at.iso}` : at === 0 ? 'before its first entry' : `after entry ${at}`
    const message = `Auction ${id} was ${read.value.status} ${when}.`
    return accepted({ message, data: auctionViewResource(read.value, viewer) })
  },
  examples: {
    'An auction with two bids': { parameters: { id: 1 } },
    'The auction as it was after the first bid': { parameters: { id: 1 }, query: { at: '1' } },
    'A time before the auction was created': { parameters: { id: 1 }, query: { at: '2020-01-31T12:00:00Z' } },
    'An entry that the auction does not have': { parameters: { id: 1 }, query: { at: '9' } },
    'An auction that does not exist': { parameters: { id: 99 } },
    'An invalid id': { parameters: { id: 'desk' } },
  },
})
