import { expect, test } from 'vitest'
import { isLong, sampleOf } from '../../../../tools/vitest/size.ts'
import { plantedBugs } from './planted-bugs/all.ts'
import { bugsInSubscriptions } from './planted-bugs/in-subscriptions.ts'
import { seedsPerReceiver, simulate } from './simulate.ts'

// The rarest bugs are found by 1 % of the seeds, so that of 500 seeds too few may find them by chance. `pnpm simulate
// --bugs` counts them.
const enough = isLong ? 3 : 1
const mostSeeds = isLong ? 1_000 : 250

test.each(sampleOf(Object.entries(plantedBugs)))('the simulation detects that %s', async (name, plant) => {
  const step = Object.hasOwn(bugsInSubscriptions, name) ? seedsPerReceiver : 1
  let found = 0
  let tried = 0
  while (found < enough && tried < mostSeeds) {
    tried += 1
    if ((await simulate(tried * step, plant())).problems.length > 0) found += 1
  }
  expect(found, `"${name}" is found by ${found} of ${tried} seeds`).toBe(enough)
})
