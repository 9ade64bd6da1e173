export { createPoster } from './webhooks/poster.ts'
export { createSigner, type WebhookMessage } from './webhooks/signature.ts'
