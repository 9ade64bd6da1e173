// Mutation testing: changes one part of the sources at a time, and lists the changes that no test detects.
import { env } from 'node:process'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { areasOf } from './areas.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    slow: { type: 'boolean', default: false },
    force: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '2' },
  },
})

const areas = areasOf(positionals)
for (const database of ['mongodb', 'postgresql']) {
  const variable = `${database.toUpperCase()}_URI`
  if (areas.some(({ name }) => name === database) && !env[variable]) {
    throw new Error(`set ${variable} to a server for the tests of packages/adapters/src/${database}`)
  }
}

for (const { name, sources, tests, slowTests, excludedTests, testTimeoutMs } of areas) {
  // `vitest.config.ts` reads these in processes of Stryker's.
  env['MUTATION_TESTS'] = tests.join()
  env['MUTATION_EXCLUDED_TESTS'] = [...excludedTests, ...(values.slow ? [] : slowTests)].join()
  env['MUTATION_TEST_TIMEOUT_MS'] = String(values.slow ? 60_000 : testTimeoutMs)
  const report = `reports/mutation/${name}`
  await new Stryker({
    mutate: [...sources],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    concurrency: Number(values.concurrency),
    incremental: true,
    incrementalFile: `${report}.incremental.json`,
    force: values.force,
    // This is added to the time of the tests. Endless loops are frequent in code with queues and retries.
    timeoutMS: 2_000,
    reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: `${report}.json` },
    htmlReporter: { fileName: `${report}.html` },
    thresholds: { high: 100, low: 95, break: null },
  }).runMutationTest()
}
