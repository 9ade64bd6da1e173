import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../../tools/vitest/size.ts'
import { seeds } from '../seeds.ts'
import { bugsInSales } from './planted-bugs.ts'
import type { SaleAttempt } from './requests.ts'
import { simulateSales } from './simulate.ts'

/** So few in a block that it takes seconds, even if other programs use the machine. */
const blocks = isLong ? seeds(0, 25).map((block) => seeds(1 + block * 40, 40)) : [seeds(1, 15)]

const responses = {
  create: ['accepted', 'validation-failed', 'idempotency-key-reused', 'store-unavailable', 'unknown'],
  add: ['accepted', 'lot-taken', 'validation-failed', 'sale-not-found', 'idempotency-key-reused', 'unknown'],
  extend: ['accepted', 'idempotency-key-reused', 'store-unavailable', 'unknown'],
  cancel: ['accepted'],
  read: ['accepted'],
  list: ['accepted'],
} as const
const rows = {
  extend: ['extended', 'auction-ended', 'auction-cancelled', 'lot-unfinished', 'store-unavailable', 'overloaded'],
  cancel: ['cancelled', 'auction-ended', 'lot-not-found'],
}

const kindsIn = (table: Readonly<Record<string, readonly string[]>>, what: string): readonly string[] =>
  Object.entries(table).flatMap(([type, kinds]) => kinds.map((kind) => `${type}${what}: ${kind}`))

function kindsOf({ type, response }: SaleAttempt): readonly string[] {
  const kind = `${type}: ${response.outcome === 'refused' ? response.code : response.outcome}`
  if (response.outcome !== 'accepted' || !('lots' in response)) return [kind]
  return [kind, ...response.lots.flatMap((lot) => ('outcome' in lot ? [`${type} of a lot: ${lot.outcome}`] : []))]
}

describe('several processes with sales, over an unreliable store', () => {
  const kinds = new Set<string>()

  test.each(blocks)('keep every promise, with seeds from %i on', async (...block) => {
    for (const seed of block) {
      const { problems, log } = await simulateSales(seed)
      expect(problems, `seed ${seed}`).toEqual([])
      for (const kind of log.flatMap(kindsOf)) kinds.add(kind)
    }
  })

  test('return every kind of response, and of lots in one', () => {
    expect([...kinds]).toEqual(expect.arrayContaining([...kindsIn(responses, ''), ...kindsIn(rows, ' of a lot')]))
  })

  test.each(Object.entries(bugsInSales))('detect that %s', async (name, [plant, problem]) => {
    const mostSeeds = 200
    let isFound = false
    let tried = 0
    while (!isFound && tried < mostSeeds) {
      tried += 1
      const { problems } = await simulateSales(tried, plant())
      isFound = problems.some((each) => problem.test(each))
    }
    expect(isFound, `"${name}" is found by none of ${tried} seeds`).toBe(true)
  })
})
