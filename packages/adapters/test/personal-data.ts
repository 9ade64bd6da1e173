import { readFile } from 'node:fs/promises'
import { type AuctionService, createAuctionService } from '@auction/domain'
import { verifyAuction, verifyRegister, verifySale } from '@auction/domain/audit'
import { ledgerIdOf, toAuctionId, toRegisterId, toSaleId, toUserId } from '@auction/domain/ids'
import { parseBidder, parseSaleExtension } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import type { Store } from '@auction/domain/store'
import {
  sampleAuction,
  sampleBidders,
  sampleCancellation,
  sampleCorrection,
  sampleExtension,
  sampleLots,
  sampleNewAuction,
  sampleNewBid,
  sampleNewRegister,
  sampleNewSale,
  samplePurchase,
} from '@auction/testing/samples'
import { expect, onTestFinished } from 'vitest'
import { createManualClock } from '../src/memory/index.ts'
import type { ServerStore } from './server-outage.ts'

/** A service at a time, on a store of its test; `close` closes both. */
export async function serviceOn(open: () => Promise<ServerStore>, time: string) {
  const store = await open()
  const service = createAuctionService({ store, clock: createManualClock(time) })
  const close = async () => {
    await service.close()
    await store.close()
  }
  onTestFinished(close)
  return { service, store, close }
}

/** The block of a how-to page with this name, unchanged. */
export async function blockOf(page: string, name: string): Promise<string> {
  const text = await readFile(new URL(`../../../docs/how-to/${page}.md`, import.meta.url), 'utf8')
  const block = new RegExp(`<!-- run: ${name} -->\\n+\`\`\`\\w+\\n([^]*?)\`\`\``).exec(text)?.[1]
  if (block === undefined) throw new Error(`the page has no block ${name}`)
  return block
}

// With NUL, behind escapes and before them: JSON writes it as \u0000, which `jsonb` of PostgreSQL does not accept.
const textsOf = (ownerId: number) => ({
  title: `Desk\0 of user ${ownerId}`,
  description: `\0Used by user ${ownerId}`,
})
const reasonOf = (ownerId: number) => `For user ${ownerId} \0\0 \\\0 \\u0000 "\\\\\0`

/**
 * Stores texts of users 42 and 43. User 42 has cancelled auction 1, and corrected auction 3, which has a bid and was
 * extended. User 43 has cancelled auction 2.
 */
export async function storeTexts(service: AuctionService): Promise<void> {
  for (const ownerId of [42, 43, 42]) {
    unwrap(await service.createAuction(sampleNewAuction({ ownerId, ...textsOf(ownerId) })))
  }
  for (const [id, ownerId] of [
    [1, 42],
    [2, 43],
  ] as const) {
    unwrap(
      await service.cancelAuction({ auctionId: toAuctionId(id), cancellation: sampleCancellation(reasonOf(ownerId)) }),
    )
  }
  const corrected = { title: 'Kontor\0 of user 42', description: 'Cleaned \\\0 by user 42' }
  unwrap(
    await service.correctAuction({ auctionId: toAuctionId(3), correction: sampleCorrection(corrected), editor: '9' }),
  )
  unwrap(await service.placeBid(sampleNewBid({ auctionId: 3 })))
  const extension = sampleExtension('2030-02-07T13:00:00Z', reasonOf(42))
  unwrap(await service.extendAuction({ auctionId: toAuctionId(3), extension, editor: '9' }))
}

/** Checks that the texts of user 42 were removed, and nothing else, since `storeTexts` stored them at this time. */
export async function expectTextsRemoved(service: AuctionService, createdAtMs: number): Promise<void> {
  const read = async (id: number) => unwrap(await service.readAuction(toAuctionId(id)))
  const cancelled = await read(1)
  expect(cancelled).toMatchObject({ status: 'Cancelled', result: { outcome: 'cancelled' } })
  expect(cancelled.result).not.toHaveProperty('reason')
  expect(cancelled.auction).toStrictEqual(sampleAuction({ ownerId: 42, createdAtMs }))
  expect(await read(2)).toMatchObject({ auction: textsOf(43), result: { reason: reasonOf(43) } })
  unwrap(await service.placeBid(sampleNewBid({ auctionId: 3, amount: 105 })))
  expect(await read(3)).toMatchObject({ bidCount: 2, correctedAtMs: createdAtMs })
  expect(unwrap(await service.listRepairs(toAuctionId(3)))).toMatchObject([
    { event: { type: 'extended', reason: 'Removed.' } },
    { event: { type: 'corrected' } },
  ])
  expect((await read(3)).auction).toStrictEqual(sampleAuction({ id: toAuctionId(3), ownerId: 42, createdAtMs }))
}

