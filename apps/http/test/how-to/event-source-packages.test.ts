import type { IncomingMessage } from 'node:http'
import { StoreUnavailableError } from '@auction/domain/errors'
import type { Store } from '@auction/domain/store'
// @ts-expect-error: the package has no types
import { EventSourcePolyfill } from 'event-source-polyfill'
import { EventSource } from 'eventsource'
import reconnecting from 'reconnecting-eventsource'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sampleOf } from '../../../../tools/vitest/size.ts'
import { newCaller, openAuction } from '../support/client.ts'
import { serverOfFile } from '../support/server.ts'

let isStoreAway = false
const server = await serverOfFile({
  replaceInStore: (right: Store) => ({
    findAuction: (...given) =>
      isStoreAway ? Promise.reject(new StoreUnavailableError('no response')) : right.findAuction(...given),
  }),
})

type Headers = Readonly<Record<string, string>>
type Source = {
  addEventListener(type: string, listener: (event: { readonly lastEventId: string }) => void): void
  close(): void
}
// The casts: the types of the package are those of its CommonJS files, and of the browser's class, which has no such options.
const ReconnectingEventSource = reconnecting as unknown as new (url: string, options: object) => Source

const packages = {
  'event-source-polyfill': (url: string, headers: Headers): Source => new EventSourcePolyfill(url, { headers }),
  'reconnecting-eventsource with event-source-polyfill': (url: string, headers: Headers) =>
    new ReconnectingEventSource(url, { eventSourceClass: EventSourcePolyfill, headers }),
  'reconnecting-eventsource with eventsource': (url: string, headers: Headers) => {
    const send: typeof fetch = (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...headers } })
    return new ReconnectingEventSource(url, { eventSourceClass: EventSource, fetch: send })
  },
}

/** Follows an auction as a new caller. */
async function follow(open: (url: string, headers: Headers) => Source, id: number) {
  const seen: (readonly [string, string])[] = []
  // Clients wait as briefly as they may.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const source = open(`${server.url}/api/Auctions/${id}/Events`, { authorization: `Bearer ${newCaller()}` })
  onTestFinished(() => {
    source.close()
    vi.useRealTimers()
    random.mockRestore()
  })
  for (const type of ['snapshot', 'reset', 'bid', 'ended', 'bye']) {
    source.addEventListener(type, ({ lastEventId }) => seen.push([type, lastEventId]))
  }
  source.addEventListener('ended', () => source.close())
  await expect.poll(() => seen).toEqual([['snapshot', '0']])
  return {
    seen,
    /** Lets the time pass after which the server ends the first stream. */
    age() {
      vi.advanceTimersByTime(12 * 60_000)
      vi.useRealTimers()
    },
  }
}

test.each(sampleOf(Object.entries(packages)))(
  '%s gets each event once when the server ends its stream',
  async (_, open) => {
    const auction = await openAuction(server, { cancellableUntilEnd: true })
    const { seen, age } = await follow(open, auction.id)
    await auction.placeBid()
    await expect.poll(() => seen.at(-1)).toEqual(['bid', '1'])
    age()
    await expect.poll(() => seen.at(-1)).toEqual(['bye', '1'])
    await auction.placeBid({ bidderId: 3, amount: 110 })
    await auction.placeBid({ bidderId: 2, amount: 120 })
    await auction.cancelAuction()
    await expect
      .poll(() => seen.slice(3))
      .toEqual([
        ['bid', '2'],
        ['bid', '3'],
        ['ended', '4'],
      ])
  },
)

// By event-source-polyfill, it begins again with a snapshot, because it does not notice the ids.
test('reconnecting-eventsource with eventsource misses nothing after a refusal', async () => {
  const auction = await openAuction(server)
  const { seen, age } = await follow(packages['reconnecting-eventsource with eventsource'], auction.id)
  await auction.placeBid()
  await expect.poll(() => seen.at(-1)).toEqual(['bid', '1'])
  const paths: (string | undefined)[] = []
  const note = ({ url }: IncomingMessage) => paths.push(url)
  server.app.server.on('request', note)
  onTestFinished(() => {
    isStoreAway = false
    server.app.server.off('request', note)
  })
  isStoreAway = true
  age()
  await expect.poll(() => paths).toContain(`/api/Auctions/${auction.id}/Events?lastEventId=1`)
  isStoreAway = false
  await auction.placeBid({ bidderId: 3, amount: 110 })
  await expect
    .poll(() => seen.slice(2))
    .toEqual([
      ['bye', '1'],
      ['bid', '2'],
    ])
})
