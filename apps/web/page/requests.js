import { createAuctionClient, newKey } from './client.js'

/** How long readers wait for what they asked to see. */
const readMs = 10_000

/**
 * A client for a page, which sends no cookies.
 * @param {{ base: string, token?: Parameters<typeof createAuctionClient>[0]['token'] }} options `base` is that of `baseOf`.
 */
export const createPageClient = ({ base, token }) =>
  createAuctionClient({ baseUrl: base, token, fetch: (url, init) => fetch(url, { ...init, credentials: 'omit' }) })

/** The address of the service, with a slash at its end, for links. @param {string} url By default, where the page is. */
export const baseOf = (url = '.') => new URL(url === '.' ? url : url.replace(/\/?$/, '/'), document.baseURI).href

/** The options of a read, which a reader waits for. @param {AbortSignal} [signal] Ends it earlier. */
export function soon(signal) {
  const deadline = AbortSignal.timeout(readMs)
  return { signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]) }
}

/** Keys for what one form sends: the same request has the same key until its outcome is known. */
export function createKeys() {
  /** @type {{ request: string, key: string } | undefined} */
  let open
  return {
    /** @param {readonly unknown[]} parts What identifies the request. */
    of(...parts) {
      const request = JSON.stringify(parts)
      if (open?.request !== request) open = { request, key: newKey() }
      return open.key
    },
    done() {
      open = undefined
    },
  }
}
