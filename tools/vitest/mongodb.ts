import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { afterAll, describe, inject } from 'vitest'
import type {} from './mongodb-server.ts' // Declares what is injected.

/** A database of its own for a test or a suite: empty, with a name that no other has. */
export type OwnDatabase = {
  /** A connection string with the database in its path. */
  readonly uri: string
  readonly drop: () => Promise<void>
}

/**
 * A suite that needs MongoDB, with a database that is dropped after it. Where there is no MongoDB its tests are skipped, and
 * the run says so at its end.
 * @param body - declares the tests; `database` answers the connection string, and may be called in tests and hooks only.
 */
export function describeMongo(name: string, body: (database: () => string) => void): void {
  const isAbsent = 'notRun' in inject('mongodb')
  describe.skipIf(isAbsent)(`${name} (on MongoDB)`, () => {
    let own: OwnDatabase | undefined
    afterAll(async () => own?.drop())
    body(() => {
      own ??= ownDatabase()
      return own.uri
    })
  })
}

/** For tests that each need their own; to be called within `describeMongo`. */
export function ownDatabase(): OwnDatabase {
  const provision = inject('mongodb')
  if ('notRun' in provision) throw new Error(`there is no MongoDB: ${provision.notRun}`)
  const uri = withDatabase(provision.uri, `auction-test-${randomUUID()}`)
  return { uri, drop: () => dropDatabase(uri) }
}

async function dropDatabase(uri: string): Promise<void> {
  const client = new MongoClient(uri)
  try {
    await client.db().dropDatabase()
  } finally {
    await client.close()
  }
}

function withDatabase(serverUri: string, database: string): string {
  const [, server = serverUri, path = '', query = ''] = /^(\w[\w+]*:\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(serverUri) ?? []
  const options = new URLSearchParams(query)
  // The database in the path is also where the driver looks for the user, unless it is told.
  if (server.includes('@') && !options.has('authSource')) options.set('authSource', path || 'admin')
  return `${server}/${database}${options.size > 0 ? `?${options}` : ''}`
}
