import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

/** The promtool for tests, or the reason why none is available and whether that is a failure. */
export type PromtoolProvision = { readonly program: string } | { readonly notRun: string; readonly isRequired: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    promtool: PromtoolProvision
  }
}

/**
 * Finds the program that checks metrics, rules and alerts once per run: the one in `PROMTOOL`, or the installed one. Without one,
 * its tests are skipped and the run reports that at its end; with `REQUIRE_PROMTOOL=1` the run fails.
 */
export default function setup(project: TestProject): void {
  project.provide('promtool', provide(process.env))
}

function provide(env: NodeJS.ProcessEnv): PromtoolProvision {
  const program = env['PROMTOOL'] || 'promtool'
  if (spawnSync(program, ['--version']).status === 0) return { program }
  return { notRun: `${program} cannot be started`, isRequired: env['REQUIRE_PROMTOOL'] === '1' }
}
