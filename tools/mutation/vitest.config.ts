import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { SlowTestsLast } from './slow-tests-last.ts'

/** The tests that a mutant is tried with, as `run.ts` names them in the environment. */
const patternsIn = (name: string): string[] => process.env[name]?.split(',').filter(Boolean) ?? []

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: patternsIn('MUTATION_TESTS'),
    exclude: [...configDefaults.exclude, ...patternsIn('MUTATION_TESTS_EXCLUDED')],
    // No container for each of the test runners: a run over an adapter of MongoDB is told where one is.
    globalSetup: process.env['MONGODB_URI'] ? (base.test?.globalSetup ?? []) : [],
    sequence: { sequencer: SlowTestsLast },
    reporters: ['default'],
  },
})
