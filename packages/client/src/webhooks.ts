import type { Result, Schemas } from './operations.ts'

/** A message that the service posts. `type` identifies it and its `data`. */
export type WebhookMessage = {
  [Name in keyof Schemas]: Name extends `${string}Message` ? Schemas[Name] : never
}[keyof Schemas]

export type WebhookRefusal = {
  readonly code: 'header-missing' | 'timestamp-out-of-range' | 'signature-invalid'
  readonly message: string
}

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Standard Webhooks recommends it. */
const toleranceSeconds = 300

/**
 * Verifies a message by Standard Webhooks 1.0, and returns it with the id by which a repetition is recognized.
 *
 * @param secret the secret of the endpoint, such as `whsec_…`
 * @param body the bytes of the body, or their text, as they arrived
 */
export async function verifyWebhook(
  secret: string,
  headers: HeaderValues,
  body: string | Uint8Array,
): Promise<Result<{ readonly id: string; readonly message: WebhookMessage }, WebhookRefusal>> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerIn(headers, name),
  )
  if (!id || !timestamp || !signatures) {
    return refused('header-missing', 'The message needs webhook-id, webhook-timestamp and webhook-signature.')
  }
  // Written so that a timestamp that is not a number is out of range, too.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds)) {
    return refused('timestamp-out-of-range', 'The message is older than five minutes, or the clocks differ.')
  }
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), algorithm, false, ['verify'])
  // While a secret is replaced, there are two. `verify` takes the same time for each invalid signature.
  for (const signature of signatures.split(' ')) {
    if (!/^v1,[A-Za-z0-9+/]{43}=$/.test(signature)) continue
    if (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)) {
      return { ok: true, data: { id, message: JSON.parse(text) } }
    }
  }
  return refused('signature-invalid', 'No signature is one of this secret and this body.')
}

const refused = (code: WebhookRefusal['code'], message: string) =>
  ({ ok: false, refusal: { code, message } }) as const satisfies Result<never, WebhookRefusal>

function headerIn(headers: HeaderValues, name: string): string | undefined {
  // The cast: plain headers have no function `get`.
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined
  const named = Object.entries(headers as Exclude<HeaderValues, Headers>)
  // Node.js has names in lower case, but some gateways pass them on as they were sent.
  const value = named.find(([key, value]) => key.toLowerCase() === name && value !== undefined)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
