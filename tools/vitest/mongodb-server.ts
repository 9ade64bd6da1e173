import type { ProvidedContext } from 'vitest'
import type { TestProject } from 'vitest/node'
import { missing } from './needs.ts'

type Provided = { readonly provision: ProvidedContext['mongodb']; readonly stop: () => Promise<void> }

/**
 * Finds MongoDB once per run: at `MONGODB_URI`, or in a container for the time of the run. Without either, its tests are skipped
 * and the run reports that at its end; with `REQUIRE_MONGODB=1` the run fails.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { provision, stop } = await provide(process.env)
  project.provide('mongodb', provision)
  return stop
}

async function provide(env: NodeJS.ProcessEnv): Promise<Provided> {
  const uri = env['MONGODB_URI']
  if (uri !== undefined && uri !== '') return { provision: { uri }, stop: async () => undefined }
  try {
    return await startContainer()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const notRun = `MONGODB_URI is not set, and no container could be started: ${reason}`
    return { provision: missing('mongodb', notRun), stop: async () => undefined }
  }
}

async function startContainer(): Promise<Provided> {
  // Imported here, because it is large and a run with MONGODB_URI does not need it.
  const { MongoDBContainer } = await import('@testcontainers/mongodb')
  const container = await new MongoDBContainer('mongo:8').start()
  return {
    // A direct connection, because the replica set names a host that only the container knows.
    provision: { uri: `${container.getConnectionString()}/?directConnection=true` },
    stop: async () => {
      await container.stop()
    },
  }
}
