import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { listen } from '../../../../tools/vitest/listen.ts'
import { openAuction, runningNow } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { webhookSecret as WEBHOOK_SECRET } from '../support/tokens.ts'
// @ts-expect-error: plain JavaScript, as the page has it
import { createReceiver as untyped } from './scripts/receive-webhooks.js'
// @ts-expect-error: plain JavaScript, as the page has it
import { tellOutbid } from './scripts/tell-outbid.js'

type OnMessage = (id: string, message: { readonly type: string }) => unknown
const createReceiver: (secret: string, onMessage: OnMessage) => Server = untyped

const logged = vi.spyOn(console, 'error').mockReturnValue()
afterEach(() => void logged.mockClear())

async function startReceiver(onMessage: OnMessage): Promise<string> {
  return `http://127.0.0.1:${await listen(createReceiver(WEBHOOK_SECRET, onMessage))}/`
}

/** Starts a server that posts to a receiver. Receivers refuse messages of another time. */
async function startPosting(WEBHOOK_URL: string) {
  const server = await startServer({ environment: { WEBHOOK_URL, WEBHOOK_SECRET } })
  server.clock.set(new Date().toISOString())
  return server
}

test('the receiver of the page gets each message, and again after it failed and logged why', async () => {
  const seen: string[] = []
  const { promise: hasBid, resolve } = Promise.withResolvers<void>()
  const WEBHOOK_URL = await startReceiver((id, { type }) => {
    seen.push(`${id} ${type}`)
    if (seen.length === 1) throw new Error('the database is not available')
    if (type === 'auction.bid') resolve()
  })
  const auction = await openAuction(await startPosting(WEBHOOK_URL), runningNow())
  await auction.placeBid({ amount: 100 })
  await hasBid
  const created = `evt_${auction.id}_0 auction.created`
  expect(seen).toEqual([created, created, `evt_${auction.id}_1 auction.bid`])
  expect(logged).toHaveBeenCalledExactlyOnceWith(new Error('the database is not available'))
})

test('the notices of the page are sent to each leader that was outbid, and to no other user', async () => {
  const notices: unknown[] = []
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  const WEBHOOK_URL = await startReceiver((_id, message) => {
    tellOutbid(message, (...notice: unknown[]) => notices.push(notice))
    if (message.type === 'auction.ended') resolve()
  })
  const auction = await openAuction(await startPosting(WEBHOOK_URL), runningNow())
  for (const bid of [
    { bidderId: 2, amount: 100, maximumAmount: 200 },
    { bidderId: 3, amount: 150 },
    { bidderId: 3, amount: 205 },
  ]) {
    await auction.placeBid(bid)
  }
  await auction.cancelAuction()
  await isOver
  const text = `You were outbid in auction ${auction.id}: the price is 205. Bid 210 or more to lead again.`
  expect(notices).toEqual([[2, text]])
})

test('the receiver of the page refuses what is not signed, and survives requests that are aborted or endless', async () => {
  const url = await startReceiver(() => {
    throw new Error('it must not be called')
  })
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)

  const aborted = connect(Number(new URL(url).port), '127.0.0.1')
  aborted.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{', () => aborted.resetAndDestroy())
  await once(aborted, 'close')
  let sent = 0
  const body = new ReadableStream({
    pull(stream) {
      sent += 65_536
      stream.enqueue(new Uint8Array(65_536))
    },
  })
  const status = await fetch(url, { method: 'POST', body, duplex: 'half' }).then(
    (response) => response.status,
    () => 'closed',
  )
  expect([413, 'closed']).toContain(status)
  // The receiver has stopped reading; the rest was in buffers.
  expect(sent).toBeLessThan(20_000_000)

  // The run fails if a rejection of the receiver has no handler.
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  expect(logged).not.toHaveBeenCalled()
})
