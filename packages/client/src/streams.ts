import { type ApiResponse, type Connection, isTemporary, responseOf, waitAfter } from './connection.ts'
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
  /** The events that happen by time alone, without a frame. */
  receiveTime(nowMs: number): readonly Event[]
  /** When the next one does. */
  dueMs(): number
  /** The next end of an auction; NaN if it is unknown. */
  endMs(): number
  isOver(): boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI document describes the data.
type FrameData = any

/** Within this time of an end, the client reads the events while it has no stream. */
const nearEndMs = 60_000
const pollMs = 1_000
/** The service sends 1 to 5 seconds. */
const leastRetryMs = 1_000
/** How often in a row the service may refuse the token of a function, whose back end may be late, too. */
const maxUnauthenticated = 3

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
  const { clock, hasTokenFunction } = connection
  let retryMs = leastRetryMs
  let unauthenticated = 0
  for (let failures = 0; !feed.isOver(); failures++) {
    onState('connecting')
    const link = createLink(signal)
    const before = failures
    let opened: OpenedStream
    try {
      opened = await openStream(connection, feed, link)
      if (opened.status === 204) return
      unauthenticated = opened.status === 401 && hasTokenFunction ? unauthenticated + 1 : 0
      const mayRetry = isTemporary(opened) || (unauthenticated > 0 && unauthenticated < maxUnauthenticated)
      if (opened.stream === undefined && !mayRetry) throw new AuctionClientError(opened)
      const frames = opened.stream && framesOf(opened.stream, link.close, () => feed.dueMs() - clock.nowMs())
      for await (const frame of frames ?? []) {
        if (frame !== undefined) {
          onState('live')
          retryMs = Math.max(Number(frame.retry) || retryMs, leastRetryMs)
        }
        const { event, data = '', id } = frame ?? {}
        const events = event === undefined ? [] : readable(data, (value) => feed.receive(event, value, id))
        // A damaged frame breaks the connection, and the next one continues in front of it, where it may arrive again.
        if (events === undefined) {
          failures = before
          break
        }
        if (event !== undefined) failures = 0
        yield* events
        yield* feed.receiveTime(clock.nowMs())
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

/** The events in the data of a frame; undefined if it is damaged. */
function readable<Event>(data: string, receive: (value: FrameData) => readonly Event[]): readonly Event[] | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return Object(value) === value ? receive(value) : undefined
  } catch {
    return undefined
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
    yield* feed.receiveTime(connection.clock.nowMs())
    if (Math.abs(feed.endMs() - connection.clock.nowMs()) < nearEndMs) {
      const response = await connection.attempt({ method: 'GET', path: feed.path() }, signal)
      if (isTemporary(response)) pauseMs = waitAfter(response, pollMs)
      else if (response.status === 200) {
        const { data, now } = response.body ?? {}
        yield* readable(JSON.stringify(data ?? null), (value) => feed.receivePage(value, now)) ?? []
      }
      if (feed.isOver()) return
    }
    await pause(Math.min(leftMs, pauseMs), signal)
    leftMs -= pauseMs
  }
}

type OpenedStream = ApiResponse & { readonly stream?: NonNullable<Response['body']> }

/** Opens a stream. Another response has its body. */
function openStream(connection: Connection, feed: Feed<unknown>, { signal, close }: Link): Promise<OpenedStream> {
  const path = feed.path()
  const opening = connection.withToken(signal, async (bearer): Promise<OpenedStream> => {
    const request = { method: 'GET', path, headers: { accept: 'text/event-stream' } } as const
    const response = await connection.open(request, signal, bearer)
    const { status, headers, body } = response
    const isStream = status === 200 && headers.get('content-type')?.startsWith('text/event-stream')
    return isStream && body !== null ? { status, headers, stream: body } : await responseOf(response)
  })
  return unlessSilent(opening, silenceMs, close)
}
