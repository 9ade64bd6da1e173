import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../../tools/vitest/size.ts'
import type { Entry } from '../../../src/store/store.ts'
import { entryKindsOfRegisters, registerKindOf, responseKindOf, responsesOfRegisters } from '../kinds.ts'
import { seeds } from '../seeds.ts'
import { simulate } from '../simulate.ts'
import { actOnRegisters } from './clients.ts'
import { bugsInRegisters } from './planted-bugs.ts'

/** So few in a block that it takes seconds, even if other programs use the machine. */
const blocks = isLong ? seeds(0, 25).map((block) => seeds(1 + block * 40, 40)) : [seeds(29, 11)]
/** Each bug is found by some of the next seeds. */
const firstSeed = 29

/** How each format records the members of admissions. */
const admissionKinds = [
  ...['bid-placed', 'bought', 'maximum-raised', 'purchased'].map((type) => `${type}: limitMinor`),
  ...['bid-placed', 'sealed-bid'].flatMap((type) => [`${type}: byClaim`, `${type}: paddle`]),
]

const admissionKindsOf = ({ event }: Entry): readonly string[] =>
  Object.keys(('admission' in event && event.admission) || {}).map((member) => `${event.type}: ${member}`)

describe('several processes with registers of bidders, over an unreliable store', () => {
  const kinds = new Set<string>()

  test.each(blocks)('keep every promise, with seeds from %i on', async (...block) => {
    for (const seed of block) {
      const { problems, attempts, ledger, registers } = await simulate(seed, {}, actOnRegisters)
      expect(problems, `seed ${seed}`).toEqual([])
      const ofAuctions = [...attempts.map(responseKindOf), ...ledger.flatMap(admissionKindsOf)]
      for (const kind of [...ofAuctions, ...registers.map(registerKindOf)]) kinds.add(kind)
    }
  })

  test('return every kind of response, and make every kind of entry', () => {
    const others = [...entryKindsOfRegisters, ...admissionKinds, 'create-auction: validation-failed']
    expect([...kinds]).toEqual(expect.arrayContaining([...responsesOfRegisters, ...others]))
  })

  test.each(Object.entries(bugsInRegisters))('detect that %s', async (name, [plant, problem]) => {
    const mostSeeds = 200
    let isFound = false
    let tried = 0
    while (!isFound && tried < mostSeeds) {
      const { problems } = await simulate(firstSeed + tried, plant(), actOnRegisters)
      tried += 1
      isFound = problems.some((each) => problem.test(each))
    }
    expect(isFound, `"${name}" is found by none of ${tried} seeds`).toBe(true)
  })
})
