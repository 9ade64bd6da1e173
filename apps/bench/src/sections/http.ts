import { auctionFields } from '../bidding.ts'
import { post, type Server, startService, startStack } from '../http/server.ts'
import { connections, runWrk } from '../http/wrk.ts'
import { measureInRounds, type Point } from '../measure/rows.ts'
import type { Bench } from '../run.ts'
import { type Defer, scoped } from '../scope.ts'

/** The service over HTTP beside bare Fastify, which answers the same bytes, and beside what people write instead. */
export const measureHttp = ({ options: { httpAuctions, rounds, seconds }, log }: Bench) =>
  scoped(async (defer) => {
    const memory = await startService('memory', httpAuctions, defer)
    const sqlite = await startService('sqlite', httpAuctions, defer)
    const bare = await startStack('bare', { ANSWER: JSON.stringify(await answerToABid(memory)) }, httpAuctions, defer)
    const idiomatic = await startStack('idiomatic', {}, httpAuctions, defer)
    const express = await startStack('express', {}, httpAuctions, defer)

    const point = (key: string, label: string, server: Server, request: 'bid' | 'read', floor?: string): Point => ({
      key,
      label,
      clients: connections,
      floor: floor === undefined ? undefined : [floor, 'cpuMicros'],
      async measure() {
        await server.usage()
        const { requests, ...sample } = await runWrk(server, request, seconds)
        return { ...sample, cpuMicros: (await server.usage()).cpuMicros / requests }
      },
    })
    const points = [
      point('bare', 'bids: bare Fastify', bare, 'bid'),
      point('memory', 'bids: the service in memory', memory, 'bid', 'bare'),
      point('sqlite', 'bids: the service on SQLite', sqlite, 'bid', 'bare'),
      point('idiomatic', 'bids: Fastify, @fastify/jwt, @fastify/rate-limit, valibot', idiomatic, 'bid', 'bare'),
      point('express', 'bids: Express, jsonwebtoken, express-rate-limit, valibot', express, 'bid', 'bare'),
      point('reads-memory', 'reads of one auction: the service in memory', memory, 'read'),
      point('reads-sqlite', 'reads of one auction: the service on SQLite', sqlite, 'read', 'reads-memory'),
    ]
    // Each server first compiles what it uses often.
    if (seconds >= 1) for (const { measure } of [...points, ...points, ...points]) await measure(defer)
    return measureInRounds(points, rounds, log)
  })

/** How long a process takes from its start until it is ready to serve. */
export function measureStart({ options, log }: Bench) {
  const point = (key: string, label: string, start: (defer: Defer) => Promise<Server>): Point => ({
    key,
    label,
    clients: 1,
    floor: key === 'bare' ? undefined : ['bare', 'tookMs'],
    measure: async (defer) => ({ tookMs: (await start(defer)).startMs }),
  })
  const ANSWER = JSON.stringify({ headers: {}, body: {} })
  const points = [
    point('bare', 'bare Fastify', (defer) => startStack('bare', { ANSWER }, 0, defer)),
    point('memory', 'the service in memory', (defer) => startService('memory', 0, defer)),
    point('sqlite', 'the service on a new file', (defer) => startService('sqlite', 0, defer)),
  ]
  return measureInRounds(points, options.rounds, log)
}

/** What Node adds to every answer. */
const nodesOwn = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** The headers and the body of the answer to an accepted bid. */
async function answerToABid({ origin, callers: [caller] }: Server) {
  if (caller === undefined) throw new RangeError('no auction takes bids')
  const bid = { auctionId: caller.auctionId, bidderId: 2, amount: auctionFields.startingPrice }
  const { headers, body } = await post(`${origin}/api/Bids`, caller, bid)
  return { headers: Object.fromEntries(headers.filter(([name]) => !nodesOwn.has(name))), body }
}
