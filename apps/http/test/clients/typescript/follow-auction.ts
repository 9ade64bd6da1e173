import type { components } from './types.ts'

type Read = components['schemas']['ReadAuctionSuccess']

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Shows an auction until its result is final. `aheadMs` is how far the server's clock is ahead of this one. */
export async function followAuction(url: string, show: (auction: Read['data'], aheadMs: number) => void, wait = pause) {
  let aheadMs = Number.NEGATIVE_INFINITY
  for (;;) {
    const response = await fetch(url)
    // The cast: a failure has a message, too.
    const { message, data, now } = (await response.json()) as Read
    if (response.ok) {
      // Networks and caches only make `now` older, so the largest difference is the best one.
      aheadMs = Math.max(aheadMs, Date.parse(now) - Date.now())
      show(data, aheadMs)
      if (data.result !== null) return
    } else if (response.status !== 429 && response.status !== 503) {
      throw new Error(message)
    }
    await wait(Number(response.headers.get('retry-after') ?? 2) * 1000)
  }
}
