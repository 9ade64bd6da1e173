import { parseNewBid } from '@auction/domain/bid'
import { AuctionId, BidId } from '@auction/domain/ids'
import { defaultPageSize } from '@auction/domain/page'
import type { ListBids } from '@auction/domain/use-cases/list-bids'
import type { PlaceBid } from '@auction/domain/use-cases/place-bid'
import type { ReadBid } from '@auction/domain/use-cases/read-bid'
import type { FastifyInstance } from 'fastify'
import { sendProblem } from '../answers/problem.ts'
import { problemOf } from '../answers/refusal.ts'
import { bidLocation, bidResource } from '../answers/resources.ts'
import { sendSuccess } from '../answers/success.ts'
import { bidCursor, readBidCursor } from '../requests/cursors.ts'
import { endOfTurn } from '../requests/end-of-turn.ts'
import { idInPath, parsePathId } from '../requests/path-id.ts'
import { cursorParameter, limitParameter, parseQuery } from '../requests/query.ts'
import { callerOf } from '../security/request-caller.ts'
import type { RefuseOtherUser } from '../security/user-binding.ts'
import type { Admit } from './admit.ts'
import { readCommand } from './command.ts'

export type BidRouteParts = {
  readonly admit: Admit
  readonly refuseOtherUser: RefuseOtherUser
  readonly placeBid: PlaceBid
  readonly readBid: ReadBid
  readonly listBids: ListBids
}

export function addBidRoutes(app: FastifyInstance, parts: BidRouteParts): void {
  const { admit, refuseOtherUser, placeBid, readBid, listBids } = parts
  const turn = endOfTurn()

  app.post('/api/Bids', { onRequest: admit('Bids.Create') }, async (request, reply) => {
    const caller = callerOf(request)
    const read = readCommand(request, caller.key, parseNewBid)
    if (!read.ok) return sendProblem(reply, read.problem)
    const { fields, retry } = read.command
    const refusal = refuseOtherUser(caller, { field: 'bidderId', id: fields.bidderId }, 'Bids.Create')
    if (refusal !== undefined) return sendProblem(reply, refusal)
    await turn()
    const placed = await placeBid(fields, retry)
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
    const found = await readBid(id.value)
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
    const found = await listBids(auctionId, { limit, ...(before !== undefined && { before }) })
    if (!found.ok) return sendProblem(reply, problemOf(found.refusal))
    const items = found.value.items.map(bidResource)
    const nextCursor = found.value.next === undefined ? null : bidCursor(auctionId, found.value.next)
    return sendSuccess(reply, { message: `Bids, newest first: ${items.length}.`, data: { items, nextCursor } })
  })
}
