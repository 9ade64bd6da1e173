import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// What the image holds is tried as a task of its own, `image` of turbo.json, that is run again when something of it has changed.
export default defineConfig({
  root: fileURLToPath(new URL('../../../..', import.meta.url)),
  test: {
    include: ['apps/http/test/image/*.test.ts'],
    // Far more than they take: they run beside whatever else the machine does.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
