/**
 * The parts of the API that pages use. `openapi.json` of the service describes all of it.
 *
 * @typedef {{ endedEarly?: true } & ({ outcome: 'sold', bidId: number, winnerId: number, price: number } | { outcome: 'unsold', reason: string }
 *   | { outcome: 'bought', buyerId: number, price: number } | { outcome: 'cancelled', reason?: string })} Result
 * @typedef {{
 *   id: number, productId: number, ownerId: number, title?: string, description?: string, currency: string, status: string,
 *   startingPrice: number, minimumBidIncrement: number, startTime: string, endTime: string, effectiveEndTime: string,
 *   incrementSteps?: readonly { fromPrice: number, increment: number }[], incrementPercent?: number,
 *   maximumBidIncrement?: number, maximumNextBid?: number,
 *   metadata?: Record<string, string>, softClose?: { windowSeconds: number, extensionSeconds: number, latestEndTime?: string }, cancellableUntilEnd?: boolean,
 *   reservePrice?: number, reserveMet?: boolean, buyNowPrice?: number, buyNowOffered?: boolean,
 *   currentPrice: number, minimumNextBid: number | null, bidCount: number, leaderId: number | null, youLead?: boolean,
 *   yourMaximum?: number, repairCount: number, endedAt: string | null, result: Result | null }} Auction
 * @typedef {{ id: number, auctionId: number, bidderId: number, amount: number, timestamp: string, automatic?: true,
 *   raisesMaximum?: true, maximumAmount?: number, withdrawn?: true }} Bid
 * @typedef {{ type: string, sequence: number, timestamp: string, reason?: string, effectiveEndTime: string, currentPrice: number,
 *   bidderId?: number, blocked?: true }} Repair What staff changed.
 * @typedef {{ success: false, message: string, code: string, status: number, currentPrice?: number, minimumNextBid?: number | null, maximumNextBid?: number,
 *   buyNowPrice?: number, errors?: { pointer: string, message: string }[] }} ProblemBody
 * @typedef {ReturnType<typeof createClient>} Client
 */

const maxRetryAfterMs = 3_600_000

/** A refusal of the service (RFC 9457), or the lack of a response: then `code` is `no-response` and `status` 0. */
export class Problem extends Error {
  /** @param {ProblemBody} body @param {Headers} [headers] */
  constructor(body, headers = new Headers()) {
    super(body.message)
    this.code = body.code
    this.status = body.status
    /** The members of the problem, such as `minimumNextBid` and `errors`. */
    this.members = body
    /** Whether the token lacks the permission, rather than the user being another one. */
    this.lacksPermission = body.status === 403 && /insufficient_scope/.test(headers.get('www-authenticate') ?? '')
    /** Whether the same request may succeed later. */
    this.isTemporary = [0, 429, 503].includes(body.status)
    // A proxy may send a date, which is not read.
    this.retryAfterMs = Math.min(1000 * Number(headers.get('retry-after')) || 1_000, maxRetryAfterMs)
  }
}

/** A new `Idempotency-Key`. Unlike `crypto.randomUUID`, it is available on pages without HTTPS. */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Keys for what one form sends: the same request has the same key until its outcome is known. */
export function createKeys() {
  /** @type {{ request: string, key: string } | undefined} */
  let open
  return {
    /** @param {string} path @param {object} body */
    of(path, body) {
      const request = JSON.stringify([path, body])
      if (open?.request !== request) open = { request, key: newKey() }
      return open.key
    },
    done() {
      open = undefined
    },
  }
}

/** The service responds within 10 seconds by default. */
const responseMs = 15_000
const longestWaitMs = 10_000

/**
 * A client of the service.
 * @param {object} options
 * @param {string} [options.url] Where the API is; by default where the page is.
 * @param {string | ((isExpired: boolean) => string | undefined | Promise<string | undefined>)} [options.token] The token, or a function
 *   that returns it. It is called for every request, and again with `true` after a 401.
 */
