import type { TestRunner } from './runner.ts'
import { agenda } from './store-contract/agenda.ts'
import { appending } from './store-contract/appending.ts'
import { appendsAtOnce } from './store-contract/appends-at-once.ts'
import { atOnce } from './store-contract/at-once.ts'
import { auctionFields } from './store-contract/auction-fields.ts'
import { auctionFilters } from './store-contract/auction-filters.ts'
import { auctionLists } from './store-contract/auction-lists.ts'
import { auctions } from './store-contract/auctions.ts'
import { boundedScans } from './store-contract/bounded-scans.ts'
import { closing } from './store-contract/closing.ts'
import { competing } from './store-contract/competing.ts'
import { damagedData } from './store-contract/damaged-data.ts'
import { entryEvents } from './store-contract/entry-events.ts'
import { entryLists } from './store-contract/entry-lists.ts'
import { failures } from './store-contract/failures.ts'
import { faults } from './store-contract/faults.ts'
import { idBlocks } from './store-contract/id-blocks.ts'
import { isolation } from './store-contract/isolation.ts'
import { races } from './store-contract/races.ts'
import { readingEntries } from './store-contract/reading-entries.ts'
import { reopening } from './store-contract/reopening.ts'
import { requestKeys } from './store-contract/request-keys.ts'
import { rereading } from './store-contract/rereading.ts'
import { secondHandle } from './store-contract/second-handle.ts'
import { signals } from './store-contract/signals.ts'
import { sizes } from './store-contract/sizes.ts'
import { createSuite, type StoreContractOptions, type StoreSubject } from './store-contract/suite.ts'
import { takenKeys } from './store-contract/taken-keys.ts'

export type { Damage, FaultEffect, StoreContractOptions, StoreSubject } from './store-contract/suite.ts'

/**
 * What every store must do, whatever it keeps auctions and entries in.
 * @param makeSubject makes a store that is new and empty, and shares nothing with others, for each test
 * @param options what is different about the store on purpose; a hook that is missing without a reason fails the suite
 */
export function storeContract(
  runner: TestRunner,
  makeSubject: () => Promise<StoreSubject>,
  options: StoreContractOptions = {},
): void {
  const suite = createSuite(runner, makeSubject, options)
  const topics = {
    'a store of auctions': [auctions, auctionFields, auctionLists, auctionFilters, boundedScans],
    'an agenda': [agenda],
    'a ledger': [appending, entryEvents, takenKeys, races, readingEntries, entryLists],
    'a store that is asked for much': [sizes, atOnce, appendsAtOnce, competing],
    'a store of requests’ keys': [requestKeys],
    'a store of blocks of ids': [idBlocks],
    'a store that keeps to itself': [isolation],
    'a store that is read again': [rereading],
    'a store with several users': [secondHandle],
    'a store that is opened again': [reopening],
    'a store whose callers leave': [signals],
    'a store that fails': [failures, faults],
    'a store that is closed': [closing],
    'a store of damaged data': [damagedData],
  }
  for (const [topic, parts] of Object.entries(topics)) {
    runner.describe(topic, () => {
      for (const part of parts) part(suite)
    })
  }
}
