import { setImmediate as turn } from 'node:timers/promises'
import { createMemoryStore } from '@auction/adapters/memory'
import { openSqliteStore } from '@auction/adapters/sqlite'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain/service'
import type { Store } from '@auction/domain/store'
import { bidOf, openAuctions, risingOffers } from '../domain/bidding-floor.ts'
import { collectGarbage } from '../measure/garbage.ts'
import { withScratchFile } from '../sqlite/scratch-file.ts'
import { createHeadsOnlyLedger } from './heads-only-ledger.ts'
import type { MemorySample, SoakOrder } from './section.ts'

const clients = 256

async function soak(store: Store, { auctions: count, bids, samples }: SoakOrder): Promise<void> {
  const auctions = openAuctions(count)
  await Promise.all(auctions.map((auction) => store.insertAuction(auction)))
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

  let lastMs = performance.now()
  for (let sample = 1; sample <= samples; sample++) {
    const end = Math.round((bids / samples) * sample)
    const before = placed
    await Promise.all(Array.from({ length: clients }, () => placeUntil(end)))
    const bidsPerSecond = ((placed - before) * 1000) / (performance.now() - lastMs)
    await turn()
    collectGarbage()
    const { rss, heapUsed } = process.memoryUsage()
    const report: MemorySample = {
      bids: placed,
      bidsPerSecond,
      rssMegabytes: rss / 1e6,
      heapUsedMegabytes: heapUsed / 1e6,
    }
    process.send?.(report)
    lastMs = performance.now()
  }
  await close()
}

async function obey(order: SoakOrder): Promise<void> {
  if (order.store === 'heads-only') return soak({ ...createMemoryStore(), ...createHeadsOnlyLedger() }, order)
  return withScratchFile(async (file) => {
    const store = await openSqliteStore(file)
    try {
      await soak(store, order)
    } finally {
      await store.close()
    }
  })
}

process.on('message', (order) => {
  // What section.ts sends, and nothing else does.
  obey(order as SoakOrder).then(() => process.disconnect())
})
