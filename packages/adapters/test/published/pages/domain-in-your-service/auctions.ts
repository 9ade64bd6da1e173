import { openSqliteStore } from '@auction/adapters/sqlite'
import { systemClock } from '@auction/adapters/system'
import { type AuctionService, createAuctionService } from '@auction/domain'

/** Opens the auctions in a file. Close them before the process ends; closing waits for commands in progress. */
export async function openAuctions(file: string): Promise<AuctionService> {
  const store = await openSqliteStore(file)
  const service = createAuctionService({ store, clock: systemClock })
  const closing = setInterval(() => service.closeDue().catch(console.error), 1_000)
  return {
    ...service,
    async close() {
      clearInterval(closing)
      await service.close()
      await store.close()
    },
  }
}
