import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createManualClock, type ManualClock } from '@auction/adapters/memory'
import { openSqliteStore } from '@auction/adapters/sqlite'
import { type AuctionService, createAuctionService } from '@auction/domain'
import { sampleStartTime } from '@auction/testing/samples'
import { temporaryFolder } from './server-process.ts'

type Fill = (service: AuctionService, clock: ManualClock) => Promise<void>

/** The file that a process in a folder uses by default. */
export const sqliteFileIn = (folder: string): string => join(folder, 'data', 'auctions.sqlite')

/** A folder with a SQLite file that a service has filled, whose clock begins at the start of sample auctions. */
export async function folderOf(fill: Fill): Promise<string> {
  const folder = temporaryFolder()
  await mkdir(join(folder, 'data'))
  const store = await openSqliteStore(sqliteFileIn(folder))
  const clock = createManualClock(sampleStartTime)
  const service = createAuctionService({ store, clock })
  await fill(service, clock)
  await service.close()
  await store.close()
  return folder
}
