import type { TestProject } from 'vitest/node'

/** Where the tests find MongoDB, or why they do not and whether that is a failure. */
export type MongodbProvision = { readonly uri: string } | { readonly notRun: string; readonly isRequired: boolean }

declare module 'vitest' {
  interface ProvidedContext {
    mongodb: MongodbProvision
  }
}

type Provided = { readonly provision: MongodbProvision; readonly stop: () => Promise<void> }

/**
 * Decides once a run where MongoDB is: at `MONGODB_URI`, or in a container that lives as long as the run. Without either, its
 * tests are skipped and the run says so at its end; with `REQUIRE_MONGODB=1` the run fails then.
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
    return { provision: { notRun, isRequired: env['REQUIRE_MONGODB'] === '1' }, stop: async () => undefined }
  }
}

async function startContainer(): Promise<Provided> {
  // Imported here, as it is large and a run with MONGODB_URI has no use for it.
  const { MongoDBContainer } = await import('@testcontainers/mongodb')
  const container = await new MongoDBContainer('mongo:8').start()
  return {
    // A direct connection, since the replica set names a host that is known in the container only.
    provision: { uri: `${container.getConnectionString()}/?directConnection=true` },
    stop: async () => {
      await container.stop()
    },
  }
}
