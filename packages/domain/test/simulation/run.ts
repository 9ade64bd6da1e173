import { parseArgs } from 'node:util'
import { compete } from './compete.ts'
import { answerKindOf, answerKinds, entryKindOf, entryKinds, shortLength } from './kinds.ts'
import { plantedBugs } from './planted-bugs/all.ts'
import { simulate } from './simulate.ts'

const help = `pnpm simulate [options]: several processes over an unreliable store, as a function of a seed

  --seeds <n>  the number of seeds to try (100,000)
  --from <n>   the first seed (1)
  --seed <n>   replays one seed, and prints all of its events
  --bugs       counts the seeds that detect each planted bug
  --complete   finds the first ${shortLength} seeds in a row that have every kind of answer and entry of kinds.ts
  --hot <n>    runs two processes that share <n> hot auctions
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
        hot: { type: 'string' },
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

/** Finds the first seeds in a row, as many as the short form runs, that have every kind. */
async function findComplete(from: number, count: number): Promise<boolean> {
  const expected = [...answerKinds, ...entryKinds]
  const lastSeeds = new Map(expected.map((kind) => [kind, 0]))
  for (let seed = from; seed < from + count; seed++) {
    const { attempts, ledger } = await simulate(seed)
    for (const kind of [...attempts.map(answerKindOf), ...ledger.map(entryKindOf)]) {
      if (!lastSeeds.has(kind)) say(`seed ${seed} has "${kind}", which kinds.ts lacks\n`)
      lastSeeds.set(kind, seed)
    }
    const first = Math.max(from, seed - shortLength + 1)
    if (expected.every((kind) => (lastSeeds.get(kind) ?? 0) >= first)) {
      say(`the ${shortLength} seeds from ${first} on have every kind\n`)
      return true
    }
  }
  const missing = expected.filter((kind) => lastSeeds.get(kind) === 0)
  say(`no ${shortLength} seeds in a row have every kind; these never occur: ${missing.join('; ') || 'none'}\n`)
  return false
}

/** Runs two processes that share this number of hot auctions, and prints the number of accepted bids through each. */
async function share(hotAuctions: number, from: number, count: number): Promise<boolean> {
  for (let seed = from; seed < from + count; seed++) {
    const { wins, longestCalmWaitMs } = await compete(seed, { hotAuctions })
    say(`seed ${seed}: ${wins.join(' and ')} bids were won; a calm auction waited ${Math.ceil(longestCalmWaitMs)} ms\n`)
  }
  return true
}

async function run(): Promise<boolean> {
  if (values.help) {
    say(help)
    return true
  }
  const from = Number(values.from)
  if (values.seed !== undefined) return replay(Number(values.seed))
  if (values.hot !== undefined) return share(Number(values.hot), from, Number(values.seeds ?? 5))
  if (values.complete) return findComplete(from, Number(values.seeds ?? 2_000))
  if (values.bugs) return countFinds(from, Number(values.seeds ?? 1_000))
  return search(from, Number(values.seeds ?? 100_000))
}

process.exitCode = (await run()) ? 0 : 1
