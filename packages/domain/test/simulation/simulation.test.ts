import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import { entryKindOf, entryKinds, responseKindOf, responseKinds } from './kinds.ts'
import { recordedSeeds, seeds } from './seeds.ts'
import { simulate } from './simulate.ts'

/**
 * The seeds that have the kinds of responses and entries that the recorded ones lack. `pnpm simulate --complete` prints
 * them.
 */
const rareSeeds = [34, 43, 59, 174, 600]
const allSeeds = isLong ? seeds(1, 2_000) : [...recordedSeeds, ...rareSeeds]
/** So few in a block that it takes seconds, even if other programs use the machine. */
const blocks = Array.from({ length: Math.ceil(allSeeds.length / 50) }, (_, index) =>
  allSeeds.slice(index * 50, index * 50 + 50),
)

type Summary = {
  readonly problems: readonly string[]
  readonly responses: ReadonlySet<string>
  readonly entries: ReadonlySet<string>
  readonly digest: string
}

const summaries = new Map<number, Summary>()

/** The result of a seed, without its events. Each seed is simulated once for all tests. */
async function summarize(seed: number): Promise<Summary> {
  let summary = summaries.get(seed)
  if (summary === undefined) {
    const { problems, attempts, ledger } = await simulate(seed)
    const [responses, entries] = [new Set(attempts.map(responseKindOf)), new Set(ledger.map(entryKindOf))]
    summary = { problems, responses, entries, digest: digestOf(ledger) }
    summaries.set(seed, summary)
  }
  return summary
}

/** The SHA-256 of entries, whatever the order of their members. */
function digestOf(ledger: readonly object[]): string {
  const canonical = JSON.stringify(ledger, (_, value: unknown) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
  return createHash('sha256').update(canonical).digest('base64url')
}

describe('several processes over an unreliable store', () => {
  test.each(blocks)('keep every promise, with seeds from %i on', async (...block) => {
    for (const seed of block) {
      const { problems } = await summarize(seed)
      expect(problems, `seed ${seed}; replay it with: pnpm simulate --seed ${seed}`).toEqual([])
    }
  })

  test('behave the same with the same seed', async () => {
    for (const seed of seeds(1, isLong ? 20 : 2)) expect(await simulate(seed)).toEqual(await simulate(seed))
  })

  // Entries follow from the rules, and from the order of store calls and waits. A change of the rules, or of stored
  // entries, is a fault here. After an intended change of calls or waits, record the digests again: `vitest run
  // …/simulation.test.ts -u`.
  test('store the recorded ledgers', async () => {
    const digests: string[] = []
    for (const seed of recordedSeeds) digests.push(`seed ${seed}: ${(await summarize(seed)).digest}\n`)
    await expect(digests.join('')).toMatchFileSnapshot(`${import.meta.dirname}/recorded-ledgers.txt`)
  })

  test('return every kind of response, so that all are tested', async () => {
    const responses = new Set<string>()
    for (const seed of allSeeds) for (const response of (await summarize(seed)).responses) responses.add(response)
    expect([...responses].sort()).toEqual(responseKinds)
  })

  test('make every kind of entry, so that all rules are tested', async () => {
    const kinds = new Set<string>()
    for (const seed of allSeeds) for (const kind of (await summarize(seed)).entries) kinds.add(kind)
    expect([...kinds].sort()).toEqual(entryKinds)
  })
})
