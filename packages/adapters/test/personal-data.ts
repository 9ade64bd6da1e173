import { readFile } from 'node:fs/promises'
import { type AuctionService, createAuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import {
  sampleAuction,
  sampleCancellation,
  sampleCorrection,
  sampleExtension,
  sampleNewAuction,
  sampleNewBid,
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
  return { service, close }
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
