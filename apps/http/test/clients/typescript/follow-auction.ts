import type { components } from './types.ts'

type Read = components['schemas']['ReadAuctionSuccess']
type Problem = components['schemas']['AuctionNotFoundProblem']

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Shows an auction until its result is final. `aheadMs` is how far the server's clock is ahead of this one. `headers` may have the
 * user's token.
 */
export async function followAuction(
  url: string,
  show: (auction: Read['data'], aheadMs: number) => void,
  { headers = {}, wait = pause }: { headers?: Record<string, string>; wait?: typeof pause } = {},
) {
  let aheadMs = Number.NEGATIVE_INFINITY
  for (;;) {
    // Without a connection, the page tries again.
    const response = await fetch(url, { headers }).catch(() => undefined)
    if (response?.ok) {
      const { data, now } = (await response.json()) as Read
      // Networks and caches only make `now` older, so the largest difference is the best one.
      aheadMs = Math.max(aheadMs, Date.parse(now) - Date.now())
      show(data, aheadMs)
      if (data.result !== null) return
    } else if (response && response.status !== 429 && response.status !== 503) {
      throw new Error(((await response.json()) as Problem).message)
    }
    await wait(Number(response?.headers.get('retry-after') ?? 2) * 1000)
  }
}
