import { type Answer, answerOf, type Connection, isTemporary, waitAfter } from './connection.ts'
import { AuctionClientError } from './errors.ts'
import { framesOf, silenceMs } from './frames.ts'
import { createLink, type Link, pause, unlessSilent } from './time.ts'

/** `lost`: nothing arrives, and the client connects again after a pause. */
export type StreamState = 'connecting' | 'live' | 'lost'

export type StreamOptions = {
  /** Ends the iteration, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Called when the state changes, and with `live` whenever something arrives. */
  readonly onState?: ((state: StreamState) => void) | undefined
}

/** What a stream is about. It keeps the position from which the next connection continues. */
export type Feed<Event> = {
  /** The path of the next connection. A GET of it without a stream has the same events. */
  path(): string
  /** The events in a frame of the stream. */
  receive(name: string, data: FrameData, id: string | undefined): readonly Event[]
  /** The events in the response to a GET. */
  receivePage(data: FrameData, now: FrameData): readonly Event[]
  /** The next end of an auction; NaN if it is unknown. */
  endMs(): number
  isOver(): boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document describes the data.
type FrameData = any

/** Within this time of an end, the client reads the events while it has no stream. */
const nearEndMs = 60_000
const pollMs = 1_000

/**
 * The events of a feed, until it is over. Connects again forever, from the position of the feed.
 *
 * @throws AuctionClientError if the service refuses the stream
 */
export async function* streamOf<Event>(
  connection: Connection,
  feed: Feed<Event>,
  { signal, onState = () => undefined }: StreamOptions,
): AsyncGenerator<Event, void> {
  let retryMs = 1_000
  for (let failures = 0; !feed.isOver(); failures++) {
    onState('connecting')
    const link = createLink(signal)
    let opened: OpenedStream
    try {
      opened = await openStream(connection, feed, link)
      if (opened.status === 204) return
      if (opened.stream === undefined && !isTemporary(opened)) throw new AuctionClientError(opened)
      for await (const frame of opened.stream === undefined ? [] : framesOf(opened.stream, link.close)) {
        failures = 0
        onState('live')
        retryMs = Number(frame.retry) || retryMs
        if (frame.event !== undefined) yield* feed.receive(frame.event, JSON.parse(frame.data ?? 'null'), frame.id)
      }
    } finally {
      link.close()
    }
    signal?.throwIfAborted()
    if (feed.isOver()) return
    onState('lost')
    // The service spreads its clients by `retry`.
    yield* untilReopened(connection, feed, waitAfter(opened, retryMs * 2 ** failures), signal)
  }
}

/** Waits before the next connection. Near an end, reads the events meanwhile, so that a bid and the result are not seen late. */
async function* untilReopened<Event>(
  connection: Connection,
  feed: Feed<Event>,
  waitMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event, void> {
  for (let leftMs = waitMs; leftMs > 0; ) {
    let pauseMs = pollMs
    if (Math.abs(feed.endMs() - connection.clock.nowMs()) < nearEndMs) {
      const answer = await connection.attempt({ method: 'GET', path: feed.path() }, signal)
      if (isTemporary(answer)) pauseMs = waitAfter(answer, pollMs)
      else if (answer.status === 200) yield* feed.receivePage(answer.body?.['data'], answer.body?.['now'])
      if (feed.isOver()) return
    }
    await pause(Math.min(leftMs, pauseMs), signal)
    leftMs -= pauseMs
  }
}

type OpenedStream = Answer & { readonly stream?: NonNullable<Response['body']> }

/** Opens a stream. Another response has its body. */
function openStream(connection: Connection, feed: Feed<unknown>, { signal, close }: Link): Promise<OpenedStream> {
  const opening = connection.withToken(signal, async (bearer): Promise<OpenedStream> => {
    const request = { method: 'GET', path: feed.path(), headers: { accept: 'text/event-stream' } } as const
    const response = await connection.open(request, signal, bearer)
    const { status, headers, body } = response
    const isStream = status === 200 && headers.get('content-type')?.startsWith('text/event-stream')
    return isStream && body !== null ? { status, headers, stream: body } : await answerOf(response)
  })
  return unlessSilent(opening, silenceMs, close)
}
