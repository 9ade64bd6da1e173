import { type Clock, type CurrentView, maxPageSize } from '@auction/domain'
import { type Batcher, createBatcher } from '@auction/domain/batching'
import type { AuctionId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { accepted, type Result, refused } from '@auction/domain/result'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders, type Problem } from '../../host/answers/problem.ts'
import { type EventStream, type EventStreams, streamHeaders } from '../../host/streams/event-streams.ts'
import { encodeFrame } from '../../host/streams/frames.ts'
import { eventResource, stateResource } from '../answers/event-resources.ts'
import type { Refusal } from '../answers/problem-types.ts'
import { problemOf } from '../answers/refusal.ts'
import { auctionViewResource } from '../answers/resources.ts'
import type { Viewer } from '../callers/viewer.ts'
import type { ServedService } from '../operations/operation.ts'
import { type AuctionFeed, createAuctionFeed, type Reader } from './auction-feed.ts'
import { createListFeed, type ListFeed } from './list-feed.ts'

/** What a stream is about, watched from the creation of the subscription on, so that nothing is between its reads and its events. */
export type Subscription = {
  /** Reads what the stream begins with. Undefined if no event follows: the response is not a stream. */
  read(): Promise<Result<((stream: EventStream) => void) | undefined, Problem>>
  /** Continues after the client has read what was unread. */
  resume(): void
  leave(): void
}

type FollowedService = Pick<ServedService, 'readAuction' | 'listAuctions' | 'listEvents' | 'watchAuction'>

export type LiveParts = {
  readonly service: FollowedService | Promise<FollowedService>
  readonly clock: Clock
  readonly streams: EventStreams
  readonly publicViewer: Viewer
  /** Called with the delay in milliseconds from the record of an event to its delivery. */
  readonly onEvent?: ((delayMs: number) => void) | undefined
}

export type Live = ReturnType<typeof createLive>

/** An auction with its encoded snapshot, for readers that connect at once. */
type Snapshots = Batcher<undefined, Result<{ readonly view: CurrentView; readonly encoded: Buffer }, Refusal>>

/** What a stream is about: an auction, from the position of the last event that the client has, if it has any. */
type Followed = { readonly auctionId: AuctionId; readonly position: number | undefined }

/** The event streams of auctions and of lists. Readers of one auction share a feed, and all lists share one. */
export function createLive({ service, clock, streams, publicViewer, onEvent }: LiveParts) {
  const feeds = new Map<AuctionId, { readonly feed: AuctionFeed; readonly snapshots: Snapshots; users: number }>()
  let lists: ListFeed | undefined

  function useFeed(opened: FollowedService, auctionId: AuctionId) {
    const used = feeds.get(auctionId) ?? {
      feed: createAuctionFeed({
        auctionId,
        service: opened,
        clock,
        dataOf: (event) => eventResource(event, publicViewer),
        onEvent: (atMs) => onEvent?.(Math.max(0, clock.nowMs() - atMs)),
      }),
      snapshots: createSnapshots(opened, auctionId),
      users: 0,
    }
    feeds.set(auctionId, used)
    used.users += 1
    const leave = () => {
      used.users -= 1
      if (used.users > 0) return
      feeds.delete(auctionId)
      used.feed.close()
    }
    return { ...used, leave }
  }

  /** Reads an auction for all readers that connect at once. A read begins after the request for it, so it includes what was stored before. */
  function createSnapshots(opened: FollowedService, auctionId: AuctionId): Snapshots {
    return createBatcher({
      maxCalls: 1,
      maxWeight: Number.POSITIVE_INFINITY,
      async run(readers: readonly undefined[]) {
        const now = isoOf(clock.nowMs())
        const read = await opened.readAuction(auctionId)
        const snapshot = read.ok ? accepted({ view: read.value, encoded: encodeSnapshot(read.value, now) }) : read
        return readers.map(() => snapshot)
      },
    })
  }

  function subscribe(opened: FollowedService, { auctionId, position }: Followed): Subscription {
    const { feed, snapshots, leave } = useFeed(opened, auctionId)
    let reader: Reader | undefined
    return {
      async read() {
        const read = await snapshots.add(undefined)
        if (!read.ok) return refused(problemOf(read.refusal))
        const { view, encoded } = read.value
        const isOver = view.result !== undefined
        const resumed = position !== undefined && position <= view.sequence ? position : undefined
        if (resumed !== undefined && isOver) {
          const rest = await opened.listEvents(auctionId, { after: resumed, limit: maxPageSize })
          if (!rest.ok) return refused(problemOf(rest.refusal))
          if (rest.value.isOver && rest.value.items.length === 0) return accepted(undefined)
        }
        return accepted((stream: EventStream) => {
          reader = { stream, position: resumed ?? view.sequence, isAdvancing: false }
          if (position !== undefined && resumed === undefined) writeReset(stream, position, view.sequence)
          if (resumed === undefined) stream.write(encoded)
          if (resumed === undefined && isOver) stream.end('over')
          else feed.add(reader, view.sequence)
        })
      },
      resume: () => reader && feed.resume(reader),
      leave() {
        if (reader !== undefined) feed.remove(reader)
        leave()
      },
    }
  }

  function encodeSnapshot(view: CurrentView, now: string): Buffer {
    const { sequence } = view
    const data = { now, sequence, auction: auctionViewResource(view, publicViewer) }
    return encodeFrame({ event: 'snapshot', id: sequence, data })
  }

  function listsOf(opened: FollowedService): ListFeed {
    lists ??= createListFeed({ service: opened, clock, dataOf: (view) => stateResource(view, publicViewer) })
    return lists
  }

  /** Answers with an event stream, or returns the problem that prevents it. */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    subscriptionTo: (opened: FollowedService) => Subscription,
  ): Promise<Problem | undefined> {
    const opened = await service
    const place = streams.take(request)
    if (!place.ok) return place.problem
    const { read, resume, leave } = subscriptionTo(opened)
    let isOpen = false
    try {
      const begin = await read()
      if (!begin.ok) return begin.refusal
      if (begin.value === undefined) reply.headers(commonHeaders).code(204).send()
      else if (request.method === 'HEAD') reply.headers(streamHeaders).send()
      else if (!request.raw.destroyed) {
        isOpen = true
        begin.value(place.open(reply, { onReady: resume, onClose: leave }))
      }
      return undefined
    } finally {
      if (!isOpen) {
        leave()
        place.free()
      }
    }
  }

  return {
    follow: (request: FastifyRequest, reply: FastifyReply, followed: Followed) =>
      answer(request, reply, (opened) => subscribe(opened, followed)),
    followList: (request: FastifyRequest, reply: FastifyReply, ids: readonly AuctionId[]) =>
      answer(request, reply, (opened) => listsOf(opened).subscribe(ids)),
  }
}

/** The ledger does not have the position, so the client continues from a snapshot. */
function writeReset(stream: EventStream, from: number, to: number): void {
  stream.write(encodeFrame({ event: 'reset', data: { reason: 'position-ahead', from, to } }))
}
