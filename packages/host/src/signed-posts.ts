import { createHmac, createSecretKey } from 'node:crypto'
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'

type Posting =
  | { readonly ok: true }
  /** `retryAfterMs` is the pause that the endpoint asks for, if any. */
  | { readonly ok: false; readonly reason: string; readonly retryAfterMs?: number }

/** The time of an attempt, from the start to the end of the response. */
const timeoutMs = 15_000
/** A response is read to its end, so that its connection can be reused. */
const maxResponseBytes = 16 * 1024

/** Posts to one URL, over connections that stay open. */
export function createPoster(url: URL, maxConnections: number) {
  const { Agent, request } = url.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections })
  const closing = new AbortController()
  const target = { ...urlToHttpOptions(url), method: 'POST', agent, signal: closing.signal }

  /** Posts JSON. Resolves when the response has ended, and never rejects. Redirects are not followed. */
  function post(body: string, headers: OutgoingHttpHeaders): Promise<Posting> {
    return new Promise((resolve) => {
      const fail = (reason: string) => resolve({ ok: false, reason: closing.signal.aborted ? closedText : reason })
      const sized = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const outgoing = request({ ...target, headers: sized })
      const timer = setTimeout(() => outgoing.destroy(new Error(lateText)), timeoutMs)
      let response: IncomingMessage | undefined
      outgoing.on('response', (incoming) => {
        response = incoming
        limitLength(incoming)
        incoming.on('end', () => resolve(postingOf(incoming)))
        incoming.on('error', (error) => fail(reasonOf(error)))
      })
      outgoing.on('error', (error) => fail(reasonOf(error)))
      outgoing.on('close', () => {
        clearTimeout(timer)
        // Node reports no error for some of these, such as a response with an upgrade. After a complete response, its
        // end follows.
        if (response?.complete !== true) fail('the connection was closed')
      })
      outgoing.end(body)
    })
  }

  return {
    post,
    /** Closes all connections. Posts in flight and later ones fail. */
    close(): void {
      closing.abort()
      agent.destroy()
    },
  }
}

const lateText = `no complete response within ${timeoutMs / 1000} seconds`
const closedText = 'the service is shutting down'

/** Reads a response, and ends one that is too large with an error. */
function limitLength(response: IncomingMessage): void {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxResponseBytes) response.destroy(new Error(`a response of more than ${maxResponseBytes / 1024} KiB`))
  })
}

function postingOf({ statusCode = 0, headers }: IncomingMessage): Posting {
  if (statusCode >= 200 && statusCode < 300) return { ok: true }
  const retryAfterMs = msOf(headers['retry-after'])
  return { ok: false, reason: `status ${statusCode}`, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/**
 * The time that `Retry-After` states, in seconds or as a date (RFC 9110, section 10.2.3); undefined if it states none.
 */
function msOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return ms >= 0 ? ms : undefined
}

/** Node's error for several addresses has a code and no message. */
const reasonOf = (error: Error): string => error.message || String(Object(error).code)

/** A message to an endpoint. Its id is the same in each attempt. */
export type WebhookMessage = { readonly id: string; readonly body: string }

/**
 * Returns a function that signs one attempt to deliver a message (Standard Webhooks 1.0, symmetric signatures), and
 * returns its headers. `nowMs` is the time of the attempt, which receivers compare with their clock.
 * @param secrets The bytes of the secrets; several while one is replaced. Receivers accept a message if one signature
 *   is valid.
 */
export function createSigner(secrets: readonly Buffer[]) {
  // An HMAC takes five times as long with a key of bytes.
  const keys = secrets.map((secret) => createSecretKey(secret))
  return ({ id, body }: WebhookMessage, nowMs: number) => {
    const timestamp = String(Math.floor(nowMs / 1000))
    const signatures = keys.map((key) => {
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
      return `v1,${signature}`
    })
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
  }
}
