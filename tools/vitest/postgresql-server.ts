import type { TestProject } from 'vitest/node'
import { missing } from './needs.ts'
import { findPrograms, startCluster } from './postgresql-cluster.ts'

/**
 * Finds PostgreSQL once per run: at `POSTGRESQL_URI`, or in a cluster of the installed programs for the time of the run. Without
 * either, its tests are skipped and the run reports that at its end; with `REQUIRE_POSTGRESQL=1` the run fails.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { POSTGRESQL_URI: given = '' } = process.env
  const programs = findPrograms()
  if (given !== '' || programs === undefined) {
    const notRun = 'POSTGRESQL_URI is not set, and no initdb is installed'
    project.provide('postgresql', given !== '' ? { uri: given, programs } : missing('postgresql', notRun))
    return async () => undefined
  }
  const cluster = await startCluster(programs)
  project.provide('postgresql', { uri: cluster.uri, programs })
  return () => cluster.stop()
}
