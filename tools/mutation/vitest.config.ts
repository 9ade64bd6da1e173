import { env } from 'node:process'
import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { KillersFirst } from './killers-first.ts'

/** The tests that a mutant is tried with, as `run.ts` names them in the environment. */
const patternsIn = (name: string): string[] => env[name]?.split(',').filter(Boolean) ?? []

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: patternsIn('MUTATION_TESTS'),
    exclude: [...configDefaults.exclude, ...patternsIn('MUTATION_EXCLUDED_TESTS')],
    testTimeout: Number(env['MUTATION_TEST_TIMEOUT_MS']),
    // No server for each of the test runners: a run over the adapter of a database is told where one is.
    globalSetup: ['mongodb', 'postgresql']
      .filter((name) => env[`${name.toUpperCase()}_URI`])
      .map((name) => `tools/vitest/${name}-server.ts`),
    // A worker for each file takes longer to start than most files take to run.
    isolate: false,
    sequence: { sequencer: KillersFirst },
    reporters: ['default'],
  },
})
