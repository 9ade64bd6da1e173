import { describe, expect, test } from 'vitest'
import { plantedBugs } from './planted-bugs.ts'
import { simulate } from './simulate.ts'

const seeds = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

describe('simulation of several processes over a faulty store', () => {
  test.each(seeds(0, 8))('the invariants hold with seeds from %i * 500 on', async (block) => {
    for (const seed of seeds(block * 500, 500)) {
      const { problems } = await simulate(seed)
      expect(problems, `seed ${seed}; replay it with: pnpm simulate --seed ${seed}`).toEqual([])
    }
  })

  test('a seed replays exactly', async () => {
    for (const seed of seeds(1, 20)) expect(await simulate(seed)).toEqual(await simulate(seed))
  })

  test('many seeds meet every kind of answer, so that all of it is tried', async () => {
    const answers = new Set<string>()
    for (const seed of seeds(1, 200)) {
      const { attempts } = await simulate(seed)
      for (const { answer } of attempts) answers.add(answer.outcome === 'refused' ? answer.code : answer.outcome)
    }
    const all = ['accepted', 'unknown', 'bid-too-low', 'auction-ended', 'auction-not-started', 'store-unavailable']
    expect([...answers].sort()).toEqual(expect.arrayContaining(all.sort()))
  })

  test.each(Object.entries(plantedBugs))('it finds a planted bug: %s', async (_, plant) => {
    let isFound = false
    for (let seed = 1; !isFound && seed <= 4_000; seed++) isFound = (await simulate(seed, plant)).problems.length > 0
    expect(isFound).toBe(true)
  })
})
