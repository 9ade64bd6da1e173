import { expect, test } from 'vitest'
import { type Receiver, startReceiver, withStatus } from '../../../../tools/vitest/receiver.ts'
import { createMetrics } from '../../src/api/observability/metrics.ts'
import { capitalized } from '../../src/api/openapi/names.ts'
import { webhookTypes } from '../../src/configuration/webhooks.ts'
import { document } from '../contract/document.ts'
import { responseCheck } from '../contract/schema-check.ts'
import { clientOf, newCaller, openAuction } from '../support/client.ts'
import { samplesIn, valuesOf } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { correcting, managing, permissions, webhookSecret as WEBHOOK_SECRET } from '../support/tokens.ts'

const startWith = (receiver: Receiver, environment: Readonly<Record<string, string>> = {}): Promise<TestServer> =>
  startServer({ environment: { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET, ...environment } })

const bodiesOf = (messages: Receiver['messages']) => messages.map(({ body }) => JSON.parse(body))
const idsOf = (messages: Receiver['messages']) => messages.map(({ headers }) => headers['webhook-id'])

/** Creates an auction, corrects it, places two bids and cancels it. */
async function play(server: TestServer): Promise<number> {
  const token = newCaller({ permissions: [...permissions, correcting] })
  const auction = await openAuction(server, { cancellableUntilEnd: true, description: 'With a key.' }, token)
  const { headers } = await auction.get(`/api/Auctions/${auction.id}`)
  const ifMatch = { 'if-match': headers.get('etag') ?? '' }
  expect((await auction.patch(`/api/Auctions/${auction.id}`, { title: 'Oak desk' }, ifMatch)).status).toBe(200)
  expect((await auction.placeBid({ amount: 100 })).status).toBe(201)
  expect((await auction.placeBid({ amount: 110, bidderId: 3 })).status).toBe(201)
  expect((await auction.cancelAuction({ reason: 'Lost' })).status).toBe(201)
  return auction.id
}

test('posts all events of an auction in order, as the reference describes them', async () => {
  const receiver = await startReceiver()
  const server = await startWith(receiver)
  const id = await play(server)
  const messages = await receiver.received(5)
  const bodies = bodiesOf(messages)
  expect(idsOf(messages)).toEqual([0, 1, 2, 3, 4].map((sequence) => `evt_${id}_${sequence}`))
  expect(messages[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^auction-service\/\d/),
    'webhook-timestamp': String(server.clock.nowMs() / 1000),
    'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
  })
  expect(bodies.map(({ type }) => type)).toEqual([
    'auction.created',
    'auction.corrected',
    'auction.bid',
    'auction.bid',
    'auction.ended',
  ])
  for (const body of bodies) expectAsDescribed(body)
  // All but the first are those that clients read.
  const page = await clientOf(server).get(`/api/Auctions/${id}/Events`)
  expect(bodies.slice(1).map(({ data }) => data)).toEqual(page.body.data.items)
  const { description: _, ...read } = (await clientOf(server).createAuction({ cancellableUntilEnd: true })).body.data
  expect(bodies[0].data).toMatchObject({ sequence: 0, auction: { ...read, id, title: expect.any(String) } })
  expect(Object.keys(document.webhooks)).toEqual(webhookTypes)
})

test('posts no message of more than 64 KiB, as the guide says', async () => {
  const receiver = await startReceiver()
  const server = await startWith(receiver)
  // A control character has six bytes in JSON, which no other character exceeds. Metadata has at most 4,096 bytes in UTF-8.
  const longest = (characters: number) => '\u0001'.repeat(characters)
  const metadata = Object.fromEntries(Array.from({ length: 8 }, (_, count) => [count, longest(500)]))
  const auction = await openAuction(server, { title: longest(200), metadata, cancellableUntilEnd: true })
  await auction.cancelAuction({ reason: longest(500) })
  const sizes = (await receiver.received(2)).map(({ body }) => Buffer.byteLength(body))
  for (const bytes of sizes) expect(bytes).toBeGreaterThan(24_000)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024)
})

/** Checks that a body is as the OpenAPI document describes messages of its type. */
function expectAsDescribed(body: { readonly type: string; readonly [name: string]: unknown }): void {
  const check = responseCheck({ $ref: `#/components/schemas/${capitalized(body.type)}Message` })
  expect(check(body)).toEqual([])
  expect(body).toMatchObject({ data: { timestamp: body['timestamp'] } })
}

test('posts repairs, as the reference describes them and as clients read them', async () => {
  const receiver = await startReceiver()
  const server = await startWith(receiver)
  const token = newCaller({ permissions: [...permissions, managing] })
  const { id, post, get, placeBid } = await openAuction(server, { reservePrice: 500 }, token)
  const path = `/api/Auctions/${id}`
  await post(`${path}/Extension`, { endTime: '2030-02-07T13:00:00Z', reason: 'Outage.' })
  await placeBid()
  await post(`${path}/Withdrawal`, { bidderId: 2, reason: 'Banned.', block: true })
  await post(`${path}/Reserve`, { reservePrice: 0, reason: 'Agreed.' })
  await post(`${path}/Closing`, { reason: 'Lost.' })
  const [, ...bodies] = bodiesOf(await receiver.received(6))
  expect(bodies.map(({ type }) => type)).toEqual([
    'auction.extended',
    'auction.bid',
    'auction.withdrawn',
    'auction.reserve-lowered',
    'auction.ended-early',
  ])
  for (const body of bodies) expectAsDescribed(body)
  expect(bodies.map(({ data }) => data)).toEqual((await get(`${path}/Events`)).body.data.items)
})

