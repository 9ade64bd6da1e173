import { defineConfig } from 'vitest/config'
import published from './vitest.config.ts'

// Tests of the sources that run under the minimum Node.js of the packages: those that cover most of the runtime code.
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
