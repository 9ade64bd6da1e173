import { parseArgs } from 'node:util'
import { entryKindOf, entryKinds, responseKindOf, responseKinds } from './kinds.ts'
import { plantedBugs } from './planted-bugs/all.ts'
import { recordedSeeds, seeds } from './seeds.ts'
import { simulate } from './simulate.ts'

const help = `pnpm simulate [options]: several processes over an unreliable store, as a function of a seed

  --seeds <n>  the number of seeds to try (100,000)
  --from <n>   the first seed (1)
  --seed <n>   replays one seed, and prints all of its events
  --bugs       counts the seeds that detect each planted bug
  --complete   finds seeds with the kinds of responses and entries of kinds.ts that the recorded seeds lack
  --help       prints this help
`

const say = (text: string) => process.stdout.write(text)

const { values } = readOptions()

function readOptions() {
  try {
    return parseArgs({
      options: {
        seed: { type: 'string' },
        from: { type: 'string', default: '1' },
        seeds: { type: 'string' },
        bugs: { type: 'boolean', default: false },
        complete: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${help}`)
    process.exit(1)
  }
}

/** Replays one seed, and prints all events. */
async function replay(seed: number): Promise<boolean> {
  const { attempts, problems } = await simulate(seed)
  for (const attempt of attempts) say(`${JSON.stringify(attempt)}\n`)
  for (const problem of problems) say(`${problem}\n`)
  say(`seed ${seed}: ${attempts.length} attempts, ${problems.length} problems\n`)
  return problems.length === 0
}

/** Runs seeds until one fails. */
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
      say(`\r[${bar}] ${done} of ${count} seeds, ${attemptsInAll} requests`)
    }
  }
  say('\nno seed failed\n')
  return true
}

/** Counts the seeds that detect each planted bug. */
async function countFinds(from: number, count: number): Promise<boolean> {
  let isEachFound = true
  for (const [name, plant] of Object.entries(plantedBugs)) {
    const found: number[] = []
    for (let seed = from; seed < from + count; seed++) {
      if ((await simulate(seed, plant())).problems.length > 0) found.push(seed)
    }
    isEachFound &&= found.length * 50 >= count
    say(`${String(found.length).padStart(6)} of ${count} seeds, the first is ${found[0]}, find that ${name}\n`)
  }
  return isEachFound
}

/** Finds seeds that have the kinds of responses and entries that the recorded ones lack. */
async function findComplete(from: number, count: number): Promise<boolean> {
  const expected = [...responseKinds, ...entryKinds]
  const missing = new Set(expected)
  const rare = new Set<number>()
  for (const seed of [...recordedSeeds, ...seeds(from, count)]) {
    if (missing.size === 0) break
    const { attempts, ledger } = await simulate(seed)
    for (const kind of [...attempts.map(responseKindOf), ...ledger.map(entryKindOf)]) {
      if (!expected.includes(kind)) say(`seed ${seed} has "${kind}", which kinds.ts lacks\n`)
      if (missing.delete(kind) && !recordedSeeds.includes(seed)) rare.add(seed)
    }
  }
  say(`seeds with the kinds that the recorded ones lack: ${[...rare].join(', ')}\n`)
  if (missing.size > 0) say(`these never occur: ${[...missing].join('; ')}\n`)
  return missing.size === 0
}

async function run(): Promise<boolean> {
  if (values.help) {
    say(help)
    return true
  }
  const from = Number(values.from)
  if (values.seed !== undefined) return replay(Number(values.seed))
  if (values.complete) return findComplete(from, Number(values.seeds ?? 2_000))
  if (values.bugs) return countFinds(from, Number(values.seeds ?? 1_000))
  return search(from, Number(values.seeds ?? 100_000))
}

process.exitCode = (await run()) ? 0 : 1
