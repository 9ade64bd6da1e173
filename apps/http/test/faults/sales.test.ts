import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { openSqliteStore } from '@auction/adapters/sqlite'
import { readLots } from '@auction/domain/audit'
import { ledgerIdOf, toSaleId } from '@auction/domain/ids'
import type { ClosableStore, Store } from '@auction/domain/store'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describePostgresql } from '../../../../tools/vitest/postgresql.ts'
import { isLong } from '../../../../tools/vitest/size.ts'
import { type Client, clientOf, runningNow } from '../support/client.ts'
import { runHere } from '../support/command.ts'
import { temporaryFolder } from '../support/server-process.ts'
import { permissions, saleManaging, secret, tokenOf } from '../support/tokens.ts'
import { type HttpServer, type Settings, startHttpServer } from './http-server.ts'

/** A database that the test and several servers open. */
type Database = { readonly settings: Settings; readonly open: () => Promise<Store & Partial<ClosableStore>> }

type Size = { readonly lots: number; readonly kills: number }
const short: Size = { lots: 300, kills: 3 }
const long: Size = { lots: 3_000, kills: 30 }

const lotsPerPart = 25
/** The parts that are on the way at the same time. */
const creators = 4
/** The longest time from the entry of a part to a kill, which is mostly before the auctions of the part are stored. */
const mostMsToKill = 20

const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index)

const numbersOf = (part: number): readonly string[] => range(1 + part * lotsPerPart, lotsPerPart).map(String)

/** Sends a part until its response has its lots, while the server is killed and started. */
async function addPart(clerk: Client, saleId: number, part: number, isStarted: () => Promise<unknown>) {
  const lots = numbersOf(part).map((lot) => ({ lot, title: `Lot ${lot}` }))
  for (;;) {
    await isStarted()
    const response = await clerk.post(`/api/Sales/${saleId}/Lots`, { lots }).catch(() => undefined)
    if (response?.status === 200) return response.body.data.lots as readonly AddedLot[] // By its status.
    if (response !== undefined && response.status !== 503) throw new Error(response.text)
  }
}
type AddedLot = { readonly lot: string; readonly auctionId: number }

/** Adds all parts, and checks that each lot has one auction. */
async function addAll(
  parts: readonly number[],
  add: (part: number) => Promise<readonly AddedLot[]>,
  added: Map<string, number>,
): Promise<void> {
  for (const part of parts)
    for (const { lot, auctionId } of await add(part)) {
      if ((added.get(lot) ?? auctionId) !== auctionId) throw new Error(`lot ${lot} has two auctions`)
      added.set(lot, auctionId)
    }
}

type LotPage = {
  readonly items: readonly { readonly lot: string; readonly id: number }[]
  readonly nextCursor: string | null
}

/** Reads all pages again and again, and returns the ids of the lots of the last walk by their numbers. */
async function pollLots(reader: Client, saleId: number, isOver: () => boolean): Promise<ReadonlyMap<string, number>> {
  let known: ReadonlyMap<string, number> = new Map()
  for (let isLast = false; !isLast; ) {
    isLast = isOver()
    const seen = new Map<string, number>()
    let path: string | undefined = `/api/Sales/${saleId}/Lots?limit=100`
    while (path !== undefined) {
      const page: LotPage = (await reader.get(path)).body.data
      for (const { lot, id } of page.items) {
        if (seen.has(lot)) throw new Error(`a walk has lot ${lot} twice`)
        seen.set(lot, id)
      }
      path = page.nextCursor === null ? undefined : `/api/Sales/${saleId}/Lots?limit=100&cursor=${page.nextCursor}`
    }
    for (const [lot, id] of known)
      if (seen.get(lot) !== id) throw new Error(`lot ${lot} is ${seen.get(lot)}, was ${id}`)
    known = seen
  }
  return known
}

/** Kills a server at random moments after a part is recorded, and checks what operators see then. */
function killAgainAndAgain(
  server: HttpServer,
  kills: number,
  isRecorded: () => Promise<unknown>,
  whileDown: () => Promise<void>,
) {
  let started = Promise.resolve()
  const restart = async () => {
    await server.kill()
    await whileDown()
    await server.start()
  }
  const killing = async () => {
    for (let kill = 0; kill < kills; kill++) {
      await isRecorded()
      // The moment is any one: nothing is waited for.
      await wait(Math.random() * mostMsToKill)
      started = restart()
      await started
    }
  }
  return { done: killing(), isStarted: () => started }
}

