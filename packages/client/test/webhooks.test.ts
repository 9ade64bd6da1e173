import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { verifyWebhook } from '../src/client.ts'

const secret = `whsec_${btoa('a secret of the endpoint 123')}`
const other = `whsec_${btoa('another secret, which is new')}`
const text = '{"type":"auction.bid","timestamp":"2030-01-31T12:00:00.000Z","data":{"title":"Bureau 🏺"}}'

/** The headers of a message that the library of Standard Webhooks signs with these secrets. */
function signed({ secrets = [secret], body = text, atMs = Date.now() } = {}): Record<string, string> {
  const signatures = secrets.map((one) => new Webhook(one).sign('evt_1_1', new Date(atMs), body))
  const timestamp = String(Math.floor(atMs / 1_000))
  return { 'webhook-id': 'evt_1_1', 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

test.each([
  ['plain headers and text', signed(), text],
  ['headers of fetch and bytes', new Headers(signed()), new TextEncoder().encode(text)],
  ['headers with lists', { ...signed(), 'webhook-id': ['evt_1_1'] }, text],
  [
    'names in capitals',
    Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.replace(/^w|-[wits]/g, (c) => c.toUpperCase()), value]),
    ),
    text,
  ],
  ['the signatures of an old and a new secret', signed({ secrets: [other, secret] }), text],
  [
    'a signature of a later version',
    { ...signed(), 'webhook-signature': `v2,x ${signed()['webhook-signature']}` },
    text,
  ],
])('a message with %s is verified', async (_, headers, body) => {
  expect(await verifyWebhook(secret, headers, body)).toEqual({
    ok: true,
    data: { id: 'evt_1_1', message: JSON.parse(text) },
  })
})

test.each([
  ['another body', 'signature-invalid', signed(), `${text} `],
  ['a byte order mark that was not signed', 'signature-invalid', signed(), new TextEncoder().encode(`\uFEFF${text}`)],
  ['another id', 'signature-invalid', { ...signed(), 'webhook-id': 'evt_1_2' }, text],
  ['the signature of another secret', 'signature-invalid', signed({ secrets: [other] }), text],
  ['what is not a signature', 'signature-invalid', { ...signed(), 'webhook-signature': 'v1,%%% v1, v1' }, text],
  ['a time six minutes ago', 'timestamp-out-of-range', signed({ atMs: Date.now() - 360_000 }), text],
  ['a time in six minutes', 'timestamp-out-of-range', signed({ atMs: Date.now() + 360_000 }), text],
  ['what is not a time', 'timestamp-out-of-range', { ...signed(), 'webhook-timestamp': 'now' }, text],
  ['no signature', 'header-missing', { ...signed(), 'webhook-signature': undefined }, text],
])('a message with %s is refused: %s', async (_, code, headers, body) => {
  expect(await verifyWebhook(secret, headers, body)).toMatchObject({ ok: false, refusal: { code } })
})
