import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

/** The program that tests start their Redis servers with, or why there is none and whether that is a failure. */
export type RedisProvision = { readonly program: string } | { readonly notRun: string; readonly isRequired: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    redis: RedisProvision
  }
}

/**
 * Decides once a run what Redis is: the program that `REDIS_SERVER` names, or the one of Redis or Valkey that is installed. Without
 * any, its tests are skipped and the run says so at its end; with `REQUIRE_REDIS=1` the run fails then.
 */
export default function setup(project: TestProject): void {
  project.provide('redis', provide(process.env))
}

function provide(env: NodeJS.ProcessEnv): RedisProvision {
  const named = env['REDIS_SERVER']
  const candidates = named === undefined || named === '' ? ['redis-server', 'valkey-server'] : [named]
  const program = candidates.find((name) => spawnSync(name, ['--version']).status === 0)
  if (program !== undefined) return { program }
  return { notRun: `${candidates.join(' and ')} can not be started`, isRequired: env['REQUIRE_REDIS'] === '1' }
}
