import type { TestProject } from 'vitest/node'
import { findPrograms, startCluster } from './postgresql-cluster.ts'

/** Where the tests find PostgreSQL, or why they do not and whether that is a failure. */
export type PostgresqlProvision =
  /** `programs` is the folder of the server's programs, where they are installed: fault tests start clusters of their own. */
  | { readonly uri: string; readonly programs: string | undefined }
  | { readonly notRun: string; readonly isRequired: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    postgresql: PostgresqlProvision
  }
}

/**
 * Decides once a run where PostgreSQL is: at `POSTGRESQL_URI`, or in a cluster that lives as long as the run, made with the programs
 * that are installed. Without either, its tests are skipped and the run says so at its end; with `REQUIRE_POSTGRESQL=1` the run
 * fails then.
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
