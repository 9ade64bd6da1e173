import { env } from 'node:process'
import { configDefaults, defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** The tests for a mutant, which `run.ts` lists in the environment. */
const patternsIn = (name: string): string[] => env[name]?.split(',').filter(Boolean) ?? []

// Projects would add their own files.
const { projects, ...settings } = base.test ?? {}

export default defineConfig({
  ...base,
  test: {
    ...settings,
    include: patternsIn('MUTATION_TESTS'),
    exclude: [...configDefaults.exclude, ...patternsIn('MUTATION_EXCLUDED_TESTS')],
    testTimeout: Number(env['MUTATION_TEST_TIMEOUT_MS']),
    // Test runners start no server each: a run over the adapter of a database needs the address of one.
    globalSetup: ['mongodb', 'postgresql']
      .filter((name) => env[`${name.toUpperCase()}_URI`])
      .map((name) => `tools/vitest/${name}-server.ts`),
    // A worker's start takes longer than most files.
    isolate: false,
    reporters: ['default'],
  },
})
