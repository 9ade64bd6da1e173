import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { sampleNewAuction } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { clientOf, newAuction, openAuction } from './support/client.ts'
import { jsonResponse, keySetServer } from './support/key-set-server.ts'
import { rawConnection, requestBytes } from './support/raw-connection.ts'
import { startServer, type TestServer } from './support/server.ts'
import { jsonHeaders, permissions, signedBy } from './support/tokens.ts'

const endMs = Date.parse(newAuction.endTime)
const isoAt = (ms: number) => new Date(ms).toISOString()

test('a bid that arrived before the end counts, even if the keys of its token arrive after it', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keySet = await keySetServer(() => undefined)
  const server = await startServer({ environment: { JWT_JWKS_URL: keySet.url } })
  const issuer = await keySet.asked(1)
  await server.service.createAuction(sampleNewAuction({ endTime: newAuction.endTime }))
  const token = signedBy(privateKey, { alg: 'ES256', kid: 'ec' }, { sub: 'anna', permissions })
  const arrived = once(server.app.server, 'request')
  server.clock.set(isoAt(endMs - 1))
  const placed = clientOf(server, token).placeBid()
  // The cast: `once` does not type events.
  const [request] = (await arrived) as [IncomingMessage]
  await expect.poll(() => request.complete).toBe(true)
  server.clock.set(isoAt(endMs + 1_000))
  jsonResponse({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'ec' }] })(issuer.req, issuer)
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
  const response = await sendAcrossTheEnd(server, '/api/Bids', { auctionId, bidderId: 2, amount: 100 })
  expect(response).toContain('"code":"auction-ended"')
})

test('an auction whose last byte arrives at its end is refused', async () => {
  const response = await sendAcrossTheEnd(await startServer(), '/api/Auctions', newAuction)
  expect(response).toContain('"pointer":"/endTime"')
})