/** Register 4 with a text of user 42, who bids in auction 5 under the paddle Anna-42, and buys auction 6. */
export async function storePaddles(service: AuctionService): Promise<void> {
  const register = sampleNewRegister({ title: 'Guests of user 42', metadata: { admissionText: 'Ask\0 user 42.' } })
  const { id: registerId } = unwrap(await service.createRegister({ register, editor: '9' }))
  const set = async (paddle: string) => {
    const bidders = sampleBidders(
      { bidderId: 42, status: 'admitted', limit: 500, paddle },
      { bidderId: 43, status: 'admitted', paddle: '43' },
    )
    unwrap(await service.setBidders({ registerId, bidders, editor: '9' }))
  }
  await set('Anna-42')
  const fields = { registerId, showPaddles: true, buyNowPrice: 400, reservePrice: 300 }
  const [bidOn, bought] = [
    unwrap(await service.createAuction(sampleNewAuction(fields))).id,
    unwrap(await service.createAuction(sampleNewAuction(fields))).id,
  ]
  unwrap(await service.placeBid(sampleNewBid({ auctionId: bidOn, bidderId: 42, maximumAmount: 150 })))
  unwrap(await service.placeBid(sampleNewBid({ auctionId: bidOn, bidderId: 43, amount: 200 })))
  const refusal = parseBidder({ status: 'refused', withdrawBids: true, reason: 'Unpaid.' }, toUserId(43))
  unwrap(await service.setBidders({ registerId, bidders: unwrap(refusal), editor: '9' }))
  unwrap(await service.buyNow({ auctionId: bought, purchase: samplePurchase(42) }))
  await set('42')
}

/** Sale 7 with texts of user 42, an extension, and lot 8. */
export async function storeSale(service: AuctionService): Promise<void> {
  const sale = sampleNewSale({ title: 'Estate\0 of user 42', metadata: { a: 'Ask\0 user 42.' } })
  const { id: saleId } = unwrap(await service.createSale({ sale, editor: '9' }))
  unwrap(await service.addLots({ saleId, lots: sampleLots({ lot: '1' }), editor: '9' }))
  const extension = unwrap(parseSaleExtension({ seconds: 60, reason: 'Outage \0 of user 43, not 42' }))
  unwrap(await service.extendSale({ saleId, extension, editor: '9' }, { caller: 'clerk', key: 'extension' }))
}

/** Checks that the texts of the sale are replaced, and that it verifies. */
export async function expectSaleRemoved(service: AuctionService, store: Store): Promise<void> {
  const saleId = toSaleId(7)
  expect(unwrap(await verifySale(store, saleId))).toMatchObject({
    entries: 3,
    difference: undefined,
    unfinishedLots: [],
  })
  const { sale, extendedSeconds } = unwrap(await service.readSale(saleId))
  expect([sale.title, sale.metadata, extendedSeconds]).toEqual(['Removed.', undefined, 60])
  expect(unwrap(await service.listSales({ limit: 1 })).items).toEqual([sale])
  const [extension] = await store.listEntries(ledgerIdOf(saleId), { limit: 1 })
  expect(extension?.event).toMatchObject({ reason: 'Removed.', editor: '9' })
}

/** Checks that the paddle is replaced, and that everything verifies. */
export async function expectPaddleRemoved(service: AuctionService, store: Store): Promise<void> {
  const registerId = toRegisterId(4)
  expect(unwrap(await verifyRegister(store, registerId))).toEqual({ entries: 4, difference: undefined })
  for (const id of [5, 6]) expect(unwrap(await verifyAuction(store, toAuctionId(id))).difference).toBeUndefined()
  const [, refusal] = await store.listEntries(ledgerIdOf(registerId), { limit: 2 })
  expect(refusal?.event).toMatchObject({ withdrawal: { reason: 'Removed.' } })
  expect(unwrap(await service.readAuction(toAuctionId(5)))).toMatchObject({ leaderId: 42, leaderPaddle: '#1' })
  expect(unwrap(await service.readAuction(toAuctionId(6))).result).toMatchObject({ buyerId: 42, paddle: '#1' })
  expect(unwrap(await service.readRegister(registerId)).register).toEqual(
    unwrap(await service.listRegisters({ limit: 1 })).items[0],
  )
  expect(unwrap(await service.readBidder(registerId, toUserId(42))).bidder).toMatchObject({
    limitMinor: 500_00,
    paddle: '42',
  })
}
