import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const conditions = ['@auction/source', 'module', 'node', 'development|production']

// Tests the published packages from outside, as other projects use them. These tests take longer than those of the
// sources, and run again only if their inputs have changed.
export default defineConfig({
  root: fileURLToPath(new URL('../../../..', import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@auction/source', 'node'] } },
  test: {
    include: ['packages/adapters/test/published/*.test.ts'],
    // Far longer than they take, because other programs may use the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
