import { setImmediate as turn } from 'node:timers/promises'
import { createMemoryStore } from '@auction/adapters/memory'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain/service'
import { bidOf, openAuctions, risingOffers } from '../domain/bidding-floor.ts'
import { collectGarbage } from '../measure/garbage.ts'
import { createHeadsOnlyLedger } from './heads-only-ledger.ts'
import type { MemorySample, SoakOrder } from './section.ts'

const clients = 256

async function obey({ auctions: count, bids, samples }: SoakOrder): Promise<void> {
  const store = { ...createMemoryStore(), ...createHeadsOnlyLedger() }
  const auctions = openAuctions(count)
  for (const auction of auctions) await store.insertAuction(auction)
  const { placeBid, close } = createAuctionService({ store, clock: systemClock })
  const nextOffer = risingOffers(count, 1)
  let placed = 0

  async function placeUntil(end: number): Promise<void> {
    while (placed < end) {
      placed += 1
      const { ok } = await placeBid(bidOf(nextOffer(), auctions))
      if (!ok) throw new Error('a bid that is high enough was refused')
    }
  }

  for (let sample = 1; sample <= samples; sample++) {
    const end = Math.round((bids / samples) * sample)
    await Promise.all(Array.from({ length: clients }, () => placeUntil(end)))
    await turn()
    collectGarbage()
    const { rss, heapUsed } = process.memoryUsage()
    const report: MemorySample = { bids: placed, rssMegabytes: rss / 1e6, heapUsedMegabytes: heapUsed / 1e6 }
    process.send?.(report)
  }
  await close()
}

process.on('message', (order) => {
  // What section.ts sends, and nothing else does.
  obey(order as SoakOrder).then(() => process.disconnect())
})
