import { randomBytes } from 'node:crypto'
import { connectMongoStore } from '@auction/adapters/mongodb'
import { type Document, MongoClient } from 'mongodb'
import { type Defer, scoped } from '../scope.ts'
import { type BenchStore, type RawInsert, rawEntries } from './bench-store.ts'

/** The connections of the adapter, and of the driver alone. */
const maxConnections = 20

export const mongodb: BenchStore = {
  uriVariable: 'MONGODB_URI',
  version: (uri) =>
    scoped(async (defer) => {
      const { version, ferretdbVersion } = await (await connect(uri, defer)).db().command({ buildInfo: 1 })
      return ferretdbVersion === undefined ? `MongoDB ${version}` : `FerretDB as MongoDB ${version}`
    }),
  async openScratch(uri, defer) {
    const address = withDatabase(uri, `auction_bench_${randomBytes(6).toString('hex')}`)
    const client = await connect(address, defer)
    defer(() => client.db().dropDatabase())
    return address
  },
  open: (address) => connectMongoStore(address, { maxConnections }),
  openRaw,
}

/**
 * The same server with another database. Credentials need `authSource` in the URI, if they are not those of `admin`.
 */
const withDatabase = (uri: string, database: string): string =>
  uri.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?[^?]*/, `$1/${database}`)

/** Uses the guarantees of the adapter: a write returns when a majority has it in its journals. */
async function connect(address: string, defer: Defer): Promise<MongoClient> {
  const asAdapter = { readPreference: 'primary', readConcernLevel: 'majority', w: 'majority', journal: true } as const
  const client = new MongoClient(address, {
    maxPoolSize: maxConnections,
    serverSelectionTimeoutMS: 10_000,
    ...asAdapter,
  })
  defer(() => client.close())
  return client.connect()
}

async function openRaw(address: string, isKeyed: boolean, defer: Defer): Promise<RawInsert> {
  const raw = (await connect(address, defer)).db().collection<Document & { readonly _id: number }>('raw')
  await raw.createIndex({ auctionId: 1, sequence: 1 }, { unique: true })
  await raw.createIndex({ requestKey: 1 }, { unique: true, sparse: true })
  const nextEntry = rawEntries(isKeyed)
  return () => {
    const { id, auctionId, sequence, requestKey, data } = nextEntry()
    return raw.insertOne({ _id: id, auctionId, sequence, ...data, ...(requestKey !== null && { requestKey }) })
  }
}
