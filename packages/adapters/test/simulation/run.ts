import { parseArgs } from 'node:util'
import { simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '100000' },
  },
})

const say = (text: string) => process.stdout.write(text)

/** Replays one seed, and shows all that happened. */
async function replay(seed: number): Promise<boolean> {
  const { attempts, problems } = await simulate(seed)
  for (const attempt of attempts) say(`${JSON.stringify(attempt)}\n`)
  for (const problem of problems) say(`${problem}\n`)
  say(`seed ${seed}: ${attempts.length} attempts, ${problems.length} problems\n`)
  return problems.length === 0
}

/** Tries seeds until one fails. */
async function search(from: number, count: number): Promise<boolean> {
  let attemptsInAll = 0
  for (let seed = from; seed < from + count; seed++) {
    const { attempts, problems } = await simulate(seed)
    attemptsInAll += attempts.length
    if (problems.length > 0) {
      say(`\nseed ${seed} fails:\n${problems.join('\n')}\nreplay it with: pnpm simulate --seed ${seed}\n`)
      return false
    }
    const done = seed - from + 1
    if (done % 100 === 0 || done === count) {
      const bar = '#'.repeat(Math.round((done / count) * 40)).padEnd(40, '.')
      say(`\r[${bar}] ${done} of ${count} seeds, ${attemptsInAll} bids`)
    }
  }
  say('\nno seed failed\n')
  return true
}

const isWell =
  values.seed === undefined
    ? await search(Number(values.from), Number(values.seeds))
    : await replay(Number(values.seed))
process.exitCode = isWell ? 0 : 1
