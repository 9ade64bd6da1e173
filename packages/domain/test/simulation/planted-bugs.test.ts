import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { plantedBugs } from './planted-bugs/all.ts'
import { bugsInSubscriptions } from './planted-bugs/in-subscriptions.ts'
import { seedsPerReceiver, simulate } from './simulate.ts'

// The long form requires 20 of 1,000 seeds; `pnpm simulate --bugs` counts them all.
const enough = isLong ? 5 : 1
const mostSeeds = 250

/**
 * The first seed that finds a bug, where it is above five. The short form begins there, and searches on if the
 * simulation has changed; `pnpm simulate --bugs` prints it.
 */
const firstSeeds: Readonly<Record<string, number>> = {
  'a batch is sent again without its first entry': 127,
  'auctions in overtime are not listed as open': 63,
  'a page of the agenda skips the auction after its position': 25,
  'both of two buyers succeed': 21,
  'only the first command after an unknown outcome fails': 19,
  'a forced cancellation is recorded as an ordinary one': 14,
  'auctions that could not be closed are not retried': 13,
  'an append with an unknown outcome is reported as taken': 13,
  'a conflict is not settled by the id of the entry': 10,
  'an auction with bids is cancelled': 9,
  'a taken key is mistaken for a stale sequence': 9,
  'a page skips one auction': 8,
  'a cached end decides that an auction has ended': 8,
  'a maximum does not raise the price to the reserve': 7,
}

test.each(Object.entries(plantedBugs))('the simulation detects that %s', async (name, plant) => {
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
