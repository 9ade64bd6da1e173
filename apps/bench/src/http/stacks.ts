import { fileURLToPath } from 'node:url'

/** What the service is compared with: servers that take a bid as it does, and answer as it does. */
export const bareStack = fileURLToPath(new URL('./stacks/bare.ts', import.meta.url))
export const idiomaticStack = fileURLToPath(new URL('./stacks/idiomatic.ts', import.meta.url))
export const expressStack = fileURLToPath(new URL('./stacks/express.ts', import.meta.url))
