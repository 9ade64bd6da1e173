import type { Viewer } from '@auction/domain/auction'
import type { AuctionId, SaleId } from '@auction/domain/ids'
import { refused } from '@auction/domain/result'
import { sendProblem } from '@auction/host/responses'
import type { EventStreams, StreamSource } from '@auction/host/streams'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AuctionFeed, createAuctionFeed } from './auction-feed.ts'
import type { FeedParts } from './feed-parts.ts'
import { createListFeed, type ListFeed } from './list-feed.ts'
import { createSaleFeed, type SaleFeed } from './sale-feed.ts'

type LiveParts = Omit<FeedParts, 'service'> & {
  readonly service: FeedParts['service'] | Promise<FeedParts['service']>
  readonly streams: EventStreams
}

export type Live = ReturnType<typeof createLive>

/** The most lots of all sales with readers. Each takes some two kilobytes. */
const maxFollowedLots = 60_000
/** What a sale counts until its lots are read. */
const maxLotsOfSale = 3_000

const tooManySales: StreamSource = {
  read: async () => refused({ code: 'overloaded', message: 'This server follows too many sales; try again later.' }),
  resume: () => undefined,
  leave: () => undefined,
}

/**
 * The event streams of auctions, of lists and of sales. Readers of one auction or sale share a feed, and all lists
 * share one.
 */
export function createLive({ service, streams, ...parts }: LiveParts) {
  const feeds = new Map<AuctionId, AuctionFeed>()
  const sales = new Map<SaleId, SaleFeed>()
  let lists: ListFeed | undefined

  /** Undefined if the server follows too many other sales. */
  function saleFeed(id: SaleId, opened: FeedParts): SaleFeed | undefined {
    const known = sales.get(id)
    if (known !== undefined) return known
    const followed = [...sales.values()].reduce((sum, feed) => sum + (feed.lotCount() ?? maxLotsOfSale), 0)
    if (followed + maxLotsOfSale > maxFollowedLots) return undefined
    const feed = createSaleFeed(id, opened, () => sales.get(id) === feed && sales.delete(id))
    sales.set(id, feed)
    return feed
  }

  async function respond(request: FastifyRequest, reply: FastifyReply, subscribe: () => StreamSource) {
    const problem = await streams.respond(request, reply, subscribe)
    if (problem !== undefined) sendProblem(reply, problem)
    return 'sent' as const
  }

  /** All respond with an event stream, or with the problem that prevents it. */
  return {
    /** `position` is that of the last event that the client has, if it has any. */
    async follow(
      request: FastifyRequest,
      reply: FastifyReply,
      id: AuctionId,
      position: number | undefined,
      viewer: Viewer,
    ) {
      const opened = { ...parts, service: await service }
      return respond(request, reply, () => {
        const feed = feeds.get(id) ?? createAuctionFeed(id, opened, () => feeds.delete(id))
        feeds.set(id, feed)
        return feed.subscribe(position, viewer)
      })
    },
    async followList(request: FastifyRequest, reply: FastifyReply, ids: readonly AuctionId[], viewer: Viewer) {
      const opened = { ...parts, service: await service }
      return respond(request, reply, () => {
        lists ??= createListFeed(opened)
        return lists.subscribe(ids, viewer)
      })
    },
    /** What it shows is the same for all callers. */
    async followSale(request: FastifyRequest, reply: FastifyReply, id: SaleId) {
      const opened = { ...parts, service: await service }
      return respond(request, reply, () => saleFeed(id, opened)?.subscribe() ?? tooManySales)
    },
  }
}
