import { expect, onTestFinished, test, vi } from 'vitest'
import { type Client, Problem } from '../page/client/client.js'
import { follow, silenceMs } from '../page/client/follow.js'

/** How often the silence is checked, and how long a client waits before it reconnects. */
const checkMs = 5_000
const retryMs = 1_000

type Connection = { readonly position: string | undefined; send(text: string): Promise<void> }

/** Follows a service whose streams send what the test writes, and stay open until the client leaves. */
function followService(refusals: readonly Headers[] = []) {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const connections: Connection[] = []
  const log: unknown[] = []
  const left = [...refusals]
  const request: Client['request'] = async (_path, init = {}) => {
    const refusal = left.shift()
    if (refusal !== undefined)
      throw new Problem({ success: false, code: 'overloaded', status: 503, message: '' }, refusal)
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    init.signal?.addEventListener('abort', () => void writer.abort(init.signal?.reason))
    const send = async (text: string) => {
      await writer.write(new TextEncoder().encode(text))
      // Until it is read.
      await vi.advanceTimersByTimeAsync(0)
    }
    connections.push({ position: init.headers?.['last-event-id'], send })
    return new Response(readable)
  }
  // The cast: streams need nothing else of a client.
  const following = follow({ request } as Client, 'api/Auctions/3/Events', {
    onEvent: (event, data) => log.push([event, data]),
    onState: (state) => log.push(state),
  })
  onTestFinished(() => {
    following.close()
    vi.useRealTimers()
  })
  return { connections, log, following }
}

test('a connection that stays open and sends nothing is replaced, from the position that was reached', async () => {
  const { connections, log } = followService()
  await connections[0]?.send('id: 7\nevent: bid\ndata: 100\n\n')
  await vi.advanceTimersByTimeAsync(silenceMs)
  expect(log).toEqual(['connecting', 'live', ['bid', 100]])

  await vi.advanceTimersByTimeAsync(checkMs)
  expect(log.slice(3)).toEqual(['lost'])
  await vi.advanceTimersByTimeAsync(retryMs)
  expect(connections.map(({ position }) => position)).toEqual([undefined, '7'])
  await connections[1]?.send('id: 8\nevent: bid\ndata: 105\n\n')
  expect(log.slice(4)).toEqual(['connecting', 'live', ['bid', 105]])
})

test('comments alone keep a connection', async () => {
  const { connections, log } = followService()
  for (let minutes = 0; minutes < 5; minutes++) {
    await connections[0]?.send(': \n\n')
    await vi.advanceTimersByTimeAsync(silenceMs - checkMs)
  }
  expect(connections.length).toBe(1)
  expect(log).not.toContain('lost')
})

test('a connection that was silent for 20 seconds is replaced when the page comes back', async () => {
  const { connections, following } = followService()
  await vi.advanceTimersByTimeAsync(19_000)
  following.check()
  await vi.advanceTimersByTimeAsync(retryMs)
  expect(connections.length).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  following.check()
  await vi.advanceTimersByTimeAsync(retryMs)
  expect(connections.length).toBe(2)
})

test.each<[retryAfter: string | undefined, waitMs: number]>([
  ['60', 60_000],
  ['9999999', 3_600_000],
  ['Wed, 21 Oct 2099 07:28:00 GMT', 1_000],
  [undefined, 1_000],
])('a refusal with Retry-After %s is waited for, %i ms', async (retryAfter, waitMs) => {
  const { connections } = followService([new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter })])
  await vi.advanceTimersByTimeAsync(waitMs - 1)
  expect(connections.length).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(connections.length).toBe(1)
})
