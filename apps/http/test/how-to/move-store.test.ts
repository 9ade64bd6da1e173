import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock } from '@auction/adapters/memory'
import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { openSqliteStore, type SqliteStore } from '@auction/adapters/sqlite'
import { createAuctionService, type ListAuctionsQuery } from '@auction/domain'
import { verifyRegister, verifySale } from '@auction/domain/audit'
import { toAuctionId, toRegisterId } from '@auction/domain/ids'
import { parseSaleExtension } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import type { Store } from '@auction/domain/store'
import {
  sampleBidders,
  sampleCorrection,
  sampleEndTime,
  sampleLots,
  sampleNewAuction,
  sampleNewBid,
  sampleNewRegister,
  sampleNewSale,
} from '@auction/testing/samples'
import { expect, onTestFinished, test } from 'vitest'
import { runChild } from '../../../../tools/vitest/child.ts'
import { describePostgresql, ownPostgresql } from '../../../../tools/vitest/postgresql.ts'
import { readPage } from '../support/page.ts'

const root = join(import.meta.dirname, '../../../..')
const bids = 1_100 // More than two pages of entries.
const retry = (key: string) => ({ caller: 'caller', key })

/** Runs the command of the page. */
async function move(file: string, uri: string): Promise<string> {
  const [, parameters = ''] = /exec node (--\S+ \S+) data/.exec(readPage('how-to/move-to-another-store.md')) ?? []
  return (await runChild(process.execPath, [...parameters.split(' '), file, uri], { cwd: root })).stdout
}

/**
 * A store with three auctions: one has ended and has its result, one is open, has another title and many bids, and one is
 * cancelled. It also has a register of bidders with the id 4, a sale with the id 5, whose lot is auction 6, and so two
 * directories.
 */
async function fill(store: SqliteStore, clock: ReturnType<typeof createManualClock>) {
  const service = createAuctionService({ store, clock })
  unwrap(await service.createAuction(sampleNewAuction({ endTime: '2030-01-31T13:00:00Z' })))
  unwrap(await service.createAuction(sampleNewAuction(), retry('auction')))
  unwrap(
    await service.correctAuction({
      auctionId: toAuctionId(2),
      correction: sampleCorrection({ title: 'Oak desk', endTime: '2030-02-02T12:00:00Z' }),
      editor: 'staff',
    }),
  )
  unwrap(await service.createAuction(sampleNewAuction()))
  unwrap(await service.cancelAuction({ auctionId: toAuctionId(3) }))
  unwrap(await service.placeBid(sampleNewBid(), retry('bid')))
  clock.set('2030-01-31T13:00:02Z')
  await service.closeDue()
  for (let bid = 0; bid < bids; bid++)
    unwrap(await service.placeBid(sampleNewBid({ auctionId: 2, amount: 100 + 5 * bid })))
  const register = unwrap(await service.createRegister(newRegister, retry('register')))
  const bidders = sampleBidders({ bidderId: 2, status: 'admitted', limit: 120 })
  unwrap(await service.setBidders({ registerId: register.id, bidders, editor: 'staff' }))
  const { id: saleId } = unwrap(await service.createSale(newSale, retry('sale')))
  unwrap(await service.addLots({ ...newLots, saleId }))
  unwrap(await service.extendSale({ ...extension, saleId }, retry('extension')))
  await service.close()
  await store.checkpoints.save(checkpoints)
}

const newRegister = { register: sampleNewRegister(), editor: 'staff' }
const newSale = { sale: sampleNewSale(), editor: 'staff' }
const newLots = { lots: sampleLots({ lot: '12' }), editor: 'staff' }
const extension = { extension: unwrap(parseSaleExtension({ seconds: 60, reason: 'Outage' })), editor: 'staff' }
const lotId = 6

const most = Number.MAX_SAFE_INTEGER

const checkpoints = Array.from({ length: 600 }, (_, index) => ({
  auctionId: toAuctionId(index + 1),
  name: 'mails',
  sequence: index,
}))

