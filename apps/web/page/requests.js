import { createAuctionClient, newKey } from './client.js'

/** @import { ClientOptions } from './client.js' */

/** How long readers wait for what they asked to see. */
const giveUpMs = 10_000

/**
 * A client for a page, which sends no cookies.
 * @param {{ base: string, token?: ClientOptions['token'] }} options `base` is that of `baseOf`.
 */
export const createPageClient = ({ base, token }) =>
  createAuctionClient({ baseUrl: base, token, fetch: (url, init) => fetch(url, { ...init, credentials: 'omit' }) })

/** The address of the service, with a slash at its end, for links. @param {string} url By default, where the page is. */
export const baseOf = (url = '.') => new URL(url.replace(/\/?$/, '/'), document.baseURI).href

/** The options of a read, which a reader waits for. @param {AbortSignal} [signal] Ends it. */
export const soon = (signal) => ({ signal, giveUpMs })

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
