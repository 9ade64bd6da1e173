import { readFile, writeFile } from 'node:fs/promises'
import { verifyAuction } from '@auction/domain/audit'
import { toAuctionId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { describePostgresql } from '../../../../tools/vitest/postgresql.ts'
import { sampleOf } from '../../../../tools/vitest/size.ts'
import { clientOf } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import * as grants from '../support/tokens.ts'
import { compress, type Database, decompress, mongoDatabase, postgresqlDatabase, sqliteDatabase } from './databases.ts'
import {
  auctionIds,
  auctionOfEarlierVersion,
  bidders,
  continuedScenes,
  endOfScenes,
  recordedScenes,
  type Scene,
  type Step,
  staff,
} from './scenario.ts'

// `recordings` has a database of format 5 of SQLite, 2 of PostgreSQL and 4 of MongoDB, which `recordedScenes` made, with the
// responses to it and the rows that `continuedScenes` add. Programs of these formats read these databases, and store the same
// bytes for the same requests, so the databases never change. After an intended change of responses, record the text files:
// vitest run apps/http/test/recorded -u. A store with a new format has its number below and a new database, which RECORD=1 writes.

const folder = `${import.meta.dirname}/recordings`

type Subject = {
  /** The kind of the store, and the number of its format. */
  readonly format: string
  readonly make: () => Promise<Database>
  /** Stand-ins for it take a hundred times as long to read, so the short form reads a sample. */
  readonly isSlow?: boolean
}

function recordingOf({ format, make, isSlow = false }: Subject): void {
  const file = `${folder}/${format}.gz`

  test(`${format}: the same requests store the same bytes, and have the same responses`, async () => {
    const database = await make()
    const responses = await serve(database, (server) => play(server, recordedScenes))
    if (process.env['RECORD'] === '1') await writeFile(file, compress(await database.dump()))
    const recorded = await restored()
    expect(await database.rows()).toEqual(await recorded.rows())
    await expectRecorded('responses.txt', responses)
  })

  test(`${format}: a recorded database is read, verified and continued`, async () => {
    const database = await restored()
    const before = await database.rows()
    await serve(database, async (server) => {
      server.clock.set(endOfScenes)
      await expectReads('reads.txt', server, isSlow)
      expect(await database.rows()).toEqual(before)
      await expectRecorded('continued.txt', await play(server, continuedScenes))
      await expectReads('continued-reads.txt', server, isSlow)
      const keyed = recordedScenes.filter((scene): scene is Step => 'key' in scene)
      await expectRecorded('repeated.txt', await play(server, keyed))
      await verifyAll(server, isSlow ? sampleOf(auctionIds) : auctionIds)
    })
    const after = new Set(await database.rows())
    const removed = before.filter((row) => !after.has(row)).map((row) => `- ${row}`)
    for (const row of before) after.delete(row)
    await expectRecorded(`${format}-continued.txt`, [...removed, ...[...after].map((row) => `+ ${row}`)])
  })

  async function restored(): Promise<Database> {
    const database = await make()
    await database.restore(decompress(await readFile(file)))
    return database
  }
}

describe('a database in SQLite', () => {
  recordingOf({ format: 'sqlite-5', make: sqliteDatabase })
})
describePostgresql('a database', () => {
  recordingOf({ format: 'postgresql-2', make: postgresqlDatabase })
})
describeMongo('a database', () => {
  recordingOf({ format: 'mongodb-4', make: mongoDatabase, isSlow: true })
})

const expectRecorded = (file: string, lines: readonly string[]) =>
  expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`${folder}/${file}`)

/** Serves a database, and closes all that was opened, so that nothing is written afterwards. */
async function serve<Value>(database: Database, use: (server: TestServer) => Promise<Value>): Promise<Value> {
  const store = await database.open()
  onTestFinished(() => store.close())
  const server = await startServer({
    environment: {
      JWT_SECRET: grants.secret,
      JWT_SUBJECT_CLAIM: 'sub',
      RATE_LIMIT_MAX: '1000000',
      // The requests are sent once, so a busy machine may take long for one.
      REQUEST_DEADLINE_SECONDS: '60',
    },
    store,
    checkpoints: store.checkpoints,
    replaceInStore: () => ({ append: (entries, options) => store.append(entries.map(asEarlier), options) }),
  })
  const value = await use(server)
  await server.app.close()
  await server.service.close()
  await store.close()
  return value
}

