import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

/** Whether wrk is available for load tests, or the reason why not and whether that is a failure. */
export type WrkProvision = { readonly program: string } | { readonly notRun: string; readonly isRequired: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    wrk: WrkProvision
  }
}

/**
 * Checks once per run whether wrk is installed. Without it, its tests are skipped and the run reports that at its end; with
 * `REQUIRE_WRK=1` the run fails.
 */
export default function setup(project: TestProject): void {
  project.provide('wrk', provide(process.env))
}

function provide(env: NodeJS.ProcessEnv): WrkProvision {
  const program = 'wrk'
  if (spawnSync(program, ['--version']).error === undefined) return { program }
  return { notRun: `${program} cannot be started`, isRequired: env['REQUIRE_WRK'] === '1' }
}
