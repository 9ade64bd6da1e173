import { parseNewBid } from '@auction/domain/auction/bid'
import { AuctionId, BidId } from '@auction/domain/ids'
import { defaultPageSize } from '@auction/domain/page'
import type { AuctionService } from '@auction/domain/service'
import type { FastifyInstance } from 'fastify'
import { sendProblem } from '../answers/problem.ts'
import { problemOf } from '../answers/refusal.ts'
import { bidLocation, bidResource } from '../answers/resources.ts'
import { sendSuccess } from '../answers/success.ts'
import { bidCursor, readBidCursor } from '../requests/cursors.ts'
import { idInPath, parsePathId } from '../requests/path-id.ts'
import { cursorParameter, limitParameter, parseQuery } from '../requests/query.ts'
import { createTick } from '../requests/tick.ts'
import { callerOf } from '../security/request-caller.ts'
import type { RefuseOtherUser } from '../security/user-binding.ts'
import type { Admit } from './admit.ts'
import { readCommand } from './command.ts'

export type BidRouteParts = {
  readonly admit: Admit
  readonly refuseOtherUser: RefuseOtherUser
  readonly service: Pick<AuctionService, 'placeBid' | 'readBid' | 'listBids'>
}

export function addBidRoutes(app: FastifyInstance, parts: BidRouteParts): void {
  const { admit, refuseOtherUser, service } = parts
  const endOfTick = createTick()

  app.post('/api/Bids', { onRequest: admit('Bids.Create') }, async (request, reply) => {
    const caller = callerOf(request)
    const read = readCommand(request, caller.storedAs, parseNewBid)
    if (!read.ok) return sendProblem(reply, read.problem)
    const { fields, retry } = read.command
    const refusal = refuseOtherUser(caller, { field: 'bidderId', id: fields.bidderId }, 'Bids.Create')
    if (refusal !== undefined) return sendProblem(reply, refusal)
    await endOfTick()
    const placed = await service.placeBid(fields, retry)
    if (!placed.ok) return sendProblem(reply, problemOf(placed.refusal))
    const bid = placed.value
    return sendSuccess(reply, {
      message: `Bid ${bid.id} is placed.`,
      data: bidResource(bid),
      location: bidLocation(bid),
    })
  })

  app.get(`/api/Bids/${idInPath}`, { onRequest: admit('Bids.Read') }, async (request, reply) => {
    const id = parsePathId(BidId, request.params)
    if (!id.ok) return sendProblem(reply, problemOf(id.refusal))
    const found = await service.readBid(id.value)
    if (!found.ok) return sendProblem(reply, problemOf(found.refusal))
    return sendSuccess(reply, { message: `Bid ${id.value} is placed.`, data: bidResource(found.value) })
  })

  app.get(`/api/Auctions/${idInPath}/Bids`, { onRequest: admit('Bids.Read') }, async (request, reply) => {
    const id = parsePathId(AuctionId, request.params)
    if (!id.ok) return sendProblem(reply, problemOf(id.refusal))
    const auctionId = id.value
    const cursor = cursorParameter((text) => readBidCursor(auctionId, text))
    const query = parseQuery(request.query, { limit: limitParameter, cursor })
    if (!query.ok) return sendProblem(reply, problemOf(query.refusal))
    const { limit = defaultPageSize, cursor: before } = query.value
    const found = await service.listBids(auctionId, { limit, ...(before !== undefined && { before }) })
    if (!found.ok) return sendProblem(reply, problemOf(found.refusal))
    const items = found.value.items.map(bidResource)
    const nextCursor = found.value.next === undefined ? null : bidCursor(auctionId, found.value.next)
    return sendSuccess(reply, { message: `Bids, newest first: ${items.length}.`, data: { items, nextCursor } })
  })
}
