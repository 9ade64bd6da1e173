import { randomUUID } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { connectMongoStore } from '@auction/adapters/mongodb'
import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { openSqliteStore } from '@auction/adapters/sqlite'
import type { Checkpoints } from '@auction/delivery/checkpoints'
import type { ClosableStore } from '@auction/domain/store'
import { BSON, type Document, MongoClient } from 'mongodb'
import { onTestFinished } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'
import { ownDatabase } from '../../../../tools/vitest/mongodb.ts'
import { execute, ownPostgresql } from '../../../../tools/vitest/postgresql.ts'

/** A busy machine may take long for a call, and no test is about that. */
const timeoutMs = 60_000

type OpenStore = ClosableStore & { readonly checkpoints: Checkpoints }

/** An empty database for one test. */
export type Database = {
  open(): Promise<OpenStore>
  /** Everything in it, to be restored into an empty one; call it when no store is open. */
  dump(): Promise<Buffer>
  restore(dumped: Buffer): Promise<void>
  /** Every row or document as text with all its bytes, in the order of their keys, without what differs in each recording. */
  rows(): Promise<readonly string[]>
}

export async function sqliteDatabase(): Promise<Database> {
  const file = join(tmpdir(), `auction-recorded-${randomUUID()}.sqlite`)
  onTestFinished(async () => {
    for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true })
  })
  const using = <Value>(use: (database: DatabaseSync) => Value): Value => {
    const database = new DatabaseSync(file)
    try {
      return use(database)
    } finally {
      database.close()
    }
  }
  return {
    open: () => openSqliteStore(file, { timeoutMs }),
    async dump() {
      using((database) => database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'))
      return readFile(file)
    },
    restore: (dumped) => writeFile(file, dumped),
    rows: async () =>
      using((database) => {
        const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").all()
        return tables.flatMap(({ name }) => {
          // The numbers of appends have random tokens.
          if (name === 'appends') return []
          return database.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`).all().map(lineOf(name))
        })
      }),
  }
}

export async function postgresqlDatabase(): Promise<Database> {
  const { uri, drop } = await ownPostgresql()
  onTestFinished(async () => void (await drop()))
  return {
    open: () => connectPostgresqlStore(uri, { timeoutMs }),
    async dump() {
      const options = ['--inserts', '--no-owner', '--no-privileges', '--no-comments']
      const { stdout } = await runChild('pg_dump', [...options, uri])
      // Settings and commands of psql, which other versions of PostgreSQL and clients do not know. Texts have no line breaks.
      return Buffer.from(stdout.replaceAll(/^(?:--|SET |\\|SELECT pg_catalog\.set_config).*\n|^\n/gm, ''))
    },
    restore: async (dumped) => void (await execute(uri, dumped.toString())),
    async rows() {
      const tables = await execute(uri, "SELECT tablename FROM pg_tables WHERE schemaname = 'auctions' ORDER BY 1")
      const lines = tables.map(async ({ tablename }) => {
        // The numbers of transactions belong to a server.
        const rows = await execute(
          uri,
          `SELECT to_jsonb(t) - 'transaction_id' AS row FROM auctions.${tablename} t ORDER BY 1`,
        )
        return rows.map(({ row }) => row).map(lineOf(tablename))
      })
      return (await Promise.all(lines)).flat()
    },
  }
}

export async function mongoDatabase(): Promise<Database> {
  const { uri, drop } = ownDatabase()
  const client = new MongoClient(uri, { promoteValues: false, promoteLongs: false })
  const database = client.db()
  onTestFinished(async () => {
    await client.close()
    await drop()
  })
  const documents = async (): Promise<readonly (readonly [collection: string, document: Document])[]> => {
    const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => String(name))
    const lists = names.toSorted().map(async (name) => {
      const found = await database.collection(name).find().toArray()
      return found.map((document) => [name, document] as const)
    })
    return (await Promise.all(lists)).flat()
  }
  return {
    open: () => connectMongoStore(uri, { timeoutMs }),
    async dump() {
      const lines = (await documents()).map(([name, document]) => `${name} ${textOf(document)}\n`)
      return Buffer.from(lines.toSorted().join(''))
    },
    async restore(dumped) {
      const lines = dumped.toString().split('\n').slice(0, -1)
      const found = lines.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)] as const)
      for (const [name, texts] of Map.groupBy(found, ([name]) => name)) {
        const restored = texts.map(([, text]) => BSON.EJSON.parse(text, { relaxed: false }) as Document) // Each is one.
        await database.collection(name).insertMany(restored)
      }
    },
    rows: async () =>
      (await documents())
        // The server gives some documents random ids.
        .map(
          ([name, { _id, ...fields }]) =>
            `${name} ${textOf(_id?._bsontype === 'ObjectId' ? fields : { _id, ...fields })}`,
        )
        .toSorted(),
  }
}

const lineOf = (table: unknown) => (row: object) => `${String(table)} ${JSON.stringify(row)}`
const textOf = (document: Document) => BSON.EJSON.stringify(document, { relaxed: false })

export const compress = (dumped: Buffer): Buffer => gzipSync(dumped, { level: 9 })
export const decompress = (recording: Buffer): Buffer => gunzipSync(recording)
