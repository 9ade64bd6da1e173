import { createProgress } from './progress.ts'
import { type TestRunner, unlessFirstFails } from './runner.ts'
import { sampleAuction, sampleEntry } from './samples.ts'
import { agenda } from './store-contract/agenda.ts'
import { appendedSince } from './store-contract/appended-since.ts'
import { appending } from './store-contract/appending.ts'
import { appendsAtOnce } from './store-contract/appends-at-once.ts'
import { atOnce } from './store-contract/at-once.ts'
import { auctionFields } from './store-contract/auction-fields.ts'
import { auctionFilters } from './store-contract/auction-filters.ts'
import { auctionLists } from './store-contract/auction-lists.ts'
import { auctions } from './store-contract/auctions.ts'
import { bidderEntries } from './store-contract/bidder-entries.ts'
import { boundedScans } from './store-contract/bounded-scans.ts'
import { bytesRead } from './store-contract/bytes-read.ts'
import { closing } from './store-contract/closing.ts'
import { competing } from './store-contract/competing.ts'
import { damagedData } from './store-contract/damaged-data.ts'
import { entryEvents } from './store-contract/entry-events.ts'
import { entryLists } from './store-contract/entry-lists.ts'
import { failures } from './store-contract/failures.ts'
import { formats } from './store-contract/formats.ts'
import { hanging } from './store-contract/hanging.ts'
import { heldKeys } from './store-contract/held-keys.ts'
import { idBlocks } from './store-contract/id-blocks.ts'
import { isolation } from './store-contract/isolation.ts'
import { otherLedgers } from './store-contract/other-ledgers.ts'
import { readingEntries } from './store-contract/reading-entries.ts'
import { reopening } from './store-contract/reopening.ts'
import { repairEntries } from './store-contract/repair-entries.ts'
import { requestKeys } from './store-contract/request-keys.ts'
import { signals } from './store-contract/signals.ts'
import { sizes } from './store-contract/sizes.ts'
import { createSuite, type StoreContractOptions, type StoreSubject } from './store-contract/suite.ts'
import { takenKeys } from './store-contract/taken-keys.ts'
import { titleWords } from './store-contract/title-words.ts'
import { visibility } from './store-contract/visibility.ts'

export type { Damage, FaultEffect, StoreContractOptions, StoreSubject } from './store-contract/suite.ts'

/**
 * What every store must do.
 * @param makeSubject makes a new, empty and separate store for each test, or those of `reuseSubjects`
 * @param options intended differences of the store; the suite fails when a hook is missing without a reason
 */
export function storeContract(
  runner: TestRunner,
  makeSubject: () => Promise<StoreSubject>,
  options: StoreContractOptions = {},
): void {
  const { counting, measured } = createProgress(runner)
  const suite = createSuite(counting, measured(unlessFirstFails(makeSubject)), options)
  suite.test('makes a subject whose store is empty, and stores an auction and an entry', async ({ store }) => {
    const { expect } = suite
    expect(await store.listAuctions({ order: 'newest', limit: 1 })).toStrictEqual({ items: [], next: undefined })
    expect(await store.insertAuction(sampleAuction())).toBe('inserted')
    expect(await store.append([sampleEntry()])).toBe(1)
    expect(await store.findAuction(sampleAuction().id)).toStrictEqual(sampleAuction())
    expect(await store.findHeads([sampleAuction().id])).toStrictEqual([sampleEntry()])
  })
  const topics = {
    auctions: [auctions, auctionFields, auctionLists, auctionFilters, boundedScans, titleWords, bytesRead],
    agenda: [agenda],
    ledger: [
      appending,
      entryEvents,
      repairEntries,
      takenKeys,
      heldKeys,
      readingEntries,
      entryLists,
      bidderEntries,
      otherLedgers,
    ],
    'large and concurrent calls': [sizes, atOnce, appendsAtOnce, competing],
    'request keys': [requestKeys],
    'blocks of ids': [idBlocks],
    'isolation of objects': [isolation],
    'reads after writes': [visibility, appendedSince],
    reopening: [reopening, formats],
    'aborted calls': [signals],
    failures: [failures, hanging],
    closing: [closing],
    'damaged data': [damagedData],
  }
  for (const [topic, parts] of Object.entries(topics)) {
    runner.describe(topic, () => {
      for (const part of parts) part(suite)
    })
  }
}
