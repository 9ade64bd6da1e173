import { inspect } from 'node:util'
import { createAuctionService } from '@auction/domain'
import { toAuctionId } from '@auction/domain/ids'
import { unwrap } from '@auction/domain/result'
import type { AuctionPosition } from '@auction/domain/store'
import { sampleNewAuction, sampleNewBid } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { createManualClock } from '../../src/memory/index.ts'
import { connectTo, testFile } from './support.ts'

/** A reserve and a maximum, which must not appear in errors. */
const secret = 5133.33

const damages = [
  "UPDATE auctions SET data = json_set(data, '$.reservePriceMinor', 5133.33) WHERE id = 2",
  "UPDATE auctions SET data = substr(data, 1, instr(data, '5133') + 5) WHERE id = 4",
  "UPDATE auctions SET data = json_remove(data, '$.endTime') WHERE id = 6",
  "UPDATE entries SET data = json_set(data, '$.state.leader.maximumMinor', 5133.33) WHERE auctionId = 8",
]

/** The text of an error in the log, with its causes. */
const shown = (error: unknown): string => inspect(error, { depth: 10 })

test('unreadable rows are left out of lists, reported once, and an error when they are read alone', async () => {
  const { file, open } = await testFile()
  const clock = createManualClock('2030-01-31T13:00:00Z')
  const founder = createAuctionService({ store: await open(), clock })
  for (let auctionId = 1; auctionId <= 9; auctionId++) {
    unwrap(await founder.createAuction(sampleNewAuction({ reservePrice: secret })))
    unwrap(await founder.placeBid(sampleNewBid({ auctionId, maximumAmount: secret })))
  }
  connectTo(file).exec(damages.join(';'))
  const reports: unknown[] = []
  const observer = { onUnreadable: (error: unknown) => void reports.push(error) }
  // Another handle, which has cached nothing.
  const service = createAuctionService({ store: await open(), clock, observer })

  for (const order of ['newest', 'agenda'] as const) {
    for (const limit of [1, 2, 3, 100]) {
      const ids: number[] = []
      let after: AuctionPosition | undefined
      do {
        const query = { order, limit, ...(after && { after }), status: 'Active' } as const
        const page = unwrap(await service.listAuctions(query))
        ids.push(...page.items.map(({ auction }) => auction.id))
        after = page.next
      } while (after !== undefined)
      expect(ids).toEqual(order === 'newest' ? [9, 7, 5, 3, 1] : [1, 3, 5, 7, 9])
    }
  }
  for (const id of [2, 4, 6, 8]) {
    const error = await service.readAuction(toAuctionId(id)).catch((reason: unknown) => reason)
    expect(shown(error)).toMatch(new RegExp(`auction ${id}\\b.* has an invalid field`))
    expect(shown(error)).not.toContain('5133')
  }
  expect(reports.map(String).toSorted()).toEqual([
    ...[2, 4, 6].map((id) => expect.stringContaining(`the stored auction ${id} has an invalid field`)),
    expect.stringMatching(/the stored entry \d+ of auction 8 has an invalid field/),
  ])
  expect(reports.map(shown).join()).not.toContain('5133')
})
