import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { number } from '../report/numbers.ts'
import { growthPercent, lastToFirst } from './flatness.ts'

/** What a process places its bids on. */
export type Soak = { readonly store: 'heads-only' | 'sqlite'; readonly label: string }

export const soaks: readonly Soak[] = [
  { store: 'heads-only', label: 'on a store that forgets all but heads' },
  { store: 'sqlite', label: 'on a file on the disk' },
]

export type SoakOrder = {
  readonly store: Soak['store']
  readonly auctions: number
  readonly bids: number
  readonly samples: number
}

/** Taken after a collection, in megabytes of 10^6 bytes. */
export type MemorySample = {
  readonly bids: number
  /** Since the sample before. */
  readonly bidsPerSecond: number
  readonly rssMegabytes: number
  readonly heapUsedMegabytes: number
}

export type MemoryFindings = Pick<Soak, 'label'> & {
  readonly auctions: number
  readonly samples: readonly MemorySample[]
  readonly rssGrowthPercent: number
  readonly heapGrowthPercent: number
  /** What the rate of the last tenth of the bids is to that of the first. */
  readonly lastToFirst: number
}

const auctions = 100_000
const samples = 20

/** Watches processes of their own that do nothing but place bids. */
export async function measureMemory({ memoryBids }: Options, progress: Progress): Promise<readonly MemoryFindings[]> {
  progress.section('memory', samples * soaks.length)
  const findings: MemoryFindings[] = []
  for (const soak of soaks) findings.push(await watch(soak, memoryBids, progress))
  return findings
}

async function watch({ store, label }: Soak, bids: number, progress: Progress): Promise<MemoryFindings> {
  const taken: MemorySample[] = []
  const child = fork(fileURLToPath(import.meta.resolve('./soak-process.ts')), [], {
    execArgv: ['--conditions=@auction/source'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.on('message', (message) => {
    const sample = message as MemorySample // What soak-process.ts sends, and nothing else does.
    taken.push(sample)
    progress.end(textOf(sample))
    progress.begin(textOf(sample))
  })
  child.on('error', reject)
  child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error('the process ended; its own words are above'))))
  const order: SoakOrder = { store, auctions, bids, samples }
  child.send(order)
  progress.begin(`${number(bids)} bids on ${number(auctions)} auctions, ${label}`)
  await promise
  return {
    label,
    auctions,
    samples: taken,
    rssGrowthPercent: growthPercent(taken.map(({ rssMegabytes }) => rssMegabytes)),
    heapGrowthPercent: growthPercent(taken.map(({ heapUsedMegabytes }) => heapUsedMegabytes)),
    lastToFirst: lastToFirst(taken.map(({ bidsPerSecond }) => bidsPerSecond)),
  }
}

const textOf = ({ bids, bidsPerSecond, rssMegabytes, heapUsedMegabytes }: MemorySample): string =>
  `${number(bids)} bids: ${number(bidsPerSecond)}/s, ${number(rssMegabytes)} MB resident, ${number(heapUsedMegabytes)} MB heap`
