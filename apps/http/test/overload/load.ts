import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'

/** The load of a thread. */
export type LoadOrder = {
  readonly port: number
  readonly token: string
  readonly auctionId: number
  readonly seconds: number
  /** The number of connections; a request is not sent if none is free. */
  readonly connections: number
  /** Requests per second, regardless of responses; if omitted, each connection sends its next request after a response. */
  readonly rate?: number
}

/** In milliseconds. */
export type Latency = { readonly p50: number; readonly p99: number; readonly max: number }

export type LoadReport = {
  readonly admitted: number
  readonly admittedLatency: Latency
  readonly refused: number
  readonly refusedLatency: Latency
  /** Requests for which no connection was free. */
  readonly unsent: number
  /** Requests whose connection ended, or whose response is neither a result nor an overload refusal. */
  readonly broken: readonly string[]
}

type Connection = { readonly socket: Socket; received: string; startedAtMs: number }

// One in five reads. Bids rise, and are refused if a higher one arrives first.
const readsEvery = 5

async function sendLoad(order: LoadOrder): Promise<LoadReport> {
  const { port, token, auctionId, seconds, connections, rate } = order
  const admitted = createHistogram()
  const refused = createHistogram()
  const broken: string[] = []
  const free: Connection[] = []
  let unsent = 0
  let number = 0
  let inFlight = 0
  // One by one, since a system drops connections that arrive faster than they are accepted.
  while (free.length < connections) free.push(await open())
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000

  function nextRequest(): string {
    number += 1
    const head = `HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n`
    if (number % readsEvery === 0) return `GET /api/Auctions/${auctionId} ${head}\r\n`
    const body = `{"auctionId":${auctionId},"bidderId":2,"amount":${100 + number}}`
    return `POST /api/Bids ${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  }

  async function open(): Promise<Connection> {
    const connection = { socket: connect({ port, host: '127.0.0.1', noDelay: true }), received: '', startedAtMs: 0 }
    connection.socket.setEncoding('latin1')
    await once(connection.socket, 'connect')
    connection.socket.on('data', (chunk) => receive(connection, String(chunk)))
    connection.socket.on('error', () => undefined)
    connection.socket.on('close', () => {
      if (connection.startedAtMs > 0) settle(connection, 'the connection ended')
    })
    return connection
  }

  /** @param dueAtMs the scheduled time: the response time includes the wait for a connection */
  function send(connection: Connection, dueAtMs: number): void {
    connection.startedAtMs = dueAtMs
    connection.received = ''
    inFlight += 1
    connection.socket.write(nextRequest())
  }

  function receive(connection: Connection, chunk: string): void {
    connection.received += chunk
    const { received } = connection
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1])
    if (received.length < headEnd + 4 + length) return
    const status = received.slice(9, 12)
    if (status === '503' && received.includes('"code":"overloaded"')) record(refused, connection)
    else if (['200', '201', '409'].includes(status)) record(admitted, connection)
    else broken.push(received.slice(0, 200))
    settle(connection)
    if (rate === undefined && performance.now() < endMs) send(connection, performance.now())
    else free.push(connection)
  }

  function settle(connection: Connection, fault?: string): void {
    connection.startedAtMs = 0
    inFlight -= 1
    if (fault !== undefined) broken.push(fault)
  }

  /** Sends all requests that are due. */
  function sendDue(sent: number, perSecond: number): number {
    const nowMs = Math.min(performance.now(), endMs)
    let count = sent
    for (; count < ((nowMs - startMs) / 1000) * perSecond; count++) {
      const connection = free.shift()
      if (connection === undefined) unsent += 1
      else send(connection, startMs + (count / perSecond) * 1000)
    }
    return count
  }

  if (rate === undefined) for (const connection of free.splice(0)) send(connection, performance.now())
  let sent = 0
  while (performance.now() < endMs || inFlight > 0) {
    if (rate !== undefined) sent = sendDue(sent, rate)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  for (const { socket } of free.splice(0)) socket.destroy()
  return {
    admitted: admitted.count,
    admittedLatency: latencyOf(admitted),
    refused: refused.count,
    refusedLatency: latencyOf(refused),
    unsent,
    broken,
  }
}

/** In microseconds, since a histogram has integers. */
const record = (histogram: RecordableHistogram, { startedAtMs }: Connection): void =>
  histogram.record(Math.max(1, Math.round((performance.now() - startedAtMs) * 1000)))

export const latencyOf = (histogram: RecordableHistogram): Latency => ({
  p50: histogram.percentile(50) / 1000,
  p99: histogram.percentile(99) / 1000,
  max: histogram.count === 0 ? 0 : histogram.max / 1000,
})

// This module is also imported by the measuring thread.
if (parentPort !== null) parentPort.postMessage(await sendLoad(workerData))
