import { randomBytes } from 'node:crypto'
import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { Pool } from 'pg'
import { type Defer, scoped } from '../scope.ts'
import { type BenchStore, type RawInsert, rawEntries } from './bench-store.ts'

/** The connections of the adapter, and of the driver alone. */
const maxConnections = 20

export const postgresql: BenchStore = {
  uriVariable: 'POSTGRESQL_URI',
  version: (uri) =>
    scoped(async (defer) => {
      const { rows } = await open(uri, defer).query('SHOW server_version')
      return `PostgreSQL ${rows[0].server_version}`
    }),
  async openScratch(uri, defer) {
    const pool = open(uri, defer)
    const name = `auction_bench_${randomBytes(6).toString('hex')}`
    await pool.query(`CREATE DATABASE ${name}`)
    defer(() => pool.query(`DROP DATABASE ${name} WITH (FORCE)`))
    const address = new URL(uri)
    address.pathname = `/${name}`
    return address.href
  },
  open: (address) => connectPostgresqlStore(address, { maxConnections }),
  openRaw,
}

function open(address: string, defer: Defer): Pool {
  const pool = new Pool({ connectionString: address, max: maxConnections })
  pool.on('error', () => undefined) // A broken idle connection is replaced.
  defer(() => pool.end())
  return pool
}

const columns = 'id bigint PRIMARY KEY, auction_id bigint, sequence bigint, request_key bytea UNIQUE, data text'

async function openRaw(address: string, isKeyed: boolean, defer: Defer): Promise<RawInsert> {
  const pool = open(address, defer)
  await pool.query(`CREATE TABLE raw (${columns}, UNIQUE (auction_id, sequence))`)
  const nextEntry = rawEntries(isKeyed)
  return () => {
    const { id, auctionId, sequence, requestKey, data } = nextEntry()
    const values = [id, auctionId, sequence, requestKey && Buffer.from(requestKey), JSON.stringify(data)]
    return pool.query({ name: 'insert', text: 'INSERT INTO raw VALUES ($1, $2, $3, $4, $5)', values })
  }
}
