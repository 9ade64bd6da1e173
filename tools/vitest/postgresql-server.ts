import type { TestProject } from 'vitest/node'
import { findPrograms, startCluster } from './postgresql-cluster.ts'

/** The address of PostgreSQL for tests, or the reason why none is available and whether that is a failure. */
export type PostgresqlProvision =
  /** `programs` is the folder of the server's programs, if installed: fault tests start separate clusters. */
  | { readonly uri: string; readonly programs: string | undefined }
  | { readonly notRun: string; readonly isRequired: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    postgresql: PostgresqlProvision
  }
}

/**
 * Finds PostgreSQL once per run: at `POSTGRESQL_URI`, or in a cluster of the installed programs for the time of the run. Without
 * either, its tests are skipped and the run reports that at its end; with `REQUIRE_POSTGRESQL=1` the run fails.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { POSTGRESQL_URI: given = '', REQUIRE_POSTGRESQL } = process.env
  const programs = findPrograms()
  if (given !== '' || programs === undefined) {
    const notRun = 'POSTGRESQL_URI is not set, and no initdb is installed'
    project.provide(
      'postgresql',
      given !== '' ? { uri: given, programs } : { notRun, isRequired: REQUIRE_POSTGRESQL === '1' },
    )
    return async () => undefined
  }
  const cluster = await startCluster(programs)
  project.provide('postgresql', { uri: cluster.uri, programs })
  return () => cluster.stop()
}
