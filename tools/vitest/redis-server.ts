import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

/** The Redis program for tests, or the reason why none is available and whether that is a failure. */
export type RedisProvision = { readonly program: string } | { readonly notRun: string; readonly isRequired: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    redis: RedisProvision
  }
}

/**
 * Finds Redis once per run: the program in `REDIS_SERVER`, or an installed Redis or Valkey. Without one, its tests are skipped and
 * the run reports that at its end; with `REQUIRE_REDIS=1` the run fails.
 */
export default function setup(project: TestProject): void {
  project.provide('redis', provide(process.env))
}

function provide(env: NodeJS.ProcessEnv): RedisProvision {
  const named = env['REDIS_SERVER']
  const candidates = named === undefined || named === '' ? ['redis-server', 'valkey-server'] : [named]
  const program = candidates.find((name) => spawnSync(name, ['--version']).status === 0)
  if (program !== undefined) return { program }
  return { notRun: `${candidates.join(' and ')} cannot be started`, isRequired: env['REQUIRE_REDIS'] === '1' }
}
