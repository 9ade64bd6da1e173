import { createHmac } from 'node:crypto'

/** A message to an endpoint. Its id is the same in each attempt. */
export type WebhookMessage = { readonly id: string; readonly body: string }

/**
 * Signs one attempt to deliver a message (Standard Webhooks 1.0, symmetric signatures).
 * @param secrets The bytes of the secrets; several while one is replaced. Receivers accept a message if one signature is valid.
 * @param nowMs The time of the attempt, which receivers compare with their clock.
 */
export function signatureHeaders({ id, body }: WebhookMessage, secrets: readonly Buffer[], nowMs: number) {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signatures = secrets.map((secret) => {
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
    return `v1,${signature}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
