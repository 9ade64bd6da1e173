import { parseNewAuction } from '@auction/domain/auction/new-auction'
import type { Clock } from '@auction/domain/clock'
import { AuctionId } from '@auction/domain/ids'
import type { AuctionService } from '@auction/domain/service'
import type { FastifyInstance } from 'fastify'
import { sendProblem } from '../answers/problem.ts'
import { problemOf } from '../answers/refusal.ts'
import { auctionListItem, auctionLocation, auctionResource, auctionViewResource } from '../answers/resources.ts'
import { sendSuccess } from '../answers/success.ts'
import { parseAuctionListQuery } from '../requests/auction-list-query.ts'
import { auctionCursor } from '../requests/cursors.ts'
import { idInPath, parsePathId } from '../requests/path-id.ts'
import { callerOf } from '../security/request-caller.ts'
import type { RefuseOtherUser } from '../security/user-binding.ts'
import type { Admit } from './admit.ts'
import { readCommand } from './command.ts'

export type AuctionRouteParts = {
  readonly admit: Admit
  readonly refuseOtherUser: RefuseOtherUser
  readonly service: Pick<AuctionService, 'createAuction' | 'readAuction' | 'listAuctions'>
  readonly clock: Clock
}

export function addAuctionRoutes(app: FastifyInstance, parts: AuctionRouteParts): void {
  const { admit, refuseOtherUser, service, clock } = parts

  app.post('/api/Auctions', { onRequest: admit('Auctions.Create') }, async (request, reply) => {
    const caller = callerOf(request)
    const read = readCommand(request, caller.storedAs, (input) => parseNewAuction(input, clock.nowMs()))
    if (!read.ok) return sendProblem(reply, read.problem)
    const { fields, retry } = read.command
    const refusal = refuseOtherUser(caller, { field: 'ownerId', id: fields.ownerId }, 'Auctions.Create')
    if (refusal !== undefined) return sendProblem(reply, refusal)
    const created = await service.createAuction(fields, retry)
    if (!created.ok) return sendProblem(reply, problemOf(created.refusal))
    const auction = created.value
    return sendSuccess(reply, {
      message: `Auction ${auction.id} is created.`,
      data: auctionResource(auction, 'Pending'),
      location: auctionLocation(auction),
    })
  })

  app.get('/api/Auctions', { onRequest: admit('Auctions.Read') }, async (request, reply) => {
    const query = parseAuctionListQuery(request.query)
    if (!query.ok) return sendProblem(reply, problemOf(query.refusal))
    const page = await service.listAuctions(query.value)
    const items = page.items.map(auctionListItem)
    const nextCursor = page.next === undefined ? null : auctionCursor(page.next)
    const order = query.value.order === 'newest' ? 'newest first' : 'soonest end first'
    return sendSuccess(reply, { message: `Auctions, ${order}: ${items.length}.`, data: { items, nextCursor } })
  })

  app.get(`/api/Auctions/${idInPath}`, { onRequest: admit('Auctions.Read') }, async (request, reply) => {
    const id = parsePathId(AuctionId, request.params)
    if (!id.ok) return sendProblem(reply, problemOf(id.refusal))
    const found = await service.readAuction(id.value)
    if (!found.ok) return sendProblem(reply, problemOf(found.refusal))
    const message = `Auction ${id.value} is ${found.value.status}.`
    return sendSuccess(reply, { message, data: auctionViewResource(found.value) })
  })
}