test('posts only the configured types', async () => {
  const receiver = await startReceiver()
  const server = await startWith(receiver, { WEBHOOK_EVENTS: 'auction.created,auction.ended' })
  const id = await play(server)
  expect(idsOf(await receiver.received(2))).toEqual([`evt_${id}_0`, `evt_${id}_4`])
})

test('shows ids of bidders that the service hides from readers, unless the endpoint has pseudonyms', async () => {
  const [shop, partner] = [await startReceiver(), await startReceiver()]
  const WEBHOOKS = JSON.stringify([
    { name: 'shop', url: shop.url, secret: WEBHOOK_SECRET },
    { name: 'partner', url: partner.url, secret: WEBHOOK_SECRET, pseudonyms: true },
  ])
  const server = await startServer({
    environment: { WEBHOOKS, PSEUDONYM_SECRET: 'a secret for pseudonyms, of 32 bytes' },
  })
  const auction = await openAuction(server)
  await auction.placeBid({ bidderId: 3 })
  const { leaderId: outbidId } = await auction.read()
  await auction.placeBid({ bidderId: 2, amount: 200 })
  server.clock.set('2030-02-08T00:00:00Z')
  await server.service.closeDue()
  const biddersOf = async (receiver: Receiver) => {
    const [, , bid, ended] = bodiesOf(await receiver.received(4))
    return [bid.data.bids[0].bidderId, bid.data.leaderId, bid.data.previousLeaderId, ended.data.result.winnerId]
  }
  expect(await biddersOf(shop)).toEqual([2, 2, 3, 2])
  const { leaderId } = await auction.read()
  expect(Math.max(leaderId, outbidId)).toBeLessThan(0)
  expect(await biddersOf(partner)).toEqual([leaderId, leaderId, outbidId, leaderId])
})

test('counts attempts, and shows what waits', async () => {
  const receiver = await startReceiver()
  const metrics = createMetrics()
  const environment = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET }
  const server = await startServer({ environment, metrics })
  const read = async () => samplesIn(await metrics.registry.metrics())
  const begin = await read()
  for (const series of [
    'auction_webhook_attempts_total{webhook="default",outcome="failed"}',
    'auction_webhook_given_up_total{webhook="default"}',
    'auction_webhook_delay_seconds_count{webhook="default"}',
    'auction_webhook_pending{webhook="default"}',
    'auction_webhook_oldest_pending_seconds{webhook="default"}',
  ]) {
    expect(begin.get(series), series).toBe(0)
  }
  receiver.respondWith(withStatus(500))
  await openAuction(server)
  await receiver.received(1)
  server.clock.advance(1_500)
  const failing = await read()
  expect(failing.get('auction_webhook_pending{webhook="default"}')).toBe(1)
  expect(failing.get('auction_webhook_oldest_pending_seconds{webhook="default"}')).toBe(1.5)
  receiver.respondWith(withStatus(200))
  await receiver.received(2)
  const pending = async () => (await read()).get('auction_webhook_pending{webhook="default"}')
  await expect.poll(pending).toBe(0)
  const end = await read()
  expect(valuesOf(end, 'auction_webhook_attempts_total')).toEqual({
    '{webhook="default",outcome="delivered"}': 1,
    '{webhook="default",outcome="failed"}': 1,
  })
  expect(end.get('auction_webhook_delay_seconds_sum{webhook="default"}')).toBe(1.5)
})

test('logs a line when a delivery fails, and one when an outage begins and ends', async () => {
  const receiver = await startReceiver()
  receiver.respondWith(withStatus(500))
  const server = await startWith(receiver)
  for (let count = 0; count < 5; count++) await openAuction(server)
  await server.logged(/all deliveries to an endpoint fail/)
  receiver.respondWith(withStatus(200))
  await server.logged(/succeed again/)
  const lines = server.log.map((line) => JSON.parse(line)).filter(({ webhook }) => webhook !== undefined)
  expect(lines).toMatchObject([
    {
      ...{ level: 40, msg: 'a delivery failed; another attempt follows', webhook: 'default', id: 'evt_1_0' },
      ...{ attempt: 1, reason: 'status 500', failures: 1 },
    },
    { level: 40, msg: expect.stringMatching(/^all deliveries/), webhook: 'default', reason: 'status 500' },
    { level: 30, msg: 'deliveries to an endpoint succeed again', webhook: 'default', ms: expect.any(Number) },
  ])
  expect(server.log.join('')).not.toContain(WEBHOOK_SECRET)
})
