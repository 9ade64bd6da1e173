import { type Document, MongoClient } from 'mongodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clientOptions } from '../../src/mongodb/clients.ts'
import { findDeployment } from '../../src/mongodb/deployment.ts'
import { connectMongoStore } from '../../src/mongodb/mongo-store.ts'
import { replicaSet, router, standalone, startFakeServer } from './fake-server.ts'

/** A server that reports a kind and a version. */
async function serverOf(kind: (address: string) => Document, version: unknown) {
  const server = await startFakeServer((command) => ('buildInfo' in command ? { version } : undefined), kind)
  onTestFinished(() => server.close())
  return server
}

async function judgement(kind: (address: string) => Document, version: unknown): Promise<string> {
  const server = await serverOf(kind, version)
  const client = new MongoClient(server.uri, clientOptions(5_000, 1))
  onTestFinished(() => client.close())
  return await findDeployment(client.db('fake'), 5_000).catch((error: Error) => error.message)
}

const complete = [
  '5.0.30',
  '5.0.31',
  '6.0.14',
  '6.0.100',
  '7.0.6',
  '7.0.31',
  '7.1.0',
  '7.3.4',
  '8.0.0',
  '8.10.1',
  '10.0.0',
]
test.each(complete)('mongos %s, which reports every error of a write, is accepted', async (version) => {
  expect(await judgement(router, version)).toBe('sharded-cluster')
})

describe('a mongos that may drop an error is refused', () => {
  const older = ['4.2.24', '4.4.0', '4.4.29', '5.0.0', '5.0.29', '5.1.5', '5.3.2']
  const newer = ['6.0.0', '6.0.13', '6.1.0', '6.3.2', '7.0.0', '7.0.5']
  test.each([...older, ...newer])('%s', async (version) => {
    expect(await judgement(router, version)).toBe(
      `mongos ${version} can lose the error of a write that no majority has acknowledged; use mongos 7.0.6 or later`,
    )
  })

  test.each([['latest'], [''], [undefined], [7]])('of an invalid version: %j', async (version) => {
    expect(await judgement(router, version)).toMatch(/^mongos of an unknown version can lose the error/)
  })
})

test.each([
  ['a standalone server', standalone],
  ['a replica set', replicaSet],
])('%s is accepted in every version, because it is not a router', async (_, kind) => {
  expect(await judgement(kind, '4.4.0')).toBe('server-or-replica-set')
})

test('such a router stops the start before any write', async () => {
  const server = await serverOf(router, '6.0.13')
  const hosts = new URL(server.uri).host
  await expect(connectMongoStore(server.uri)).rejects.toThrow(
    `MongoDB at ${hosts} cannot be used: mongos 6.0.13 can lose the error of a write that no majority has acknowledged; ` +
      'use mongos 7.0.6 or later',
  )
  expect(server.commands.map((command) => Object.keys(command)[0])).not.toContain('createIndexes')
})
