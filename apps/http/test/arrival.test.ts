import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { sampleNewAuction } from '@auction/testing/samples'
import { startTcpProxy } from '@auction/testing/tcp-proxy'
import { expect, onTestFinished, test } from 'vitest'
import { describePostgresql } from '../../../tools/vitest/postgresql.ts'
import { clientOf, newAuction, openAuction } from './support/client.ts'
import { answering, keySetServer } from './support/key-set-server.ts'
import { rawConnection, requestBytes } from './support/raw-connection.ts'
import { startServer, type TestServer } from './support/server.ts'
import { jsonHeaders, permissions, signedBy } from './support/tokens.ts'

const endMs = Date.parse(newAuction.endTime)
const isoAt = (ms: number) => new Date(ms).toISOString()

/** The requests that have arrived whole since this call. */
function arrivalsAt({ app }: TestServer): () => readonly IncomingMessage[] {
  const requests: IncomingMessage[] = []
  app.server.on('request', (request) => requests.push(request))
  return () => requests.filter(({ complete }) => complete)
}

test('a bid that arrived before the end counts, even if the keys of its token arrive after it', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keySet = await keySetServer(() => undefined)
  const server = await startServer({ environment: { JWT_JWKS_URL: keySet.url } })
  const issuer = await keySet.asked(1)
  await server.service.createAuction(sampleNewAuction({ endTime: newAuction.endTime }))
  const token = signedBy(privateKey, { alg: 'ES256', kid: 'ec' }, { sub: 'anna', permissions })
  const arrivals = arrivalsAt(server)
  server.clock.set(isoAt(endMs - 1))
  const placed = clientOf(server, token).placeBid()
  await expect.poll(() => arrivals().length).toBe(1)
  server.clock.set(isoAt(endMs + 1_000))
  answering({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'ec' }] })(issuer.req, issuer)
  expect(await placed).toMatchObject({ status: 201, body: { data: { timestamp: isoAt(endMs - 1) } } })
})

/** Sends the head of a request and all of its body but the last byte, and the last byte when the clock has reached the end. */
async function sendAcrossTheEnd(server: TestServer, path: string, fields: object): Promise<string> {
  const bytes = requestBytes('POST', path, jsonHeaders, JSON.stringify(fields))
  server.clock.set(isoAt(endMs - 1))
  const connection = await rawConnection(server.port)
  const begun = once(server.app.server, 'request')
  connection.write(bytes.slice(0, -1))
  await begun
  server.clock.set(isoAt(endMs))
  connection.write(bytes.slice(-1))
  return connection.until(/\r\n\r\n\{.*\}$/s)
}

test('a bid whose last byte arrives at the end is late', async () => {
  const server = await startServer()
  const { id: auctionId } = await openAuction(server)
  const answer = await sendAcrossTheEnd(server, '/api/Bids', { auctionId, bidderId: 2, amount: 100 })
  expect(answer).toContain('"code":"auction-ended"')
})

test('an auction whose last byte arrives at its end is refused', async () => {
  const answer = await sendAcrossTheEnd(await startServer(), '/api/Auctions', newAuction)
  expect(answer).toContain('"pointer":"/endTime"')
})

describePostgresql('two servers whose store stalls around the end', (database) => {
  test('accept or outbid what arrived in time, and refuse what arrived after the end', async () => {
    const uri = new URL(await database())
    const proxy = await startTcpProxy({ host: uri.hostname, port: Number(uri.port || 5432) })
    onTestFinished(() => proxy.close())
    uri.host = `127.0.0.1:${proxy.port}`
    const start = async () => {
      const store = await connectPostgresqlStore(uri.href)
      onTestFinished(() => store.close())
      return startServer({ store, environment: { RATE_LIMIT_MAX: '1000000' } })
    }
    const servers = [await start(), await start()] as const
    const arrivals = servers.map(arrivalsAt)
    const arrived = () => arrivals.reduce((count, at) => count + at().length, 0)
    const auction = await openAuction(servers[0])
    const setClocks = (ms: number) => {
      for (const { clock } of servers) clock.set(isoAt(ms))
    }
    /** Bids of this many bidders through each server. */
    const bidsOf = (bidders: number) =>
      servers.flatMap((server, index) =>
        Array.from({ length: bidders }, (_, bidder) =>
          clientOf(server, undefined, auction.id).placeBid({
            bidderId: 2 + bidder,
            amount: 100 + 10 * bidder + 5 * index,
          }),
        ),
      )
    const bidders = 50
    const before = arrived()
    setClocks(endMs - 20)
    proxy.hang()
    const early = bidsOf(bidders)
    await expect.poll(arrived).toBe(before + 2 * bidders)
    setClocks(endMs)
    const late = bidsOf(1)
    await expect.poll(arrived).toBe(before + 2 * bidders + 2)
    setClocks(endMs + 1_500)
    proxy.restore()

    const outcomes = await Promise.all(early)
    expect(new Set(outcomes.map(({ status, body }) => body.code ?? status))).toEqual(new Set([201, 'bid-too-low']))
    for (const { status, body } of outcomes) if (status === 201) expect(body.data.timestamp).toBe(isoAt(endMs - 20))
    for (const { body } of await Promise.all(late)) expect(body.code).toBe('auction-ended')
    setClocks(endMs + 2_000)
    // The servers close auctions each second.
    const price = 100 + 10 * (bidders - 1) + 5
    await expect.poll(async () => (await auction.read()).result).toMatchObject({ outcome: 'sold', price })
  })
})
