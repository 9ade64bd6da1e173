import { isStoreUnavailable } from '@auction/domain/errors'
import { type ProxiedStore, proxyStore } from '@auction/testing/proxied-store'
import { type Db, MongoClient } from 'mongodb'
import { inject, onTestFinished } from 'vitest'
import { ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import type {} from '../../../../tools/vitest/mongodb-server.ts' // Declares what is injected.
import { connectMongoStore, type MongoStore } from '../../src/mongodb/mongo-store.ts'

/** A store on a separate database, whose URI without the proxy is `uri`. */
export async function connectProxiedStore(
  timeoutMs?: number,
): Promise<ProxiedStore<MongoStore> & { readonly uri: string }> {
  const { uri, drop } = ownDatabase()
  const proxied = new URL(uri)
  // Otherwise a replica set would make the driver bypass the proxy.
  proxied.searchParams.set('directConnection', 'true')
  // By default the driver waits half a second before it looks for a server again, in each test of a broken connection.
  proxied.searchParams.set('minHeartbeatFrequencyMS', '20')
  const connect = (href: string) => connectMongoStore(href, timeoutMs === undefined ? {} : { timeoutMs })
  return { uri, ...(await proxyStore({ uri: proxied, defaultPort: 27017, connect, drop })) }
}

/** An empty database, and a client of it, for one test. */
export function testDatabase(): { readonly uri: string; readonly database: Db } {
  const { uri, drop } = ownDatabase()
  const client = new MongoClient(uri)
  onTestFinished(async () => {
    await client.close()
    await drop()
  })
  return { uri, database: client.db() }
}

/** A stand-in for MongoDB that scans all documents for each update, and loses concurrent updates of one document. */
async function isFerretDbThere(): Promise<boolean> {
  const provision = inject('mongodb')
  if ('notRun' in provision) return false
  const client = await MongoClient.connect(provision.uri)
  const buildInfo = await client.db().command({ buildInfo: 1 })
  await client.close()
  return 'ferretdbVersion' in buildInfo
}

export const isFerretDb = await isFerretDbThere()

/**
 * Connects several stores to a database at the same time. FerretDB 1.24 breaks some of the connections that create the
 * same indexes; there it returns the other stores.
 */
export async function connectAtOnce(uri: string, count: number): Promise<readonly MongoStore[]> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => connectMongoStore(uri)))
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return [outcome.value]
    if (isFerretDb && isStoreUnavailable(outcome.reason)) return []
    throw outcome.reason
  })
}
