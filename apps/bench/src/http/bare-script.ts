import { fileURLToPath } from 'node:url'

export const bareScript = fileURLToPath(new URL('./bare-server.ts', import.meta.url))
