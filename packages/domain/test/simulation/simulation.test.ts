import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { answerKindOf, answerKinds, entryKindOf, entryKinds, shortLength } from './kinds.ts'
import { seeds } from './seeds.ts'
import { simulate } from './simulate.ts'

/** So few that a block takes seconds, even if other programs use the machine. */
const blockLength = 50
/** The short form has seeds with every kind of answer and entry. `pnpm simulate --complete` finds the first ones. */
const firstSeed = isLong ? 1 : 312
const blocks = seeds(0, isLong ? 40 : shortLength / blockLength).map((index) => firstSeed + index * blockLength)
const allSeeds = seeds(firstSeed, blocks.length * blockLength)

type Summary = {
  readonly problems: readonly string[]
  readonly answers: ReadonlySet<string>
  readonly entries: ReadonlySet<string>
}

const summaries = new Map<number, Summary>()

/** The result of a seed, without its events. Each seed is simulated once for all tests. */
async function summarize(seed: number): Promise<Summary> {
  let summary = summaries.get(seed)
  if (summary === undefined) {
    const { problems, attempts, ledger } = await simulate(seed)
    summary = { problems, answers: new Set(attempts.map(answerKindOf)), entries: new Set(ledger.map(entryKindOf)) }
    summaries.set(seed, summary)
  }
  return summary
}

describe('several processes over an unreliable store', () => {
  test.each(blocks)('keep every promise, with seeds from %i on', async (first) => {
    for (const seed of seeds(first, blockLength)) {
      const { problems } = await summarize(seed)
      expect(problems, `seed ${seed}; replay it with: pnpm simulate --seed ${seed}`).toEqual([])
    }
  })

  test('behave the same with the same seed', async () => {
    for (const seed of seeds(1, isLong ? 20 : 2)) expect(await simulate(seed)).toEqual(await simulate(seed))
  })

  test('return every kind of answer, so that all are tested', async () => {
    const answers = new Set<string>()
    for (const seed of allSeeds) for (const answer of (await summarize(seed)).answers) answers.add(answer)
    expect([...answers].sort()).toEqual(answerKinds)
  })

  test('make every kind of entry, so that all rules are tested', async () => {
    const kinds = new Set<string>()
    for (const seed of allSeeds) for (const kind of (await summarize(seed)).entries) kinds.add(kind)
    expect([...kinds].sort()).toEqual(entryKinds)
  })
})
