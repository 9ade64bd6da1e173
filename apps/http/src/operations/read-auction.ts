import { AuctionId } from '@auction/domain/ids'
import { accepted } from '@auction/domain/result'
import { AuctionViewResource, auctionViewResource } from '../answers/resources.ts'
import { defineOperation } from './operation.ts'

export const readAuction = defineOperation({
  name: 'readAuction',
  method: 'GET',
  path: '/api/Auctions/{id}',
  tag: 'Auctions',
  permission: 'Auctions.Read',
  summary: 'Read an auction',
  description: 'A read that follows a 201 sees what it made.',
  parameters: { id: AuctionId },
  success: {
    status: 200,
    description: 'The auction, with its price, its status by the clock, and its result once that is final.',
    data: AuctionViewResource,
    tagged: true,
  },
  refusals: { 'auction-not-found': 'There is no such auction.' },
  run: async (readAuction, { parameters }) => {
    const found = await readAuction(parameters.id)
    if (!found.ok) return found
    const message = `Auction ${parameters.id} is ${found.value.status}.`
    return accepted({ message, data: auctionViewResource(found.value) })
  },
  examples: [],
})