const contentOf = async (store: Store) => ({
  auctions: await Promise.all([1, 2, 3, lotId].map((id) => store.findAuction(toAuctionId(id)))),
  ledgers: await Promise.all(
    [1, 2, 3, 4, 5, lotId, most, most - 1].map((id) => store.listEntries(toAuctionId(id), { limit: 2 * bids })),
  ),
})

describePostgresql('the script that moves a store', () => {
  test('moves everything, and the service continues on the new store', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'auction-move-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { uri, drop } = await ownPostgresql()
    onTestFinished(() => void drop())
    const file = join(folder, 'auctions.sqlite')
    const clock = createManualClock('2030-01-31T12:00:00Z')
    const old = await openSqliteStore(file)
    await fill(old, clock)
    const content = await contentOf(old)
    await old.close()

    // The bid, its auction's result, the correction, the cancellation, two of the register, three of the sale, the
    // extension of its lot, two lines, and the other bids.
    expect(await move(file, uri)).toBe(`moved 4 auctions with ${bids + 12} entries\n`)

    const store = await connectPostgresqlStore(uri)
    onTestFinished(() => store.close())
    expect(await contentOf(store)).toStrictEqual(content)
    expect(await store.checkpoints.list({ limit: 1_000 })).toStrictEqual(checkpoints)

    const service = createAuctionService({ store, clock })
    onTestFinished(() => service.close())
    const idsOf = async (query: ListAuctionsQuery) =>
      unwrap(await service.listAuctions(query)).items.map(({ auction }) => auction.id)
    expect(await idsOf({ order: 'newest', words: ['oak'], limit: 10 })).toEqual([2])
    expect(await idsOf({ order: 'ended', status: 'Cancelled', limit: 10 })).toEqual([3])
    expect(await idsOf({ order: 'ended', status: 'Ended', limit: 10 })).toEqual([1])
    expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
    const { items } = await store.listAuctions({ order: 'agenda', limit: 10 })
    const end = { order: 'agenda', timeMs: Date.parse('2030-02-02T12:00:00Z'), id: 2 }
    const endOfLot = { order: 'agenda', timeMs: Date.parse(sampleEndTime) + 11 * 60_000, id: lotId }
    expect(items.map(({ position }) => position)).toEqual([end, endOfLot])
    expect(unwrap(await service.createAuction(sampleNewAuction(), retry('auction'))).id).toBe(2)
    expect(unwrap(await service.placeBid(sampleNewBid(), retry('bid'))).id).toBe(content.ledgers[0]?.at(-1)?.id)
    expect(unwrap(await service.createRegister(newRegister, retry('register'))).id).toBe(4)
    expect(unwrap(await verifyRegister(store, toRegisterId(4)))).toEqual({ entries: 2, difference: undefined })
    const { id: saleId } = unwrap(await service.createSale(newSale, retry('sale')))
    expect(saleId).toBe(5)
    expect(unwrap(await service.addLots({ ...newLots, saleId })).lots).toMatchObject([{ lot: '12', auctionId: lotId }])
    expect((await service.extendSale({ ...extension, saleId }, retry('extension'))).ok).toBe(true)
    expect((await store.listEntries(toAuctionId(lotId), { limit: 9 })).length).toBe(1)
    expect(unwrap(await verifySale(store, saleId))).toMatchObject({
      entries: 3,
      difference: undefined,
      unfinishedLots: [],
    })
    expect(unwrap(await service.createAuction(sampleNewAuction())).id).toBeGreaterThan(lotId)
    const placed = unwrap(await service.placeBid(sampleNewBid({ auctionId: 2, amount: 10_000 })))
    expect(placed.id).toBeGreaterThan(Number(content.ledgers[1]?.[0]?.id))

    await expect(move(file, uri)).rejects.toThrow(/^the target is not empty$/m)
    await expect(move(join(folder, 'other.sqlite'), uri)).rejects.toThrow(/^the file .*other\.sqlite does not exist$/m)
  })
})
