import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeWrk } from '../../../../tools/vitest/wrk.ts'
import { runAutocannon } from '../../src/http/autocannon.ts'
import type { LoadReport, NumberedOrder } from '../../src/http/load.ts'
import { loadReportOf } from '../../src/http/load.ts'
import { runWrk } from '../../src/http/wrk.ts'

const callers = [
  { token: 'first', auctionId: 7 },
  { token: 'second', auctionId: 9 },
]

type Seen = Pick<IncomingMessage, 'method' | 'url'> & { readonly authorization: string | undefined; body: string }

/** A server that notes what it gets, and answers every third request with 409. */
async function startRecorder() {
  const seen: Seen[] = []
  const answer: RequestListener = async (request, response) => {
    const { method, url, headers } = request
    seen.push({ method, url, authorization: headers.authorization, body: await text(request) })
    response.writeHead(seen.length % 3 === 0 ? 409 : 201).end('{}')
  }
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return {
    seen,
    origin: `http://127.0.0.1:${address.port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('autocannon', () => sendsLoad(runAutocannon))
describeWrk('wrk', () => sendsLoad(runWrk))

function sendsLoad(run: (order: NumberedOrder) => Promise<LoadReport>): void {
  let recorder: Awaited<ReturnType<typeof startRecorder>>
  beforeEach(async () => {
    recorder = await startRecorder()
  })
  afterEach(() => recorder.stop())

  const order = { callers, connections: 2, seconds: 1, headers: {}, firstDollars: 100 }

  test('sends bids that rise, in the name of one caller after the other', async () => {
    const { requests, sample, trouble } = await run({ ...order, origin: recorder.origin, request: 'bid' })
    const bids = recorder.seen.map(({ body }) => JSON.parse(body) as { readonly amount: number })
    const amounts = bids.map(({ amount }) => amount)
    // wrk makes one request to look at it, and does not send it.
    expect([100.99, 101.99]).toContain(Math.min(...amounts))
    expect(new Set(amounts).size).toBe(bids.length)
    for (const { method, url, authorization, body } of recorder.seen) {
      const { auctionId } = JSON.parse(body) as { readonly auctionId: number }
      expect([method, url]).toEqual(['POST', '/api/Bids'])
      expect(authorization).toBe(auctionId === 7 ? 'Bearer first' : 'Bearer second')
    }
    // What was under way at the end was sent, and is not counted.
    expect(requests).toBeGreaterThan(0)
    expect(requests).toBeLessThanOrEqual(bids.length)
    expect(sample.refusedPerSecond).toBeGreaterThan(0)
    expect(sample.acceptedPerSecond).toBeGreaterThan(sample.refusedPerSecond ?? 0)
    expect(sample.p99Ms).toBeGreaterThanOrEqual(sample.p50Ms ?? Number.NaN)
    expect(trouble).toMatch(/answers were not 2xx/)
  })

  test('reads auctions', async () => {
    await run({ ...order, origin: recorder.origin, request: 'read', headers: { Origin: 'https://shop.example' } })
    const paths = new Set(recorder.seen.map(({ method, url, body }) => `${method} ${url} ${body}`))
    expect(paths).toEqual(new Set(['GET /api/Auctions/7 ', 'GET /api/Auctions/9 ']))
  })
}

describe('a report of load', () => {
  const counts = { requests: 100, seconds: 2, p50Ms: 1, p99Ms: 3, refused: 0, failed: 0 }

  test('says nothing of trouble where there is none', () => {
    const sample = { acceptedPerSecond: 50, refusedPerSecond: 0, failedPerSecond: 0, p50Ms: 1, p99Ms: 3 }
    expect(loadReportOf(counts)).toEqual({ requests: 100, trouble: undefined, sample })
  })

  test('has no latencies of accepted requests where none was accepted', () => {
    const { sample, trouble } = loadReportOf({ ...counts, refused: 100, failed: 1 })
    expect(sample).toEqual({ acceptedPerSecond: 0, refusedPerSecond: 50, failedPerSecond: 0.5 })
    expect(trouble).toBe('100 of 100 answers were not 2xx, and 1 connections failed')
  })
})