/** An entry as a version that did not record roles stored it. */
function asEarlier(entry: Entry): Entry {
  if (entry.auctionId !== auctionOfEarlierVersion || !('by' in entry.event)) return entry
  const { by: _, ...event } = entry.event
  return { ...entry, event }
}

/** Sends the requests one after another, a second apart, and returns the responses. */
async function play(server: TestServer, scenes: readonly Scene[]): Promise<readonly string[]> {
  const lines: string[] = []
  for (const scene of scenes) {
    if ('until' in scene) {
      server.clock.set(scene.until)
      // The first call may join one that is in progress, of an earlier time.
      for (let call = 0; call < 2; call++) await server.service.closeDue()
      continue
    }
    if (scene.method !== 'GET') server.clock.advance(1_001)
    lines.push(await responseTo(server, scene))
  }
  return lines
}

async function responseTo(server: TestServer, { as, method, path, body, key }: Step): Promise<string> {
  const mediaType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const client = clientOf(server, tokenOf(as))
  const tag = method === 'PATCH' ? (await client.get(path)).headers.get('etag') : null
  const headers = {
    ...(body && { 'content-type': mediaType }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(tag !== null && { 'if-match': tag }),
  }
  const sent = { headers, ...(body && { body: JSON.stringify(body) }) }
  const { status, text, headers: received } = await client.send(method, path, sent)
  expect(status, text).toBeLessThan(500)
  const shown = ['location', 'etag'].flatMap((name) => received.get(name) ?? [])
  return [`${method} ${path} as ${as}${key === undefined ? '' : ` (${key})`}:`, status, ...shown, text].join(' ')
}

function tokenOf(user: number): string {
  const { permissions, correctingOwn, forcing, correcting, managing, reserveReader } = grants
  const ofStaff = user === staff ? [forcing, correcting, managing, reserveReader] : []
  return grants.tokenOf(String(user), { permissions: [...permissions, correctingOwn, ...ofStaff] })
}

/** Reads of everything, by users who see their own secrets. */
const reads: readonly Step[] = [
  ...auctionIds.map((id) => [`Auctions/${id}/Events?limit=100`, staff] as const),
  ...[1, 11, 12, 14, 16, 20, 22, 31].flatMap((id) => [
    [`Auctions/${id}`, 1] as const,
    [`Auctions/${id}/Bids?limit=100`, 11] as const,
    [`Auctions/${id}/Repairs`, 2] as const,
  ]),
  ['Auctions/1?at=3', 1] as const,
  ...[
    `ids=${auctionIds}`,
    'limit=3&status=Pending',
    'limit=3&status=Active&sort=endTime',
    'limit=3&status=Ended',
    'limit=3&sort=endedTime&outcome=sold',
    'limit=3&status=Cancelled',
    'limit=3&ownerId=1',
    'limit=3&productId=9',
    'limit=3&q=desk',
    'q=cafe',
  ].map((query) => [`Auctions?${query}`, 2] as const),
  ...bidders.map((bidderId) => [`Bids?bidderId=${bidderId}&limit=100`, bidderId] as const),
  ['Bids/1', 11] as const,
].map(([path, as]) => ({ as, method: 'GET', path: `/api/${path}` }))

async function expectReads(file: string, server: TestServer, isSlow: boolean): Promise<void> {
  const responses = await play(server, isSlow ? sampleOf(reads) : reads)
  if (responses.length === reads.length) return expectRecorded(file, responses)
  const requests = new Set(responses.map(requestIn))
  const recorded = (await readFile(`${folder}/${file}`, 'utf8'))
    .split('\n')
    .filter((line) => requests.has(requestIn(line)))
  expect(responses).toEqual(recorded)
}

const requestIn = (line: string): string => line.slice(0, line.indexOf(': '))

async function verifyAll({ store }: TestServer, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const verification = await verifyAuction(store, toAuctionId(id))
    expect(verification, `auction ${id}`).toMatchObject({ ok: true, value: { difference: undefined } })
  }
}
