import { randomBytes } from 'node:crypto'
import { type Db, type DbOptions, type Document, MongoClient, ReadConcern, ReadConcernLevel } from 'mongodb'
import { withDatabase } from './scratch-uri.ts'

// What our adapter asks of the server, asked by all contestants: a write is answered when a majority has it in its journals.
const databaseOptions: DbOptions = {
  readPreference: 'primary',
  readConcern: new ReadConcern(ReadConcernLevel.majority),
  writeConcern: { w: 'majority', journal: true },
}

/** A database for one point and one round, so that none measures what the one before has left. */
export type Scratch = {
  readonly uri: string
  readonly maxConnections: number
  readonly database: Db
  readonly client: MongoClient
}

export type BenchServer = {
  readonly name: string
  /** The server's own words about itself. */
  readonly buildInfo: Document
  readonly hasTransactions: boolean
  readonly hasAtomicUpdates: boolean
  withScratch<Value>(use: (scratch: Scratch) => Promise<Value>): Promise<Value>
  /** Closes the connections; a database that is still in use is dropped before. */
  close(): Promise<void>
}

/** Connects with as many connections at the most as every contestant may use. */
export async function connectServer(name: string, uri: string, maxConnections: number): Promise<BenchServer> {
  const client = await MongoClient.connect(uri, { maxPoolSize: maxConnections, serverSelectionTimeoutMS: 5_000 })
  const admin = client.db('admin')
  const hello = await admin.command({ hello: 1 })
  const scratches = new Set<Db>()
  const { version, ferretdbVersion, storageEngines } = await admin.command({ buildInfo: 1 })

  return {
    name,
    buildInfo: { version, ferretdbVersion, storageEngines },
    hasTransactions: hasTransactions(hello),
    hasAtomicUpdates: ferretdbVersion === undefined,
    async withScratch(use) {
      const scratchName = `auction_bench_${randomBytes(6).toString('hex')}`
      const database = client.db(scratchName, databaseOptions)
      scratches.add(database)
      try {
        return await use({ uri: withDatabase(uri, scratchName), maxConnections, database, client })
      } finally {
        await database.dropDatabase()
        scratches.delete(database)
      }
    },
    async close() {
      await Promise.all([...scratches].map((database) => database.dropDatabase()))
      await client.close()
    },
  }
}

/** Transactions need a replica set's log: a member names its set, and a router of a sharded cluster says what it is. */
export const hasTransactions = (hello: Document): boolean =>
  hello['setName'] !== undefined || hello['msg'] === 'isdbgrid'
