import { expect, test } from 'vitest'
import { isLong, sampleOf } from '../../../../tools/vitest/size.ts'
import { plantedBugs } from './planted-bugs/all.ts'
import { bugsInSubscriptions } from './planted-bugs/in-subscriptions.ts'
import { seedsPerReceiver, simulate } from './simulate.ts'

// The rarest bugs are found by 1 % of the seeds, so that of 500 seeds too few may find them by chance. `pnpm simulate --bugs` counts them.
const enough = isLong ? 5 : 1
const mostSeeds = isLong ? 1_000 : 250

/**
 * The first seed that finds a bug of the short form, where it is above five. The short form begins there, and searches on if the
 * simulation has changed; `pnpm simulate --bugs` prints it.
 */
const firstSeeds: Readonly<Record<string, number>> = {
  'entries after a taken key are stored': 66,
  'an append with an unknown outcome is reported as taken': 41,
  'auctions that could not be closed are not retried': 19,
  'a raised maximum moves the end': 6,
  'buy now is not offered after bids below the reserve': 15,
  'automatic bids take the increment at the higher maximum': 14,
  'a percentage loses its decimals': 19,
  'a correction ignores the reserve that it keeps': 58,
  'a read returns the title as it was created': 36,
  'a checkpoint that was not saved counts as saved': 32,
  'the position after a page is a count of its events': 18,
  'the events of a page are newest first': 10,
  'an event has the prices from before it': 10,
  'a leader who stays counts as outbid': 65,
  'reads of events in flight are shared by their position only': 16,
  'a store tells a process of the appends of that process only': 71,
  'a taken key is mistaken for a stale sequence': 7,
  'a batch is sent again without its first entry': 165,
  'a step begins an increment late': 66,
  'a forced cancellation is recorded as an ordinary one': 25,
  'a bid is judged by the terms before their correction': 8,
  'a correction is refused as invalid by the rules of another one': 13,
  'a status follows a clock that is read after the ledger': 7,
  'a page of events is kept': 13,
}

const bugs = sampleOf(Object.entries(plantedBugs))

test.each(bugs)('the simulation detects that %s', async (name, plant) => {
  const first = (!isLong && firstSeeds[name]) || 1
  const step = Object.hasOwn(bugsInSubscriptions, name) ? seedsPerReceiver : 1
  let found = 0
  let tried = 0
  for (; found < enough && tried < mostSeeds; tried++) {
    if ((await simulate((first + tried) * step, plant())).problems.length > 0) found += 1
  }
  expect(found, `"${name}" is found by ${found} of ${tried} seeds from ${first} on`).toBe(enough)
})

test('has first seeds of planted bugs only', () => {
  expect(Object.keys(plantedBugs)).toEqual(expect.arrayContaining(Object.keys(firstSeeds)))
})
