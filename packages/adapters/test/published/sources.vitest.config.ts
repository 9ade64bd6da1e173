import { defineConfig } from 'vitest/config'
import published from './vitest.config.ts'

// Tests of the sources, to be run under the least Node.js that the packages name: those that go through most of what runs there.
export default defineConfig({
  ...published,
  test: {
    include: [
      'packages/domain/test/use-cases/*.test.ts',
      'packages/adapters/test/{memory,jwt}/*.test.ts',
      'packages/adapters/test/sqlite/contracts.test.ts',
    ],
    testTimeout: 60_000,
  },
})
