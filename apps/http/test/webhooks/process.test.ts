import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { type Receiver, startReceiver, withStatus } from '../../../../tools/vitest/receiver.ts'
import { clientOf, openAuction, runningNow } from '../support/client.ts'
import { logLines, startServerProcess, temporaryFolder } from '../support/server-process.ts'
import { secret as JWT_SECRET, webhookSecret as WEBHOOK_SECRET } from '../support/tokens.ts'

const environmentFor = ({ url }: Receiver) => ({ JWT_SECRET, WEBHOOK_URL: url, WEBHOOK_SECRET })

/** The ids of the messages, whose signatures are valid. */
const verifiedIds = (messages: Receiver['messages']) =>
  messages.map(({ headers, body }) => {
    // The cast: Node gives each of these headers once.
    new Webhook(WEBHOOK_SECRET).verify(body, headers as Record<string, string>)
    return String(headers['webhook-id'])
  })

const idsOf = (id: number, count: number) => Array.from({ length: count }, (_, sequence) => `evt_${id}_${sequence}`)

longTest(
  'an endpoint that does not respond does not delay the shutdown beyond its time, and gets the message again',
  async () => {
    const receiver = await startReceiver()
    receiver.respondWith(() => undefined)
    const folder = temporaryFolder()
    const environment = { ...environmentFor(receiver), SHUTDOWN_SECONDS: '1' }
    const first = await startServerProcess(environment, { folder })
    await openAuction(first, runningNow())
    await receiver.received(1)
    first.child.kill('SIGTERM')
    expect(await first.exited()).toBe(0)
    expect(logLines(first.stdout()).at(-1)).toMatchObject({ msg: 'closed' })
    receiver.respondWith(withStatus(200))
    await startServerProcess(environment, { folder })
    expect(verifiedIds(await receiver.received(2))).toEqual(['evt_1_0', 'evt_1_0'])
  },
)

test('a shutdown waits for the responses to messages, so that they are not repeated', async () => {
  const receiver = await startReceiver()
  const { promise: mayRespond, resolve: respond } = Promise.withResolvers<void>()
  receiver.respondWith((response) => void mayRespond.then(() => response.end()))
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
