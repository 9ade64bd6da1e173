import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

/** Whether there is a wrk to send load with, or why there is none and whether that is a failure. */
export type WrkProvision = { readonly program: string } | { readonly notRun: string; readonly isRequired: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    wrk: WrkProvision
  }
}

/**
 * Decides once a run whether the benchmark's load can be tested with wrk. Where it is not installed, its tests are skipped and the
 * run says so at its end; with `REQUIRE_WRK=1` the run fails then.
 */
export default function setup(project: TestProject): void {
  project.provide('wrk', provide(process.env))
}

function provide(env: NodeJS.ProcessEnv): WrkProvision {
  const program = 'wrk'
  if (spawnSync(program, ['--version']).error === undefined) return { program }
  return { notRun: `${program} can not be started`, isRequired: env['REQUIRE_WRK'] === '1' }
}
