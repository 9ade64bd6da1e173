import { defineConfig } from 'vitest/config'
import { setEnvironment } from './tools/vitest/environment.ts'
import { LongFilesFirst } from './tools/vitest/long-files-first.ts'
import { isLong } from './tools/vitest/size.ts'

setEnvironment()

// Tests run on the sources: no build is needed before them.
const conditions = ['@auction/source', 'module', 'node', 'development|production']

const simulations = [
  'packages/domain/test/simulation/**/*.test.ts',
  'packages/testing/test/contract-mutations/**/*.test.ts',
]
const attacks = 'apps/http/test/attacks/**/*.test.ts'

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@auction/source', 'node'] } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/{domain,delivery,testing}/test/**/*.test.ts'],
          exclude: simulations,
          // Files share their modules, which hold no state.
          isolate: false,
        },
      },
      {
        extends: true,
        // Its tests replace timers, which the work of other tests in the same process would use too.
        test: { name: 'client', include: ['packages/client/test/**/*.test.ts'], isolate: false },
      },
      {
        extends: true,
        test: { name: 'simulation', include: simulations, isolate: false, maxConcurrency: 10 },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['packages/{adapters,host}/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: [
            // The tasks `published` and `image` of turbo.json run these.
            'packages/adapters/test/published/**',
            'apps/http/test/image/**',
            attacks,
          ],
          isolate: false,
          globalSetup: [
            'tools/vitest/mongodb-server.ts',
            'tools/vitest/postgresql-server.ts',
            'tools/vitest/programs.ts',
            ...(isLong ? ['tools/vitest/python-tools.ts'] : []),
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'attacks',
          include: [attacks],
          isolate: false,
          // The long form measures how long others wait, so it runs them after everything else and one by one.
          ...(isLong && { maxWorkers: 1, sequence: { groupOrder: 1 } }),
        },
      },
    ],
    exclude: isLong ? [] : ['**/*.long.test.ts'],
    reporters: ['default', './tools/vitest/closing-lines.ts'],
    sequence: { sequencer: LongFilesFirst },
    // More than two cores have, since many tests wait; the long form computes more.
    maxWorkers: isLong ? 3 : 4,
    // Only a test that hangs takes this time, on any machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // By default a poll fails after a second, which a busy machine takes.
    expect: { poll: { timeout: 30_000 } },
  },
})
