import { expect, onTestFinished, test, vi } from 'vitest'
import { createAuctionClient } from '../page/client.js'
import { type AuctionState, createLive, type LiveState } from '../page/live.js'
import { auction } from './sample.ts'

const eventStream = { headers: { 'content-type': 'text/event-stream' } }
/** A stream that stays open, and sends a text at first. */
const openStream = (text = ': \n\n') =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    }),
    eventStream,
  )
const refused = (status: number, code: string) =>
  Response.json({ success: false, status, code, message: `It is ${code}.` }, { status })

/** A tab that follows auctions of a service with these responses. The first one of a scope has the stream. */
function openTab(respond: (url: string) => Response, scope: string) {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  const urls: string[] = []
  const states: LiveState[] = []
  const seen: AuctionState[] = []
  const onRefused = vi.fn()
  const client = createAuctionClient({
    baseUrl: 'http://auctions.example',
    async fetch(url) {
      urls.push(url.replace('http://auctions.example/api/', ''))
      return respond(url)
    },
  })
  const live = createLive(client, {
    scope,
    onAuction: (state) => void seen.push(state),
    onState: (state) => void states.push(state),
    onRefused,
  })
  onTestFinished(() => {
    live.close()
    vi.useRealTimers()
  })
  return { live, client, states, urls, seen, onRefused }
}

async function openLive(respond: (url: string) => Response = () => openStream(), scope = crypto.randomUUID()) {
  const tab = openTab(respond, scope)
  await vi.waitUntil(() => tab.states.includes('over'))
  return { ...tab, scope }
}

test('nothing is lost while no auction is followed', async () => {
  const { live, states } = await openLive()
  live.watch([3])
  await vi.waitUntil(() => states.at(-1) === 'live')
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
  await vi.advanceTimersByTimeAsync(900)
  expect(urls).toEqual(['Auctions/Events?ids=3,4'])
  await vi.advanceTimersByTimeAsync(200)
  live.check()
  await vi.waitUntil(() => urls.length === 2)
})

test('a refused token is reported once, and not sent again when the page comes back', async () => {
  const { live, urls, onRefused } = await openLive(() => refused(401, 'unauthenticated'))
  live.watch([3])
  await vi.waitUntil(() => onRefused.mock.calls.length === 1)
  await vi.advanceTimersByTimeAsync(60_000)
  live.check(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(urls).toHaveLength(1)
  expect(onRefused).toHaveBeenCalledOnce()
})

test('without the permission for streams, states are read every three seconds, and are soon lost without the service', async () => {
  let isAway = false
  const page = { success: true, message: '', now: '2030-01-01T12:00:00Z', data: { items: [auction], nextCursor: null } }
  const { live, urls, seen, states } = await openLive((url) => {
    if (isAway) throw new TypeError('fetch failed')
    return url.includes('Events') ? refused(403, 'forbidden') : Response.json(page)
  })
  live.watch([1])
  await vi.waitUntil(() => seen.length === 1)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(seen[0]).toMatchObject({ sequence: 0, auction: { id: 1 } })
  expect(urls.slice(1)).toEqual(Array(3).fill('Auctions?ids=1'))
  expect(states.at(-1)).toBe('live')
  isAway = true
  await vi.advanceTimersByTimeAsync(20_000)
  expect(states.at(-1)).toBe('lost')
})

test('the next tab gets the newest states and the time of the service by the stream of the first one', async () => {
  const now = '2030-01-01T12:00:00.000Z'
  const state = { now, sequence: 7, auction }
  const first = await openLive(() => openStream(`event: auction\ndata: ${JSON.stringify(state)}\n\n`))
  first.live.watch([1])
  await vi.waitUntil(() => first.seen.length > 0)
  const second = openTab(() => openStream(), first.scope)
  second.live.watch([1])
  await vi.waitUntil(() => second.seen.length > 0)
  expect(second.seen[0]).toMatchObject(state)
  expect(second.urls).toEqual([])
  expect(second.client.now()).toBeGreaterThanOrEqual(Date.parse(now))
})

test('the auctions beyond the first hundred are read, since a stream has a hundred', async () => {
  const read = () =>
    Response.json({
      success: true,
      message: '',
      now: '2030-01-01T12:00:00.000Z',
      data: { items: [{ ...auction, id: 101 }] },
    })
  const { live, seen, urls } = await openLive((url) => (url.includes('/Events') ? openStream() : read()))
  live.watch(Array.from({ length: 101 }, (_, index) => index + 1))
  await vi.waitUntil(() => seen.length > 0)
  expect(seen[0]).toMatchObject({ auction: { id: 101 } })
  await vi.advanceTimersByTimeAsync(3_000)
  await vi.waitUntil(() => seen.length > 1)
  const [stream, ...reads] = urls
  expect(decodeURIComponent(stream ?? '')).toMatch(/^Auctions\/Events\?ids=1,.*,100$/)
  expect(new Set(reads)).toEqual(new Set(['Auctions?ids=101']))
})