export function createClient({ url = '.', token }) {
  const base = new URL(url.endsWith('/') || url === '.' ? url : `${url}/`, document.baseURI)
  let aheadMs = Number.NEGATIVE_INFINITY

  /** @param {boolean} isExpired */
  const tokenNow = (isExpired) => (typeof token === 'function' ? token(isExpired) : token)

  /** Networks and caches only make a time of the server older, so the largest difference is the best. @param {number} serverMs */
  function noteTime(serverMs) {
    if (!Number.isNaN(serverMs)) aheadMs = Math.max(aheadMs, serverMs - performance.now())
  }

  /** The time of the server in milliseconds. It does not depend on the clock of the device, except before the first response. */
  const now = () => (aheadMs === Number.NEGATIVE_INFINITY ? Date.now() : performance.now() + aheadMs)

  /**
   * Sends one request, with the token. @param {string} path Relative to the API, such as `api/Auctions`.
   * @param {RequestInit & { headers?: Record<string, string> }} [init]
   * @returns {Promise<Response>} With a status below 400. @throws {Problem}
   */
  async function request(path, init = {}, isExpired = false) {
    const bearer = await tokenNow(isExpired)
    const headers = { ...init.headers, ...(bearer && { authorization: `Bearer ${bearer}` }) }
    const response = await fetch(new URL(path, base), { ...init, headers, credentials: 'omit' }).catch((error) => {
      if (init.signal?.aborted && init.signal.reason?.name !== 'TimeoutError') throw error
      throw new Problem({ success: false, status: 0, code: 'no-response', message: 'The service does not respond.' })
    })
    if (response.status === 401 && typeof token === 'function' && !isExpired) return request(path, init, true)
    if (response.ok) return response
    const { status } = response
    const unreadable = { success: false, status, code: 'unreadable', message: `The service responded with ${status}.` }
    throw new Problem(await response.json().catch(() => unreadable), response.headers)
  }

  /**
   * Tries until the service responds with something final.
   * @param {string} path @param {RequestInit & { headers?: Record<string, string> }} init
   * @param {{ signal?: AbortSignal | undefined, giveUpMs: number, onRetry?: ((problem: Problem) => void) | undefined,
   *   onHeaders?: ((headers: Headers) => void) | undefined }} options
   */
  async function retried(path, init, { signal, giveUpMs, onRetry, onHeaders }) {
    const startMs = performance.now()
    for (let tries = 1; ; tries++) {
      try {
        const response = await request(path, { ...init, signal: anyOf(AbortSignal.timeout(responseMs), signal) })
        const body = await response.json()
        noteTime(Date.parse(body.now ?? ''))
        onHeaders?.(response.headers)
        return body
      } catch (error) {
        // An incomplete body is not a response, either.
        const problem = error instanceof Problem || signal?.aborted ? error : brokenOff()
        if (!(problem instanceof Problem) || !problem.isTemporary) throw problem
        if (performance.now() - startMs > giveUpMs) throw problem
        onRetry?.(problem)
        const waitMs = Math.min(longestWaitMs, Math.max(problem.retryAfterMs, 250 * 2 ** tries))
        await pause(waitMs * (0.75 + Math.random() / 2), signal)
      }
    }
  }

  /**
   * Reads a response, and tries again for some seconds if the service does not respond. @param {string} path
   * @param {{ signal?: AbortSignal }} [options] @returns {Promise<{ data: any, now?: string }>} `now` is the time of the service.
   * @throws {Problem}
   */
  const readBody = (path, { signal } = {}) => retried(path, {}, { signal, giveUpMs: 10_000 })

  return {
    now,
    noteTime,
    request,
    readBody,
    /** The address of the API, for links. */
    base,
    /** The `data` of a response: what the operation describes. @param {string} path @param {{ signal?: AbortSignal }} [options] */
    read: async (path, options) => (await readBody(path, options)).data,
    /**
     * Sends a POST, or a PATCH, until it has a response, with one `Idempotency-Key`: it takes effect at most once.
     * @param {string} path @param {object} body
     * @param {{ key?: string, signal?: AbortSignal, giveUpMs?: number, onRetry?: (problem: Problem) => void, method?: string,
     *   headers?: Record<string, string>, onHeaders?: (headers: Headers) => void }} [options]
     * @returns {Promise<any>} The `data`. @throws {Problem} `isTemporary` if it gave up, and the outcome is unknown.
     */
    async send(
      path,
      body,
      { key = newKey(), signal, giveUpMs = 120_000, onRetry, method = 'POST', headers: more, onHeaders } = {},
    ) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const headers = { 'content-type': type, 'idempotency-key': key, ...more }
      const init = { method, headers, body: JSON.stringify(body) }
      return (await retried(path, init, { signal, giveUpMs, onRetry, onHeaders })).data
    },
  }
}

const brokenOff = () =>
  new Problem({
    success: false,
    status: 0,
    code: 'no-response',
    message: 'The response of the service was incomplete.',
  })

/** @param {AbortSignal} first @param {AbortSignal} [second] */
export const anyOf = (first, second) => (second === undefined ? first : AbortSignal.any([first, second]))

/** Waits, or rejects when the signal is aborted. @param {number} ms @param {AbortSignal} [signal] @returns {Promise<void>} */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
