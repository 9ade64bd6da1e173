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
  'raising a maximum moves the price': 6,
  'a step begins an increment late': 23,
  'any user may cancel': 14,
  'a start is corrected after it has passed': 15,
  'an ended auction is corrected': 15,
  'the maximum of a withdrawn bidder still counts': 31,
  'a withdrawal keeps the price': 20,
  'the reserve from before counts at the end': 39,
  'an owner lowers the reserve again': 14,
  'a lower reserve of the owner is called one of staff': 15,
  'a reserve is lowered without the key of its request': 9,
  'a read returns the title as it was created': 27,
  'the events of a page are newest first': 8,
  'reads of events in flight are shared by their position only': 16,
  'a new entry wakes only the last follower': 10,
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
