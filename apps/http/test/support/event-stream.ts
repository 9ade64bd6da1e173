import { sampleNewBid } from '@auction/testing/samples'
import { expect, onTestFinished } from 'vitest'
import { eventName } from '../../src/api/asyncapi/messages.ts'
import { violationsOf } from '../contract/message-check.ts'
import { type AuctionClient, newCaller } from './client.ts'
import type { TestServer } from './server.ts'

export type ReceivedEvent = {
  readonly event: string
  readonly id: number | undefined
  // Each test checks the members that it reads.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly data: any
}

export type OpenStream = {
  readonly status: number
  readonly headers: Headers
  /** All text that was received. */
  readonly text: () => string
  /** The next event; undefined at the end of the stream. */
  next(): Promise<ReceivedEvent | undefined>
  /** The next events. @throws Error if the stream ends before */
  take(count: number): Promise<readonly ReceivedEvent[]>
  /** The events until this one. */
  until(event: string): Promise<readonly ReceivedEvent[]>
  /** The events until the end of the stream. */
  rest(): Promise<readonly ReceivedEvent[]>
  /** Disconnects. */
  close(): Promise<void>
}

/** Opens an event stream. Checks each event against the AsyncAPI document. */
export async function openStream(
  { url }: Pick<TestServer, 'url'>,
  path: string,
  token: string,
  { query = '', ...headers }: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const aborting = new AbortController()
  const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}${path}${query}`, {
    headers: { accept: 'text/event-stream', ...authorization, ...headers },
    signal: aborting.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let read = 0

  async function next(): Promise<ReceivedEvent | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n', read)
      if (end === -1) {
        const part = await reader?.read()
        if (part?.value === undefined) return undefined
        text += part.value
        continue
      }
      const frame = text.slice(read, end)
      read = end + 2
      const received = parseFrame(frame)
      if (received !== undefined) return received
    }
  }

  async function collect(isLast: (event: ReceivedEvent, count: number) => boolean): Promise<readonly ReceivedEvent[]> {
    const events: ReceivedEvent[] = []
    for (let event = await next(); event !== undefined; event = await next()) {
      events.push(event)
      if (isLast(event, events.length)) break
    }
    return events
  }

  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    next,
    async take(count) {
      const events = await collect((_, taken) => taken === count)
      if (events.length < count) throw new Error(`the stream ended after ${events.length} of ${count} events`)
      return events
    },
    until: (name) => collect(({ event }) => event === name),
    rest: () => collect(() => false),
    async close() {
      await reader?.cancel().catch(() => undefined)
      aborting.abort()
    },
  }
}

/** The event of a frame; undefined for comments and the reconnection time. */
function parseFrame(frame: string): ReceivedEvent | undefined {
  const fields = new Map(frame.split('\n').map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
  const event = fields.get('event')
  if (event === undefined) return undefined
  const id = fields.get('id')
  const received = { event, id: id === undefined ? undefined : Number(id), data: JSON.parse(fields.get('data') ?? '') }
  const headers = { event, ...(received.id !== undefined && { id: received.id }) }
  expect(violationsOf(eventName(event), { headers, payload: received.data }), frame).toEqual([])
  return received
}

/** Waits until this many more requests have arrived. */
export function arrivedAt({ app }: Pick<TestServer, 'app'>, count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let arrived = 0
  app.server.on('request', () => {
    arrived += 1
    if (arrived === count) resolve()
  })
  return promise
}

/** Follows an auction as a new caller. */
export async function follow(
  on: TestServer,
  id: number,
  headers: Readonly<Record<string, string>> = {},
  token = newCaller(),
) {
  const stream = await openStream(on, `/api/Auctions/${id}/Events`, token, headers)
  onTestFinished(() => stream.close())
  return stream
}

/** Places bids until the auction has this many entries of bids. */
export async function bidTimes(auction: AuctionClient, times: number): Promise<void> {
  const { bidCount, minimumNextBid } = await auction.read()
  for (let bid = 0; bid < times; bid++) {
    const { status, text } = await auction.placeBid({
      bidderId: 2 + ((bidCount + bid) % 2),
      amount: minimumNextBid + 5 * bid,
    })
    if (status !== 201) throw new Error(text)
  }
}

/** Places bids directly with the service: thousands of requests would take long. */
export async function bidManyTimes({ service }: TestServer, id: number, times: number): Promise<void> {
  for (let placed = 0; placed < times; placed += 500) {
    const amounts = Array.from({ length: 500 }, (_, at) => 100 + 5 * (placed + at))
    await Promise.all(amounts.map((amount, at) => service.placeBid(bidOf(id, 2 + (at % 2), amount))))
  }
}

/** A bid as the service takes it. */
export const bidOf = (auctionId: number, bidderId: number, amount: number) =>
  sampleNewBid({ auctionId, bidderId, amount })
