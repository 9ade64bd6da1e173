import { expect } from 'vitest'
import { longTest } from '../../../../tools/vitest/long-test.ts'
import { failuresOf, proveContract, testsIn } from './prove-contract.ts'
import { agendaMutations } from './store/agenda.ts'
import { appendedSinceMutations } from './store/appended-since.ts'
import { appendingMutations } from './store/appending.ts'
import { appendsAtOnceMutations } from './store/appends-at-once.ts'
import { atOnceMutations } from './store/at-once.ts'
import { auctionFieldMutations } from './store/auction-fields.ts'
import { auctionFilterMutations } from './store/auction-filters.ts'
import { auctionListMutations } from './store/auction-lists.ts'
import { auctionMutations } from './store/auctions.ts'
import { bidderEntryMutations } from './store/bidder-entries.ts'
import { closingMutations } from './store/closing.ts'
import { damagedDataMutations } from './store/damaged-data.ts'
import { entryEventMutations } from './store/entry-events.ts'
import { failureMutations } from './store/failures.ts'
import { faultMutations } from './store/faults.ts'
import { idBlockMutations } from './store/id-blocks.ts'
import { isolationMutations } from './store/isolation.ts'
import { readingMutations } from './store/reading.ts'
import { reopeningMutations } from './store/reopening.ts'
import { repairEntryMutations } from './store/repair-entries.ts'
import { requestKeyMutations } from './store/request-keys.ts'
import { secretMutations } from './store/secrets.ts'
import { serverMutations } from './store/servers.ts'
import { signalMutations } from './store/signals.ts'
import { sizeMutations } from './store/sizes.ts'
import { takenKeyMutations } from './store/taken-keys.ts'
import { titleWordMutations } from './store/title-words.ts'
import { visibilityMutations } from './store/visibility.ts'
import { groupingSubject, plantedContract, rightSubject, slowSubject } from './subjects.ts'

proveContract(plantedContract, rightSubject, [
  ...auctionMutations,
  ...auctionFieldMutations,
  ...auctionListMutations,
  ...auctionFilterMutations,
  ...titleWordMutations,
  ...agendaMutations,
  ...appendingMutations,
  ...entryEventMutations,
  ...repairEntryMutations,
  ...takenKeyMutations,
  ...readingMutations,
  ...bidderEntryMutations,
  ...sizeMutations,
  ...atOnceMutations,
  ...appendsAtOnceMutations,
  ...signalMutations,
  ...requestKeyMutations,
  ...idBlockMutations,
  ...isolationMutations,
  ...visibilityMutations,
  ...appendedSinceMutations,
  ...reopeningMutations,
  ...failureMutations,
  ...faultMutations,
  ...closingMutations,
  ...damagedDataMutations,
  ...secretMutations,
  ...serverMutations,
])

longTest('passes a correct and slow adapter that completes unconfirmed writes later', async () => {
  const names = testsIn(plantedContract, slowSubject).map(({ name }) => name)
  expect(await failuresOf(plantedContract, slowSubject, names)).toEqual([])
})

longTest('passes a correct adapter that writes appends together', async () => {
  const names = testsIn(plantedContract, groupingSubject).map(({ name }) => name)
  expect(await failuresOf(plantedContract, groupingSubject, names)).toEqual([])
})
