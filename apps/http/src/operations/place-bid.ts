import { assignedToBids, NewBidFields, parseNewBid } from '@auction/domain/auction/bid'
import { accepted } from '@auction/domain/result'
import { BidResource, bidLocation, bidResource } from '../answers/resources.ts'
import { defineOperation } from './operation.ts'

export const placeBid = defineOperation({
  name: 'placeBid',
  method: 'POST',
  path: '/api/Bids',
  tag: 'Bids',
  permission: 'Bids.Create',
  summary: 'Place a bid',
  description:
    'A bid is accepted from the start of its auction until the end, from anybody but the owner, when it offers at least the `minimumNextBid` of the auction. The leader may raise its own bid. Of two equal bids the first recorded wins.',
  body: { schema: NewBidFields, ignored: assignedToBids, parse: parseNewBid },
  actingUser: 'bidderId',
  // Their bids are decided and appended together.
  gathered: true,
  success: { status: 201, description: 'The bid is stored.', data: BidResource },
  refusals: {
    'auction-not-found': 'There is no such auction.',
    'auction-not-started': 'The bid comes too early.',
    'auction-ended': 'The bid comes too late.',
    'owner-cannot-bid': 'The bidder owns the auction.',
    'bid-too-low': 'The amount is below the least next bid.',
  },
  run: async (placeBid, { fields, retry }) => {
    const placed = await placeBid(fields, retry)
    if (!placed.ok) return placed
    const bid = placed.value
    return accepted({ message: `Bid ${bid.id} is placed.`, data: bidResource(bid), location: bidLocation(bid) })
  },
  examples: [],
})
