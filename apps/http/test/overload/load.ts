import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'

/** What a thread is to send. */
export type LoadOrder = {
  readonly port: number
  readonly token: string
  readonly auctionId: number
  readonly seconds: number
  /** How many connections there are; a request for which none is free is not sent. */
  readonly connections: number
  /** Requests a second, whatever becomes of those before; without it, each connection sends when it has its answer. */
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
  /** Requests whose connection ended, or whose answer says neither that they were served nor that there is overload. */
  readonly broken: readonly string[]
}

type Connection = { readonly socket: Socket; received: string; startedAtMs: number }

// One in five reads; bids go up, and are refused where one overtook them.
const readsEvery = 5

async function sendLoad(order: LoadOrder): Promise<LoadReport> {
  const { port, token, auctionId, seconds, connections, rate } = order
  const admitted = createHistogram()
  const refused = createHistogram()
  const broken: string[] = []
  const free: Connection[] = []
  let unsent = 0
  let number = 0
  let underWay = 0
  // One by one, as a system drops what connects faster than it is accepted.
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

  /** @param dueAtMs when it should have been sent: what waits here waits for its answer, too */
  function send(connection: Connection, dueAtMs: number): void {
    connection.startedAtMs = dueAtMs
    connection.received = ''
    underWay += 1
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
    underWay -= 1
    if (fault !== undefined) broken.push(fault)
  }

  /** Sends all that is due by now. */
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
  while (performance.now() < endMs || underWay > 0) {
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

/** In microseconds, as a histogram has integers. */
const record = (histogram: RecordableHistogram, { startedAtMs }: Connection): void =>
  histogram.record(Math.max(1, Math.round((performance.now() - startedAtMs) * 1000)))

export const latencyOf = (histogram: RecordableHistogram): Latency => ({
  p50: histogram.percentile(50) / 1000,
  p99: histogram.percentile(99) / 1000,
  max: histogram.count === 0 ? 0 : histogram.max / 1000,
})

// Whoever measures loads this as a module, too.
if (parentPort !== null) parentPort.postMessage(await sendLoad(workerData))
