import { inspect } from 'node:util'
import { type AuctionService, createAuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import type { AuctionPosition } from '@auction/domain/store'
import { sampleEndTime, sampleNewAuction, sampleNewBid, samplePurchase } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { createManualClock } from '../../src/memory/index.ts'
import { connectTo, testFile } from './support.ts'

const openTime = '2030-01-31T13:00:00Z'
/** A reserve and a maximum, which must not appear in errors. */
const secret = 5133.33

const damages = [
  "json_set(data, '$.reservePriceMinor', 5133.33)",
  "substr(data, 1, instr(data, '5133') + 5)",
  "json_remove(data, '$.endTime')",
]

/** A service on a file of auctions with a bid each, some of which are damaged, and what it reports as unreadable. */
async function serviceOver(count: number, damagedAuctions: readonly number[], damagedLedgers: readonly number[] = []) {
  const { file, open } = await testFile()
  const founder = createAuctionService({ store: await open(), clock: createManualClock(openTime) })
  for (let id = 1; id <= count; id++) {
    unwrap(await founder.createAuction(sampleNewAuction({ reservePrice: secret })))
    unwrap(await founder.placeBid(sampleNewBid({ auctionId: id, maximumAmount: secret })))
  }
  const database = connectTo(file)
  for (const [index, id] of damagedAuctions.entries()) {
    database.exec(`UPDATE auctions SET data = ${damages[index % damages.length]} WHERE id = ${id}`)
  }
  for (const id of damagedLedgers) {
    const data = "json_set(data, '$.state.leader.maximumMinor', 5133.33)"
    database.exec(`UPDATE entries SET data = ${data} WHERE auctionId = ${id}`)
  }
  const reports: unknown[] = []
  const clock = createManualClock(openTime)
  const observer = { onUnreadable: (error: unknown) => void reports.push(error) }
  // Another handle, which has cached nothing.
  return { service: createAuctionService({ store: await open(), clock, observer }), clock, reports }
}

/** The ids of all pages, in order. */
async function listed(service: AuctionService, order: 'newest' | 'agenda', limit: number) {
  const ids: number[] = []
  let after: AuctionPosition | undefined
  do {
    const query = { order, limit, ...(after && { after }), status: 'Active' } as const
    const page = unwrap(await service.listAuctions(query))
    ids.push(...page.items.map(({ auction }) => auction.id))
    after = page.next
  } while (after !== undefined)
  return ids
}

/** The text of an error in the log, with its causes. */
const shown = (error: unknown): string => inspect(error, { depth: 10 })

test('unreadable rows block no others, are reported once, and fail when they are read alone', async () => {
  const { service, clock, reports } = await serviceOver(9, [2, 4, 6], [8])
  for (const limit of [1, 2, 3, 100]) {
    expect(await listed(service, 'newest', limit)).toEqual([9, 7, 5, 3, 1])
    expect(await listed(service, 'agenda', limit)).toEqual([1, 3, 5, 7, 9])
  }
  for (const id of [2, 4, 6, 8].map(toAuctionId)) {
    const calls = [
      service.readAuction(id),
      service.placeBid(sampleNewBid({ auctionId: id, bidderId: 3, amount: 200 })),
      service.buyNow({ auctionId: id, purchase: samplePurchase(3) }),
      service.cancelAuction({ auctionId: id }),
      service.listBids(id, { limit: 10 }),
    ]
    for (const call of calls) {
      const error = await call.then(
        (returned) => ({ returned }),
        (reason: unknown) => reason,
      )
      expect(shown(error)).toMatch(new RegExp(`auction ${id}\\b.* has an invalid field`))
      expect(shown(error)).not.toContain('5133')
    }
  }
  const bid = { bidderId: 3, amount: 6_000, maximumAmount: 9_000 }
  const placed = [1, 3, 5].map((auctionId) => service.placeBid(sampleNewBid({ auctionId, ...bid })))
  expect((await Promise.all(placed)).map(({ ok }) => ok)).toEqual([true, true, true])

  clock.set(sampleEndTime)
  clock.advance(60_000)
  expect(await service.closeDue()).toEqual({ closed: 5, left: 0 })
  clock.advance(120_000)
  expect(await service.closeDue()).toEqual({ closed: 0, left: 0 })
  for (const id of [1, 3, 5, 7, 9].map(toAuctionId)) {
    expect(unwrap(await service.readAuction(id)).result).toBeDefined()
  }
  expect(reports.map(String).toSorted()).toEqual([
    expect.stringContaining('the stored auction 2 has an invalid field'),
    expect.stringContaining('the stored auction 4 has an invalid field'),
    expect.stringContaining('the stored auction 6 has an invalid field'),
    expect.stringMatching(/the stored entry \d+ of auction 8 has an invalid field/),
  ])
  expect(reports.map(shown).join()).not.toContain('5133')
})
