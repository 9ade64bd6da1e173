import { expect, onTestFinished, test, vi } from 'vitest'
import { createAuctionClient } from '../page/client.js'
import { createLive, type LiveState } from '../page/live.js'

/** Follows auctions of a service whose streams stay open, and send nothing. */
async function openLive() {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const urls: string[] = []
  const states: LiveState[] = []
  const client = createAuctionClient({
    baseUrl: 'http://auctions.example',
    async fetch(url) {
      urls.push(url)
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const live = createLive(client, {
    scope: crypto.randomUUID(),
    onAuction: () => undefined,
    onState: (state) => void states.push(state),
  })
  onTestFinished(() => {
    live.close()
    vi.useRealTimers()
  })
  await vi.waitUntil(() => states.includes('over'))
  return { live, states, urls }
}

test('nothing is lost while no auction is followed', async () => {
  const { live, states } = await openLive()
  live.watch([3])
  await vi.waitUntil(() => states.at(-1) === 'connecting')
  live.watch([])
  await vi.waitUntil(() => states.at(-1) === 'over')
  expect(states).not.toContain('lost')
  expect(live.isSilent()).toBe(false)
})

test('a connection that was silent for 20 seconds is replaced when the page comes back', async () => {
  const { live, urls } = await openLive()
  live.watch([3, 4])
  await vi.waitUntil(() => urls.length === 1)
  await vi.advanceTimersByTimeAsync(19_000)
  live.check()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(urls).toEqual(['http://auctions.example/api/Auctions/Events?ids=3,4'])
  await vi.advanceTimersByTimeAsync(100)
  live.check()
  await vi.waitUntil(() => urls.length === 2)
})
