import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../../tools/vitest/size.ts'
import { entryKindOf, responseKindOf, responsesOfSealed } from '../kinds.ts'
import { seeds } from '../seeds.ts'
import { simulate } from '../simulate.ts'
import { actOnSealed } from './clients.ts'
import { bugsInSealed } from './planted-bugs.ts'

/** So few in a block that it takes seconds, even if other programs use the machine. */
const perBlock = 40
const blocks = seeds(0, isLong ? 25 : 1).map((block) => seeds(1 + block * perBlock, perBlock))

describe('several processes that take sealed bids, over an unreliable store', () => {
  test.each(blocks)('keep every promise, with seeds from %i on', async (...block) => {
    const kinds = new Set<string>()
    for (const seed of block) {
      const { problems, attempts, ledger } = await simulate(seed, {}, actOnSealed)
      expect(problems, `seed ${seed}`).toEqual([])
      for (const kind of [...attempts.map(responseKindOf), ...ledger.map(entryKindOf)]) kinds.add(kind)
    }
    const others = ['sealed-withdrawal', 'closed: sold', 'closed: reserve-not-met', 'withdrawn, blocked', 'extended']
    expect([...kinds]).toEqual(expect.arrayContaining([...responsesOfSealed, ...others]))
  })

  test.each(Object.entries(bugsInSealed))('detect that %s', async (name, [plant, problem]) => {
    const mostSeeds = 200
    let isFound = false
    let tried = 0
    while (!isFound && tried < mostSeeds) {
      tried += 1
      const { problems } = await simulate(tried, plant(), actOnSealed)
      isFound = problems.some((each) => problem.test(each))
    }
    expect(isFound, `"${name}" is found by none of ${tried} seeds`).toBe(true)
  })
})
