import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { number } from '../report/numbers.ts'
import { growthPercent } from './flatness.ts'

export type SoakOrder = { readonly auctions: number; readonly bids: number; readonly samples: number }

/** Taken after a collection, in megabytes of 10^6 bytes. */
export type MemorySample = {
  readonly bids: number
  readonly rssMegabytes: number
  readonly heapUsedMegabytes: number
}

export type MemoryFindings = {
  readonly auctions: number
  readonly samples: readonly MemorySample[]
  readonly rssGrowthPercent: number
  readonly heapGrowthPercent: number
}

const auctions = 100_000
const samples = 20

/** Watches a process of its own that does nothing but place bids. */
export async function measureMemory({ memoryBids: bids }: Options, progress: Progress): Promise<MemoryFindings> {
  progress.section('memory', samples)
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
  const order: SoakOrder = { auctions, bids, samples }
  child.send(order)
  progress.begin(`${number(bids)} bids on ${number(auctions)} auctions`)
  await promise
  return {
    auctions,
    samples: taken,
    rssGrowthPercent: growthPercent(taken.map(({ rssMegabytes }) => rssMegabytes)),
    heapGrowthPercent: growthPercent(taken.map(({ heapUsedMegabytes }) => heapUsedMegabytes)),
  }
}

const textOf = ({ bids, rssMegabytes, heapUsedMegabytes }: MemorySample): string =>
  `${number(bids)} bids: ${number(rssMegabytes)} MB resident, ${number(heapUsedMegabytes)} MB heap`
