import { defineConfig } from 'vitest/config'

// Tests run on the sources: no build is needed before them.
const conditions = ['@auction/source', 'module', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@auction/source', 'node'] } },
  test: {
    include: ['{packages,apps}/*/test/**/*.test.ts', 'tools/**/*.test.ts'],
    // What is published, and what the image holds, are tried by tasks of their own, `published` and `image` of turbo.json.
    exclude: ['**/node_modules/**', 'packages/adapters/test/published/**', 'apps/http/test/image/**'],
    globalSetup: [
      'tools/vitest/mongodb-server.ts',
      'tools/vitest/postgresql-server.ts',
      'tools/vitest/redis-server.ts',
      'tools/vitest/promtool-program.ts',
      'tools/vitest/wrk-program.ts',
      'tools/vitest/python-tools.ts',
      'tools/vitest/chromium-program.ts',
    ],
    reporters: ['default', './tools/vitest/closing-lines.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
