import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

/** The promtool that tests run, or why there is none and whether that is a failure. */
export type PromtoolProvision = { readonly program: string } | { readonly notRun: string; readonly isRequired: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    promtool: PromtoolProvision
  }
}

/**
 * Decides once a run what checks metrics, rules and alerts: the program that `PROMTOOL` names, or the one that is installed. Without
 * any, its tests are skipped and the run says so at its end; with `REQUIRE_PROMTOOL=1` the run fails then.
 */
export default function setup(project: TestProject): void {
  project.provide('promtool', provide(process.env))
}

function provide(env: NodeJS.ProcessEnv): PromtoolProvision {
  const program = env['PROMTOOL'] || 'promtool'
  if (spawnSync(program, ['--version']).status === 0) return { program }
  return { notRun: `${program} can not be started`, isRequired: env['REQUIRE_PROMTOOL'] === '1' }
}
