import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { type Receiver, startReceiver, withStatus } from '../../../../tools/vitest/receiver.ts'
import { clientOf, openAuction, runningNow } from '../support/client.ts'
import { logLines, startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret as JWT_SECRET } from '../support/tokens.ts'

/** A certificate of `localhost` and `127.0.0.1` that signs itself, valid from 2020 to 2119, and its key. Only tests use them. */
const certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBRzCB7qADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
dDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowFDESMBAGA1UEAwwJ
bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHUpJ+76k59+ie+Yj
EGWlW0oW2zX+4ClqId1KPVlVOAQaJy2D3gjs1QJ8V1sTApt6fz0Ox4iSXCWbDWGy
ofxzH6MvMC0wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMA8GA1UdEwEB/wQF
MAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAOOR3T0FFH5jRP0sQtLTRVcF7kN9CY8i
Ih0OIF0zTfo+AiAPhpqEulQ6IkjNOhTyrimnLXltM1MlkFgBIvA9Zs/Avw==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSDy4Wpp9rBcU9ToM
+600WZ649DHqrBNCHFs8O/GCEOyhRANCAAQdSkn7vqTn36J75iMQZaVbShbbNf7g
KWoh3Uo9WVU4BBonLYPeCOzVAnxXWxMCm3p/PQ7HiJJcJZsNYbKh/HMf
-----END PRIVATE KEY-----
`,
}

const [oldSecret, newSecret] = [randomBytes(32), randomBytes(32)].map((key) => `whsec_${key.toString('base64')}`) as [
  string,
  string,
]
const old = new Webhook(oldSecret)

const environmentFor = ({ url }: Receiver) => ({ JWT_SECRET, WEBHOOK_URL: url, WEBHOOK_SECRET: oldSecret })

/** The ids of the messages, whose signatures are valid. */
const verifiedIds = (messages: Receiver['messages'], verifier = old) =>
  messages.map(({ headers, body }) => {
    // The cast: Node gives each of these headers once.
    verifier.verify(body, headers as Record<string, string>)
    return String(headers['webhook-id'])
  })

const idsOf = (id: number, count: number) => Array.from({ length: count }, (_, sequence) => `evt_${id}_${sequence}`)

longTest('a message whose response a killed server did not receive is repeated with its id', async () => {
  const receiver = await startReceiver()
  receiver.answerWith(() => undefined)
  const folder = temporaryFolder()
  const first = await startServerProcess(environmentFor(receiver), { folder })
  const auction = await openAuction(first, runningNow())
  await receiver.received(1)
  await first.kill()

  receiver.answerWith(withStatus(200))
  await startServerProcess(environmentFor(receiver), { folder })
  const messages = await receiver.received(2)
  expect(verifiedIds(messages)).toEqual(['evt_1_0', 'evt_1_0'].map((id) => id.replace('1', String(auction.id))))
  expect(messages[1]?.body).toBe(messages[0]?.body)
})

longTest('a secret is replaced while messages wait: receivers with either one verify them', async () => {
  const receiver = await startReceiver()
  receiver.answerWith(withStatus(500))
  const folder = temporaryFolder()
  const first = await startServerProcess(environmentFor(receiver), { folder })
  await openAuction(first, runningNow())
  await receiver.received(1)
  await first.kill()

  receiver.answerWith(withStatus(200))
  const before = receiver.messages.length
  const WEBHOOK_SECRET = `${newSecret} ${oldSecret}`
  await startServerProcess({ ...environmentFor(receiver), WEBHOOK_SECRET }, { folder })
  const messages = await receiver.received(before + 1)
  for (const secret of [oldSecret, newSecret]) {
    expect(verifiedIds(messages.slice(before), new Webhook(secret))).toHaveLength(1)
  }
})

longTest('an endpoint with TLS needs a certificate that Node.js trusts', async () => {
  const receiver = await startReceiver(certificate)
  const folder = temporaryFolder()
  const environment = { ...environmentFor(receiver), NODE_ENV: 'production' }
  const first = await startServerProcess(environment, { folder })
  const auction = await openAuction(first, runningNow())
  await first.until(/a delivery failed.*\n/)
  expect(logLines(first.stdout()).at(-1).reason).toContain('self-signed certificate')
  await first.kill()
  expect(receiver.messages).toEqual([])

  const NODE_EXTRA_CA_CERTS = join(folder, 'authority.pem')
  await writeFile(NODE_EXTRA_CA_CERTS, certificate.cert)
  await startServerProcess({ ...environment, NODE_EXTRA_CA_CERTS }, { folder })
  expect(verifiedIds(await receiver.received(1))).toEqual(idsOf(auction.id, 1))
})

test('two servers post each event at least once, and in order', async () => {
  const receiver = await startReceiver()
  const environment = { ...environmentFor(receiver), RATE_LIMIT_MAX: '1000000' }
  const folder = temporaryFolder()
  const servers = [await startServerProcess(environment, { folder }), await startServerProcess(environment, { folder })]
  const auctions = await Promise.all(servers.map((server) => openAuction(server, runningNow())))
  const bids = 30
  await Promise.all(
    auctions.map(async ({ id }) => {
      for (let amount = 100; amount < 100 + 10 * bids; amount += 10) {
        const [server] = amount % 20 === 0 ? servers : servers.toReversed()
        if (server === undefined) throw new Error('there are two servers')
        const placed = await clientOf(server).placeBid({ auctionId: id, amount, bidderId: 2 + (amount % 3) })
        expect(placed.status).toBe(201)
      }
    }),
  )
  const wanted = auctions.flatMap(({ id }) => idsOf(id, bids + 1))
  const firstDeliveries = () => [...new Set(verifiedIds(receiver.messages))]
  // Both servers may post the same event.
  while (firstDeliveries().length < wanted.length) await receiver.received(receiver.messages.length + 1)
  const firsts = firstDeliveries()
  expect(auctions.flatMap(({ id }) => firsts.filter((each) => each.startsWith(`evt_${id}_`)))).toEqual(wanted)
})

longTest(
  'an endpoint that does not respond does not delay the shutdown beyond its time, and gets the message again',
  async () => {
    const receiver = await startReceiver()
    receiver.answerWith(() => undefined)
    const folder = temporaryFolder()
    const environment = { ...environmentFor(receiver), SHUTDOWN_SECONDS: '1' }
    const first = await startServerProcess(environment, { folder })
    await openAuction(first, runningNow())
    await receiver.received(1)
    first.child.kill('SIGTERM')
    expect(await first.exited()).toBe(0)
    expect(logLines(first.stdout()).at(-1)).toMatchObject({ msg: 'closed' })
    receiver.answerWith(withStatus(200))
    await startServerProcess(environment, { folder })
    expect(verifiedIds(await receiver.received(2))).toEqual(['evt_1_0', 'evt_1_0'])
  },
)

test('a shutdown waits for the responses to messages, so that they are not repeated', async () => {
  const receiver = await startReceiver()
  const { promise: mayRespond, resolve: respond } = Promise.withResolvers<void>()
  receiver.answerWith((response) => void mayRespond.then(() => response.end()))
  const folder = temporaryFolder()
  const first = await startServerProcess(environmentFor(receiver), { folder })
  const auction = await openAuction(first, runningNow())
  await receiver.received(1)
  first.child.kill('SIGTERM')
  await first.until(/"msg":"closing"/)
  respond()
  expect(await first.exited()).toBe(0)
  const second = await startServerProcess(environmentFor(receiver), { folder })
  await auctionOf(second, auction.id).placeBid({ amount: 100 })
  expect(verifiedIds(await receiver.received(2))).toEqual(idsOf(auction.id, 2))
})

const auctionOf = (server: { readonly url: string }, id: number) => clientOf(server, undefined, id)

test('the log has a line when a delivery fails, and one when an outage begins and ends', async () => {
  const receiver = await startReceiver()
  receiver.answerWith(withStatus(500))
  const server = await startServerProcess({ ...environmentFor(receiver), RATE_LIMIT_MAX: '1000000' })
  for (let count = 0; count < 5; count++) await openAuction(server, runningNow())
  await server.until(/all deliveries to an endpoint fail.*\n/)
  receiver.answerWith(withStatus(200))
  await server.until(/succeed again.*\n/)
  const lines = logLines(server.stdout()).filter(({ webhook }) => webhook !== undefined)
  expect(lines).toMatchObject([
    {
      level: 40,
      msg: 'a delivery failed; another attempt follows',
      webhook: 'default',
      id: 'evt_1_0',
      attempt: 1,
      reason: 'status 500',
      failures: 1,
    },
    { level: 40, msg: expect.stringMatching(/^all deliveries/), webhook: 'default', reason: 'status 500' },
    { level: 30, msg: 'deliveries to an endpoint succeed again', webhook: 'default', ms: expect.any(Number) },
  ])
  expect(server.stdout()).not.toContain(oldSecret)
})
