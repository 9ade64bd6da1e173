import { deepEqual, equal } from 'node:assert/strict'
import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { verifyAuction } from '@auction/domain/audit'
import { parseCorrection, parseNewAuction, parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { parseStoredAuction, parseStoredEntry, versionOfEntry } from '@auction/domain/stored'
import { draw } from './raffle.ts'

// The script runs in a copy of the package with the format. It prints the result of a raffle.

const clock = createManualClock('2030-01-01T00:00:00Z')
const store = createMemoryStore()
const service = createAuctionService({ store, clock })
const times = { startTime: '2030-01-01T00:00:00Z', endTime: '2030-01-02T00:00:00Z' }
const json = { productId: 1, ownerId: 1, format: 'raffle', startingPrice: 5, currency: 'USD', ...times }
const { id } = unwrap(await service.createAuction(unwrap(parseNewAuction(json, clock.nowMs()))))
const offer = (bidderId: number, amount = 5) =>
  service.placeBid(unwrap(parseNewBid({ auctionId: id, bidderId, amount })))
for (const bidderId of [2, 3, 4]) unwrap(await offer(bidderId))
const other = await offer(5, 6)
equal(other.ok ? 'accepted' : other.refusal.code, 'no-such-ticket')
clock.set('2030-01-02T01:00:00Z')
draw.number = 4
equal((await service.closeDue()).closed, 1)
const auction = unwrap(await service.readAuction(id))
draw.number = 5 // What is recorded does not change.
const verification = unwrap(await verifyAuction(store, id))
const entries = await store.listEntries(id, { limit: 10 })
for (const entry of entries) deepEqual(parseStoredEntry({ version: versionOfEntry(entry), ...entry }), entry)
parseStoredAuction({ version: 2, ...(await store.findAuction(id)) })

const refusalIn = async (format: string, changes: object) => {
  const created = { ...json, format, minimumBidIncrement: 1, endTime: '2030-02-02T00:00:00Z' }
  const made = unwrap(await service.createAuction(unwrap(parseNewAuction(created, clock.nowMs()))))
  const correction = unwrap(parseCorrection(changes))
  const corrected = await service.correctAuction({ auctionId: made.id, correction, editor: 'x' })
  return corrected.ok || corrected.refusal.code !== 'validation-failed' ? corrected.ok : corrected.refusal.errors[0]
}
const corrections = {
  raffle: await refusalIn('raffle', { minimumBidIncrement: null }),
  english: await refusalIn('english', { minimumBidIncrement: null }),
  foreign: await refusalIn('raffle', { reservePrice: 9 }),
}
const { status, result } = auction
process.stdout.write(JSON.stringify({ status, result, verification, corrections }))
