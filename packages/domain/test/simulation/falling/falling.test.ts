import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../../tools/vitest/size.ts'
import { entryKindOf, responseKindOf, responsesOfFalling } from '../kinds.ts'
import { seeds } from '../seeds.ts'
import { simulate } from '../simulate.ts'
import { actOnFalling } from './clients.ts'
import { bugsInFalling } from './planted-bugs.ts'

/** So few in a block that it takes seconds, even if other programs use the machine. */
const perBlock = 40
const blocks = seeds(0, isLong ? 25 : 1).map((block) => seeds(1 + block * perBlock, perBlock))

describe('several processes that sell at falling prices, over an unreliable store', () => {
  test.each(blocks)('keep every promise, with seeds from %i on', async (...block) => {
    const kinds = new Set<string>()
    for (const seed of block) {
      const { problems, attempts, ledger } = await simulate(seed, {}, actOnFalling)
      expect(problems, `seed ${seed}`).toEqual([])
      for (const kind of [...attempts.map(responseKindOf), ...ledger.map(entryKindOf)]) kinds.add(kind)
    }
    const others = ['buy-now: accepted', 'purchased', 'corrected: terms', 'withdrawn, blocked', 'extended']
    expect([...kinds]).toEqual(expect.arrayContaining([...responsesOfFalling, ...others]))
  })

  test.each(Object.entries(bugsInFalling))('detect that %s', async (name, [plant, problem]) => {
    const mostSeeds = 200
    let isFound = false
    let tried = 0
    while (!isFound && tried < mostSeeds) {
      tried += 1
      const { problems } = await simulate(tried, plant(), actOnFalling)
      isFound = problems.some((each) => problem.test(each))
    }
    expect(isFound, `"${name}" is found by none of ${tried} seeds`).toBe(true)
  })
})
