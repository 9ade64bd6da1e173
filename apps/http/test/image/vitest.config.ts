import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// The test of the image is the task `image` of turbo.json, which runs only if its inputs have changed.
export default defineConfig({
  root: fileURLToPath(new URL('../../../..', import.meta.url)),
  test: {
    include: ['apps/http/test/image/*.test.ts'],
    // Generous: other tasks run at the same time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
