import { parseNewAuction } from '@auction/domain/auction'
import { AuctionId } from '@auction/domain/ids'
import { defaultPageSize } from '@auction/domain/page'
import type { Clock } from '@auction/domain/ports/clock'
import type { CreateAuction } from '@auction/domain/use-cases/create-auction'
import type { ListAuctions } from '@auction/domain/use-cases/list-auctions'
import type { ReadAuction } from '@auction/domain/use-cases/read-auction'
import type { FastifyInstance } from 'fastify'
import { sendProblem } from '../answers/problem.ts'
import { problemOf } from '../answers/refusal.ts'
import { auctionListItem, auctionLocation, auctionResource, pricedAuctionResource } from '../answers/resources.ts'
import { sendSuccess } from '../answers/success.ts'
import { auctionCursor, readAuctionCursor } from '../requests/cursors.ts'
import { idInPath, parsePathId } from '../requests/path-id.ts'
import { cursorParameter, limitParameter, parseQuery, statusParameter } from '../requests/query.ts'
import { callerOf } from '../security/request-caller.ts'
import type { RefuseOtherUser } from '../security/user-binding.ts'
import type { Admit } from './admit.ts'
import { readCommand } from './command.ts'

export type AuctionRouteParts = {
  readonly admit: Admit
  readonly refuseOtherUser: RefuseOtherUser
  readonly createAuction: CreateAuction
  readonly readAuction: ReadAuction
  readonly listAuctions: ListAuctions
  readonly clock: Clock
}

const listParameters = {
  limit: limitParameter,
  cursor: cursorParameter(readAuctionCursor),
  status: statusParameter,
}

export function addAuctionRoutes(app: FastifyInstance, parts: AuctionRouteParts): void {
  const { admit, refuseOtherUser, createAuction, readAuction, listAuctions, clock } = parts

  app.post('/api/Auctions', { onRequest: admit('Auctions.Create') }, async (request, reply) => {
    const caller = callerOf(request)
    const read = readCommand(request, caller.key, (input) => parseNewAuction(input, clock.nowMs()))
    if (!read.ok) return sendProblem(reply, read.problem)
    const { fields, retry } = read.command
    const refusal = refuseOtherUser(caller, { field: 'ownerId', id: fields.ownerId }, 'Auctions.Create')
    if (refusal !== undefined) return sendProblem(reply, refusal)
    const created = await createAuction(fields, retry)
    if (!created.ok) return sendProblem(reply, problemOf(created.refusal))
    const auction = created.value
    return sendSuccess(reply, {
      message: `Auction ${auction.id} is created.`,
      data: auctionResource(auction, 'Pending'),
      location: auctionLocation(auction),
    })
  })

  app.get('/api/Auctions', { onRequest: admit('Auctions.Read') }, async (request, reply) => {
    const query = parseQuery(request.query, listParameters)
    if (!query.ok) return sendProblem(reply, problemOf(query.refusal))
    const { limit = defaultPageSize, cursor, status } = query.value
    const page = await listAuctions({ limit, ...(cursor && { after: cursor }), ...(status && { status }) })
    const items = page.items.map(({ auction, status }) => auctionListItem(auction, status))
    const nextCursor = page.next === undefined ? null : auctionCursor(page.next)
    return sendSuccess(reply, { message: `Auctions, newest first: ${items.length}.`, data: { items, nextCursor } })
  })

  app.get(`/api/Auctions/${idInPath}`, { onRequest: admit('Auctions.Read') }, async (request, reply) => {
    const id = parsePathId(AuctionId, request.params)
    if (!id.ok) return sendProblem(reply, problemOf(id.refusal))
    const found = await readAuction(id.value)
    if (!found.ok) return sendProblem(reply, problemOf(found.refusal))
    const message = `Auction ${id.value} is ${found.value.status}.`
    return sendSuccess(reply, { message, data: pricedAuctionResource(found.value) })
  })
}
