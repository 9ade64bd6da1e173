import { AuctionClientError } from './errors.ts'
import type { OperationName, ResultOf } from './operations.ts'
import { createLink, createServerClock, pause, unlessAborted } from './time.ts'

export type ClientOptions = {
  /** Where the service is, such as `https://auctions.example.com`. In a page, it may be relative to the page. */
  readonly baseUrl: string | URL
  /**
   * The token, or a function that returns it. It is called for each request, and again with `true` after a 401. If it fails, the request
   * counts as one without a response.
   */
  readonly token?: string | ((isExpired: boolean) => string | undefined | Promise<string | undefined>) | undefined
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

export type ReadOptions = {
  /** Ends the call, which then rejects with the reason of the signal: for a deadline, `AbortSignal.timeout(5_000)`. */
  readonly signal?: AbortSignal | undefined
  /** How long a request is sent again: by default, two minutes. The call then rejects with the last failure. */
  readonly giveUpMs?: number | undefined
}

export type WriteOptions = ReadOptions & {
  /** The `Idempotency-Key`, if an earlier program may have sent the same write. By default, each call has a new one. */
  readonly key?: string | undefined
}

type Request = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Relative to the base URL. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A response; without one, its status is 0. `body` is undefined if it is not JSON. */
export type ApiResponse = {
  readonly status: number
  readonly headers?: Headers
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

export type Connection = ReturnType<typeof createConnection>

/** The service responds within 10 seconds by default. */
const responseMs = 15_000
const defaultGiveUpMs = 120_000
const longestBackoffMs = 10_000
/** A longer Retry-After is a mistake, and timers cannot wait for more than 24 days. */
const longestWaitMs = 3_600_000

/** A new `Idempotency-Key`. Unlike `crypto.randomUUID`, it is available on pages without HTTPS. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Sends requests with the token, and knows the time of the server. */
export function createConnection({ baseUrl, token, fetch: send = (url, init) => fetch(url, init) }: ClientOptions) {
  // The cast: only pages have a document.
  const { document } = globalThis as { readonly document?: { readonly baseURI: string } }
  const base = new URL(String(baseUrl).replace(/\/?$/, '/'), document?.baseURI)
  const clock = createServerClock()
  const bearerOf = async (isExpired: boolean) => (typeof token === 'function' ? token(isExpired) : token)

  /** One try. Rejects if the connection breaks, as `fetch` does. */
  const open = ({ method, path, headers, body }: Request, signal: AbortSignal, bearer: string | undefined) =>
    send(String(new URL(path, base)), {
      method,
      signal,
      // Another origin must not get the token, the key and the body.
      redirect: 'manual',
      headers: { ...headers, ...(bearer && { authorization: `Bearer ${bearer}` }) },
      ...(body !== undefined && { body }),
    })

  /**
   * Calls a task with the token, and again after a 401 if a function returns it. An error of either is a lost response, and so is a
   * function that is not done when the signal is aborted.
   */
  async function withToken<Value extends ApiResponse>(
    signal: AbortSignal,
    run: (bearer: string | undefined) => Promise<Value>,
  ): Promise<Value | ApiResponse> {
    const tokenOf = (isExpired: boolean) => unlessAborted(bearerOf(isExpired), signal)
    try {
      const first = await run(await tokenOf(false))
      return first.status === 401 && typeof token === 'function' ? await run(await tokenOf(true)) : first
    } catch (cause) {
      return { status: 0, cause }
    }
  }

  /** Sends a request once. An aborted signal is a lost response. */
  async function attempt(request: Request, signal?: AbortSignal): Promise<ApiResponse> {
    const link = createLink(signal)
    const timer = setTimeout(link.close, responseMs)
    const response = await withToken(link.signal, async (bearer) =>
      responseOf(await open(request, link.signal, bearer)),
    )
    clearTimeout(timer)
    link.close()
    clock.note(response.body?.['now'])
    return response
  }

  /** Sends a request until its outcome is known. A write must have a key. */
  async function call<Name extends OperationName>(
    request: Request,
    { signal, key, giveUpMs = defaultGiveUpMs }: WriteOptions = {},
  ): Promise<ResultOf<Name>> {
    const startMs = performance.now()
    for (let tries = 0; ; tries++) {
      const response = await attempt(request, signal)
      if (!isTemporary(response)) return resultOf<Name>(response, key)
      signal?.throwIfAborted()
      const waitMs = waitAfter(response, 500 * 2 ** tries)
      if (performance.now() - startMs + waitMs > giveUpMs) throw new AuctionClientError(response, key)
      await pause(waitMs, signal)
    }
  }

  return { clock, open, withToken, attempt, call, hasTokenFunction: typeof token === 'function' }
}

/** Whether the same request may succeed later. Proxies send 502 and 504. A success that is cut off is not one. */
export const isTemporary = ({ status, body }: ApiResponse): boolean =>
  [0, 408, 429, 502, 503, 504].includes(status) || (status < 300 && body === undefined)

/** The time to wait after a temporary failure: at least `Retry-After`, up to some more than an hour, and different for each client. */
export function waitAfter({ headers }: ApiResponse, backoffMs: number): number {
  const after = headers?.get('retry-after') ?? ''
  const seconds = Number(after)
  // A proxy may send a date.
  const askedMs = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1_000
  return (
    Math.max(Math.min(askedMs || 0, longestWaitMs), Math.min(backoffMs, longestBackoffMs)) * (1 + Math.random() / 4)
  )
}

function resultOf<Name extends OperationName>(response: ApiResponse, key: string | undefined): ResultOf<Name> {
  const { status, headers, body } = response
  const etag = headers?.get('etag')
  // The casts: the OpenAPI document describes these bodies.
  if (status < 300 && body?.['success'] === true) {
    const { data, now } = body
    return { ok: true, data, ...(now !== undefined && { now }), ...(etag && { etag }) } as ResultOf<Name>
  }
  if (status < 400 || status >= 500 || typeof body?.['code'] !== 'string') throw new AuctionClientError(response, key)
  return { ok: false, refusal: body } as unknown as ResultOf<Name>
}

/** The response with its whole body. */
export async function responseOf(response: Response): Promise<ApiResponse> {
  const { headers, type } = response
  const text = await response.text()
  // Browsers hide the status of a redirect.
  return { status: type === 'opaqueredirect' ? 302 : response.status, headers, body: parseObject(text) }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // The cast: the members of any other value are not those of this API.
    return { ...(JSON.parse(text) as object) }
  } catch {
    return undefined
  }
}
