import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { plantedBugs } from './planted-bugs/all.ts'
import { simulate } from './simulate.ts'

// The long form requires 20 of 1,000 seeds; `pnpm simulate --bugs` counts them all.
const enough = isLong ? 5 : 1
const mostSeeds = 250

test.each(Object.entries(plantedBugs))('the simulation detects that %s', async (name, plant) => {
  let found = 0
  let seed = 0
  while (found < enough && seed < mostSeeds) {
    seed += 1
    if ((await simulate(seed, plant())).problems.length > 0) found += 1
  }
  expect(found, `"${name}" is found by ${found} of ${seed} seeds`).toBe(enough)
})
