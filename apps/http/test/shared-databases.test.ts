import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeMongo } from '../../../tools/vitest/mongodb.ts'
import { describePostgresql, execute } from '../../../tools/vitest/postgresql.ts'
import { startReceiver, withStatus } from '../../../tools/vitest/receiver.ts'
import { isLong } from '../../../tools/vitest/size.ts'
import { bidIn, type Client, clientOf, newAuction, openAuction, problem, runningNow } from './support/client.ts'
import { runHere } from './support/command.ts'
import { startServerProcess } from './support/server-process.ts'
import { secret, webhookSecret } from './support/tokens.ts'

/** An empty database that several servers can share. */
type SharedDatabase = {
  /** How the log names it, at the beginning. */
  readonly name: string
  readonly settings: () => Promise<Readonly<Record<string, string>>>
}

const running = runningNow()

const data = async (client: Client, path: string) => (await client.get(path)).body.data

/** Tests several servers on any shared database. The contract suites show that stores lose nothing, so the short form has one. */
function sharedDatabaseTests({ settings, name }: SharedDatabase): void {
  const environment = async () => ({ ...(await settings()), JWT_SECRET: secret, RATE_LIMIT_MAX: '1000000' })

  test('serves the same requests as in memory, and keeps all data when its process is killed', async () => {
    const first = await startServerProcess(await environment())
    expect(first.stdout()).toContain(`"store":"${name}`)
    const before = clientOf(first)
    const created = await before.createAuction(running, { 'idempotency-key': 'kept' })
    expect(created).toMatchObject({ status: 201, body: { data: { ...newAuction, ...running, status: 'Pending' } } })
    const auctionId = created.body.data.id
    const placed = await before.placeBid({ auctionId, amount: 120.5 }, { 'idempotency-key': 'kept' })
    expect(placed.status).toBe(201)
    expect((await before.placeBid({ auctionId: auctionId + 1_000_000 })).status).toBe(404)
    first.child.kill('SIGKILL')
    await first.exited()

    const second = clientOf(await startServerProcess(await environment()))
    expect((await second.createAuction(running, { 'idempotency-key': 'kept' })).text).toBe(created.text)
    expect((await second.placeBid({ auctionId, amount: 120.5 }, { 'idempotency-key': 'kept' })).text).toBe(placed.text)
    const prices = { currentPrice: 120.5, minimumNextBid: 125.5 }
    expect(await second.placeBid({ auctionId, amount: 125.49 })).toMatchObject(
      problem(409, 'bid-too-low', { ...prices, currency: 'USD' }),
    )
    const read = { status: 'Active', ...prices, bidCount: 1 }
    expect(await data(second, `/api/Auctions/${auctionId}`)).toMatchObject(read)
    expect((await data(second, `/api/Auctions/${auctionId}/Bids`)).items).toEqual([bidIn(placed)])
    expect(await data(second, placed.headers.get('location') ?? '')).toEqual(bidIn(placed))
    expect((await data(second, '/api/Auctions?status=Active&limit=1')).items).toMatchObject([
      { id: auctionId, ...read },
    ])
    expect((await second.createAuction(running)).body.data.id).not.toBe(auctionId)
  })

  test('posts the events that a killed process has not posted', async () => {
    const receiver = await startReceiver()
    receiver.respondWith(withStatus(503))
    const webhook = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: webhookSecret }
    const given = { ...(await environment()), ...webhook }
    const first = await startServerProcess(given)
    const auction = await openAuction(first, running)
    expect((await auction.placeBid()).status).toBe(201)
    expect((await auction.cancelAuction()).status).toBe(201)
    await receiver.received(1)
    await first.kill()

    receiver.respondWith(withStatus(200))
    const before = receiver.messages.length
    await startServerProcess(given)
    // The database has auctions of other tests.
    const ids = () => receiver.messages.slice(before).map(({ headers }) => String(headers['webhook-id']))
    const own = () => ids().filter((id) => id.startsWith(`evt_${auction.id}_`))
    while (own().length < 3) await receiver.received(receiver.messages.length + 1)
    expect(own()).toEqual([0, 1, 2].map((sequence) => `evt_${auction.id}_${sequence}`))
  })
}

describe('the service on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'auction-test-'))
  afterAll(() => rm(folder, { recursive: true }))
  const file = join(folder, 'auctions.sqlite')
  sharedDatabaseTests({ name: `SQLite file ${file}: `, settings: async () => ({ SQLITE_FILE: file }) })
})

if (isLong) {
  describeMongo('the service', (database) => {
    sharedDatabaseTests({ name: 'MongoDB at ', settings: async () => ({ MONGODB_URI: database() }) })
  })
}

describePostgresql('the service', (database) => {
  test('checks a database without a change', async () => {
    const POSTGRESQL_URI = await database()
    const { code, stdout, stderr } = await runHere(['--check'], { POSTGRESQL_URI, JWT_SECRET: secret })
    expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(/^Store: PostgreSQL at .*, database .*$/m)])
    expect(stdout).not.toContain(new URL(POSTGRESQL_URI).password || 'no password')
    expect(await execute(POSTGRESQL_URI, "SELECT FROM pg_namespace WHERE nspname = 'auctions'")).toEqual([])
  })

  if (!isLong) return
  sharedDatabaseTests({ name: 'PostgreSQL at ', settings: async () => ({ POSTGRESQL_URI: await database() }) })
})
