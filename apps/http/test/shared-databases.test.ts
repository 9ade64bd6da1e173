import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectMongoStore } from '@auction/adapters/mongodb'
import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { openSqliteStore } from '@auction/adapters/sqlite'
import { requestKeyOf } from '@auction/domain/request-key'
import type { Store } from '@auction/domain/store'
import { checkHistory } from '@auction/testing/check-history'
import { afterAll, describe, expect, test } from 'vitest'
import { longTest } from '../../../tools/vitest/long-test.ts'
import { describeMongo } from '../../../tools/vitest/mongodb.ts'
import { describePostgresql, execute } from '../../../tools/vitest/postgresql.ts'
import { startReceiver, withStatus } from '../../../tools/vitest/receiver.ts'
import { bidIn, type Client, clientOf, newAuction, openAuction, problem, runningNow } from './support/client.ts'
import { bidOn, createRecorder } from './support/recorder.ts'
import { startProcess, startServerProcess } from './support/server-process.ts'
import { secret, tokenOf, webhookSecret } from './support/tokens.ts'

/** An empty database that several servers can share. */
type SharedDatabase = {
  /** How the log names it, at the beginning. */
  readonly name: string
  readonly settings: () => Promise<Readonly<Record<string, string>>>
  readonly connect: () => Promise<Store & { close(): Promise<void> }>
}

const running = runningNow()
const rounds = 8

const data = async (client: Client, path: string) => (await client.get(path)).body.data

/** Tests several servers on any shared database. */
function sharedDatabaseTests({ settings, name, connect }: SharedDatabase): void {
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
    receiver.answerWith(withStatus(503))
    const webhook = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: webhookSecret }
    const given = { ...(await environment()), ...webhook }
    const first = await startServerProcess(given)
    const auction = await openAuction(first, running)
    expect((await auction.placeBid()).status).toBe(201)
    expect((await auction.cancelAuction()).status).toBe(201)
    await receiver.received(1)
    await first.kill()

    receiver.answerWith(withStatus(200))
    const before = receiver.messages.length
    await startServerProcess(given)
    // The database has auctions of other tests.
    const ids = () => receiver.messages.slice(before).map(({ headers }) => String(headers['webhook-id']))
    const own = () => ids().filter((id) => id.startsWith(`evt_${auction.id}_`))
    while (own().length < 3) await receiver.received(receiver.messages.length + 1)
    expect(own()).toEqual([0, 1, 2].map((sequence) => `evt_${auction.id}_${sequence}`))
  })

  longTest('has a valid history after 64 bidders on one auction, through two processes', async () => {
    const servers = await Promise.all([1, 2].map(() => environment().then((each) => startServerProcess(each))))
    const urlOf = (bidder: number): string => servers[bidder % servers.length]?.url ?? ''
    const recorder = createRecorder(tokenOf('bidders'))
    const created = await recorder.createAuction(urlOf(0), { ...newAuction, ...running }, 'auction')
    if (created.outcome !== 'accepted') throw new Error(`the auction is ${created.outcome}`)
    const { id } = created.auction

    await Promise.all(
      Array.from({ length: 64 }, async (_, bidder) => {
        let amount = 100
        for (let round = 0; round < rounds; round++) {
          const url = urlOf(bidder)
          const answer = await recorder.placeBid(url, bidOn(id, bidder + 2, amount), `${bidder}-${round}`)
          if (answer.outcome === 'accepted') amount = answer.bid.amountMinor / 100 + 5
          if (answer.outcome === 'refused') amount = (answer.minimumNextBidMinor ?? Number.NaN) / 100
          if (round % 4 === 0) await recorder.readAuction(url, id)
        }
      }),
    )

    const store = await connect()
    const auction = await store.findAuction(id)
    const ledger = await store.listEntries(id, { limit: 10_000 })
    await store.close()
    if (auction === undefined) throw new Error('the auction is stored')
    const auctions = [{ ...auction, requestKey: requestKeyOf('create-auction', { caller: 'any', key: 'auction' }) }]
    const { attempts, breaches } = recorder
    expect(breaches).toEqual([])
    expect(checkHistory({ auctions, attempts, ledger, clockErrorMs: 5, marginMs: 2_000 })).toEqual([])
    const bids = attempts.filter(({ type }) => type === 'place-bid')
    const outcomes = Map.groupBy(bids, ({ answer }) => answer.outcome)
    expect(outcomes.get('accepted')?.length).toBe(ledger.length)
    // In each round of a bidder, its bid or another one is accepted.
    expect(ledger.length).toBeGreaterThanOrEqual(rounds)
    expect(outcomes.get('unknown')).toBeUndefined()
    for (const { answer } of outcomes.get('refused') ?? []) expect(answer).toMatchObject({ code: 'bid-too-low' })
  })
}

describe('the service on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'auction-test-'))
  afterAll(() => rm(folder, { recursive: true }))
  const file = join(folder, 'auctions.sqlite')
  sharedDatabaseTests({
    name: `SQLite file ${file}: `,
    settings: async () => ({ SQLITE_FILE: file }),
    connect: () => openSqliteStore(file),
  })
})

describeMongo('the service', (database) => {
  sharedDatabaseTests({
    name: 'MongoDB at ',
    settings: async () => ({ MONGODB_URI: database() }),
    connect: () => connectMongoStore(database()),
  })
})

describePostgresql('the service', (database) => {
  test('checks a database without a change', async () => {
    const checked = startProcess({ POSTGRESQL_URI: await database(), JWT_SECRET: secret }, { args: ['--check'] })
    expect(await checked.exited()).toBe(0)
    expect(checked.stdout()).toMatch(/^Store: PostgreSQL at .*, database .*$/m)
    expect(checked.stdout() + checked.stderr()).not.toContain(new URL(await database()).password || 'no password')
    expect(await execute(await database(), "SELECT FROM pg_namespace WHERE nspname = 'auctions'")).toEqual([])
  })

  sharedDatabaseTests({
    name: 'PostgreSQL at ',
    settings: async () => ({ POSTGRESQL_URI: await database() }),
    connect: async () => connectPostgresqlStore(await database()),
  })
})
