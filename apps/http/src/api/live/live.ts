import type { Viewer } from '@auction/domain/auction'
import type { AuctionId } from '@auction/domain/ids'
import { sendProblem } from '@auction/host/responses'
import type { EventStreams, StreamSource } from '@auction/host/streams'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AuctionFeed, createAuctionFeed } from './auction-feed.ts'
import type { FeedParts } from './feed-parts.ts'
import { createListFeed, type ListFeed } from './list-feed.ts'

type LiveParts = Omit<FeedParts, 'service'> & {
  readonly service: FeedParts['service'] | Promise<FeedParts['service']>
  readonly streams: EventStreams
}

export type Live = ReturnType<typeof createLive>

/** The event streams of auctions and of lists. Readers of one auction share a feed, and all lists share one. */
export function createLive({ service, streams, ...parts }: LiveParts) {
  const feeds = new Map<AuctionId, AuctionFeed>()
  let lists: ListFeed | undefined

  async function respond(request: FastifyRequest, reply: FastifyReply, subscribe: () => StreamSource) {
    const problem = await streams.respond(request, reply, subscribe)
    if (problem !== undefined) sendProblem(reply, problem)
    return 'sent' as const
  }

  /** Both respond with an event stream, or with the problem that prevents it. */
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
  }
}