/** The lots that are listed and have no auction, in the order of their numbers. */
async function unfinishedIn(store: Store, saleId: number): Promise<readonly string[]> {
  const { lots } = await readLots(store, toSaleId(saleId))
  const found = await store.findAuctions({ ids: lots.map(({ auctionId }) => auctionId) })
  const stored = new Set(found.map(({ auction }) => auction.id))
  return lots.filter(({ auctionId }) => !stored.has(auctionId)).map(({ lot }) => lot)
}

/** How often `--verify` must name the lots that a kill left without auction. */
const mostNamed = 3

/**
 * Creates a sale in parts, which are sent again after each kill. Returns how often `--verify` named lots without
 * auction.
 */
async function createUnderKills({ settings, open }: Database, { lots: count, kills }: Size): Promise<number> {
  const [server, other] = await Promise.all([startHttpServer(settings), startHttpServer(settings)])
  onTestFinished(() => void Promise.all([server.kill(), other.kill()]))
  const token = tokenOf('clerk', { permissions: [...permissions, saleManaging] })
  const [clerk, reader] = [clientOf(server, token), clientOf(other, token)]
  const { startTime, endTime: firstEndTime } = runningNow()
  const lotDefaults = { productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5 }
  const sale = { title: 'Sale', currency: 'USD', startTime, firstEndTime, intervalSeconds: 1, lotDefaults }
  const saleId: number = (await reader.post('/api/Sales', sale)).body.data.id
  const store = await open()
  onTestFinished(() => store.close?.())
  const verify = () => runHere(['--verify'], { ...settings, JWT_SECRET: secret })
  let named = 0
  const lastEntry = async () => (await store.findHeads([ledgerIdOf(toSaleId(saleId))]))[0]?.sequence ?? 0
  let creatorsLeft = creators
  let known = await lastEntry()
  /** Waits until the sale has another entry, or all parts are stored. */
  const isRecorded = async () => {
    while (creatorsLeft > 0 && (await lastEntry()) === known) await wait(1)
  }
  const killer = killAgainAndAgain(server, kills, isRecorded, async () => {
    known = await lastEntry()
    const unfinished = await unfinishedIn(store, saleId)
    // It takes long, as it verifies all auctions.
    if (unfinished.length === 0 || named === mostNamed) return
    named += 1
    const { stdout } = await verify()
    expect(stdout).toContain(`Sale ${saleId} has lots without an auction: ${unfinished.join(', ')};`)
  })
  let isOver = false
  const polled = pollLots(reader, saleId, () => isOver)
  const added = new Map<string, number>()
  const parts = range(0, count / lotsPerPart)
  let isKilled = false
  const killed = killer.done.finally(() => {
    isKilled = true
  })
  const add = (part: number) => addPart(clerk, saleId, part, killer.isStarted)
  const creating = range(0, creators).map(async () => {
    do {
      await addAll(parts, add, added)
      creatorsLeft -= 1
    } while (!isKilled)
  })
  await Promise.all([killed, ...creating]).finally(() => {
    isOver = true
  })
  const listed = await polled
  expect([...listed.keys()]).toEqual(parts.flatMap(numbersOf))
  expect(new Map(listed)).toEqual(new Map([...added].toSorted(([one], [two]) => Number(one) - Number(two))))
  expect(new Set(listed.values()).size).toBe(count)
  const { code, stdout } = await verify()
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`Verified ${count.toLocaleString('en-US')} auctions with`),
  ])
  return named
}

const title =
  'creates each lot of a sale once while its server is killed, and names those that a kill left without auction'
const timeoutMs = isLong ? 600_000 : 120_000

describe('on SQLite, a server', () => {
  test(
    title,
    async () => {
      const file = join(temporaryFolder(), 'auctions.sqlite')
      const database = { settings: { SQLITE_FILE: file }, open: () => openSqliteStore(file) }
      const named = await createUnderKills(database, isLong ? long : short)
      // Each of a few kills may be after all auctions of a part.
      if (isLong) expect(named).toBe(mostNamed)
    },
    timeoutMs,
  )
})

if (isLong)
  describePostgresql('a server', (uri) => {
    test(
      title,
      async () => {
        const POSTGRESQL_URI = await uri()
        const database = { settings: { POSTGRESQL_URI }, open: () => connectPostgresqlStore(POSTGRESQL_URI) }
        expect(await createUnderKills(database, long)).toBe(mostNamed)
      },
      timeoutMs,
    )
  })
