import { auctionFields } from '../bidding.ts'
import { get, jsonOf, post, type Server, startAlone, startStack } from '../http/server.ts'
import { defaultConnections, runWrk } from '../http/wrk.ts'
import { measureInRounds, type Point } from '../measure/rows.ts'
import type { Bench } from '../options.ts'
import { scoped } from '../scope.ts'

/** The service over HTTP, compared with bare Fastify that returns the same bytes, and with typical alternatives. */
export const measureHttp = ({ options: { httpAuctions, rounds, seconds }, log }: Bench) =>
  scoped(async (defer) => {
    const memory = await startAlone('memory', httpAuctions, defer)
    const sqlite = await startAlone('sqlite', httpAuctions, defer)
    const list = '/api/Auctions?limit=20'
    const bid = { auctionId: 1, bidderId: 2, amount: auctionFields.startingPrice }
    const responses = {
      RESPONSE: jsonOf(await post(`${memory.origin}/api/Bids`, bid)),
      LIST: jsonOf(await get(memory.origin + list)),
    }
    const bare = await startStack('bare', responses, defer)
    const idiomatic = await startStack('idiomatic', {}, defer)

    const point = (key: string, label: string, server: Server, path?: string): Point => ({
      key,
      label,
      clients: defaultConnections,
      floor: server === bare ? undefined : [path === undefined ? 'bare' : 'bare list', 'cpuMicros'],
      async measure() {
        const before = await server.cpuMicros()
        const { requests, sample } = await runWrk(server, { auctions: httpAuctions, seconds, path })
        return { ...sample, cpuMicros: ((await server.cpuMicros()) - before) / requests }
      },
    })
    const points = [
      point('bare', 'bare Fastify', bare),
      point('memory', 'the service in memory', memory),
      point('sqlite', 'the service on SQLite', sqlite),
      point('idiomatic', 'Fastify, @fastify/jwt, @fastify/rate-limit, valibot', idiomatic),
      point('bare list', 'a page of 20 auctions: bare Fastify', bare, list),
      point('memory list', 'a page of 20 auctions: in memory', memory, list),
      point('sqlite list', 'a page of 20 auctions: on SQLite', sqlite, list),
    ]
    // Each server first compiles its hot code.
    if (seconds >= 1) for (const { measure } of [...points, ...points, ...points]) await measure(defer)
    return measureInRounds(points, rounds, log)
  })
