import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const conditions = ['@auction/source', 'module', 'node', 'development|production']

// What is published is tried from outside, as other projects get it. It takes longer than the tests of the sources, and is run again
// when something that it tries has changed.
export default defineConfig({
  root: fileURLToPath(new URL('../../../..', import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@auction/source', 'node'] } },
  test: {
    include: ['packages/adapters/test/published/*.test.ts'],
    // Far more than they take, because other programs may use the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
