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
  function nextRow(): readonly unknown[] {
    const { id, auctionId, sequence, requestKey, data } = nextEntry()
    return [id, auctionId, sequence, requestKey && Buffer.from(requestKey), JSON.stringify(data)]
  }
  const placesOf = (row: number) => `(${[1, 2, 3, 4, 5].map((column) => `$${5 * row + column}`)})`
  const textOf = (entries: number) =>
    `INSERT INTO raw VALUES ${Array.from({ length: entries }, (_, row) => placesOf(row))}`
  const texts = { 1: textOf(1), 100: textOf(100) }
  return (entries) => {
    const values = Array.from({ length: entries }, nextRow).flat()
    return pool.query({ name: `insert ${entries}`, text: texts[entries], values })
  }
}
