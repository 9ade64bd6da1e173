import { randomUUID } from 'node:crypto'
import { MongoClient } from 'mongodb'
import { afterAll } from 'vitest'
import { describeWith, provided } from './needs.ts'

/** A separate database for a test or a suite: empty, with a unique name. */
export type OwnDatabase = {
  /** A connection string with the database in its path. */
  readonly uri: string
  readonly drop: () => Promise<void>
}

/**
 * A suite that needs MongoDB, with a database that is dropped after it. Without MongoDB its tests are skipped, and the run reports
 * that at its end.
 * @param body declares the tests; `database` returns the connection string, only in tests and hooks
 */
export function describeMongo(name: string, body: (database: () => string) => void): void {
  describeWith('mongodb', name, () => {
    let own: OwnDatabase | undefined
    afterAll(async () => own?.drop())
    body(() => {
      own ??= ownDatabase()
      return own.uri
    })
  })
}

/** For tests that each need a separate one; call it within `describeMongo`. */
export function ownDatabase(): OwnDatabase {
  const uri = withDatabase(provided('mongodb').uri, `auction-test-${randomUUID()}`)
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
  // By default the driver looks for the user in the database of the path.
  if (server.includes('@') && !options.has('authSource')) options.set('authSource', path || 'admin')
  return `${server}/${database}${options.size > 0 ? `?${options}` : ''}`
}
