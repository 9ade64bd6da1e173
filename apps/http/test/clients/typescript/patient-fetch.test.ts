import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createPatientFetch } from './patient-fetch.ts'

/** A server that handles the first request with the first listener, and so on; the last one handles all others. */
async function serverOf(...listeners: readonly RequestListener[]) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    listeners[Math.min(bodies.length, listeners.length) - 1]?.(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  // The cast: a server that listens on a port has an address of this form.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/Bids`, bodies }
}

const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { connection: 'close', ...headers }).end()
const breaks: RequestListener = (request) => request.socket.destroy()

/** Sends a POST with a fetch whose waits are recorded instead of slept. Returns the waits. */
async function post(url: string, headers: Readonly<Record<string, string>>) {
  const waits: number[] = []
  const patient = createPatientFetch(async (ms) => void waits.push(ms))
  const sent = patient(new Request(url, { method: 'POST', headers, body: '{}' }))
  return {
    waits,
    status: await sent.then(
      (response) => response.status,
      () => 'none',
    ),
  }
}

const withKey = { 'idempotency-key': 'bid-1' }

test.each([
  ['503', answers(503, { 'retry-after': '2' })],
  ['429', answers(429, { 'retry-after': '2' })],
])('after a %s it waits as long as the response says, and repeats the request', async (_, refusal) => {
  const { url, bodies } = await serverOf(refusal, answers(201))
  const { status, waits } = await post(url, withKey)
  expect({ status, bodies, waits: waits.length }).toEqual({ status: 201, bodies: ['{}', '{}'], waits: 1 })
  expect(waits[0]).toBeGreaterThanOrEqual(2000)
})

test('after a broken connection it repeats the request', async () => {
  const { url, bodies } = await serverOf(breaks, answers(201))
  expect(await post(url, withKey)).toMatchObject({ status: 201 })
  expect(bodies).toEqual(['{}', '{}'])
})

test('it gives up after five tries', async () => {
  const refusing = await serverOf(answers(503, { 'retry-after': '1' }))
  expect(await post(refusing.url, withKey)).toMatchObject({ status: 503 })
  const breaking = await serverOf(breaks)
  expect(await post(breaking.url, withKey)).toMatchObject({ status: 'none' })
  expect([refusing.bodies.length, breaking.bodies.length]).toEqual([5, 5])
})

test('without a key, a POST with an unknown outcome is not repeated', async () => {
  for (const listener of [answers(503, { 'retry-after': '1' }), breaks]) {
    const { url, bodies } = await serverOf(listener)
    await post(url, {})
    expect(bodies).toHaveLength(1)
  }
})

test('a refusal that a retry cannot change is returned immediately', async () => {
  const { url, bodies } = await serverOf(answers(409))
  expect(await post(url, withKey)).toEqual({ status: 409, waits: [] })
  expect(bodies).toHaveLength(1)
})
