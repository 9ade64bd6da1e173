import { defineConfig } from 'vitest/config'

// Tests that go wrong on purpose; ../child.test.ts runs them.
const conditions = ['@auction/source', 'module', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@auction/source', 'node'] } },
  test: { include: ['**/*.ending.ts'], root: import.meta.dirname, testTimeout: 60_000 },
})
