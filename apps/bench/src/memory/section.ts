import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { auctions as serviceAuctions } from '../http/service.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { number } from '../report/numbers.ts'
import { growthPercent, lastToFirst } from './flatness.ts'
import { soakOverHttp } from './http-soak.ts'

/** A long run of bids, and what they are placed on. */
export type Soak = {
  readonly kind: SoakOrder['store'] | 'http'
  readonly label: string
  readonly auctions: number
  /** How many bids there are, if not told otherwise. */
  readonly bids: number
}

export const soaks: readonly Soak[] = [
  {
    kind: 'heads-only',
    label: 'a process, on a store that forgets all but heads',
    auctions: 100_000,
    bids: 10_000_000,
  },
  { kind: 'sqlite', label: 'a process, on a file on the disk', auctions: 100_000, bids: 10_000_000 },
  { kind: 'http', label: 'the service over HTTP, on a file on the disk', auctions: serviceAuctions, bids: 1_000_000 },
]

export type SoakOrder = {
  readonly store: 'heads-only' | 'sqlite'
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

const samples = 20

/** Watches processes of their own that do nothing but place bids. */
export async function measureMemory({ memoryBids }: Options, progress: Progress): Promise<readonly MemoryFindings[]> {
  progress.section('memory', samples * soaks.length)
  const findings: MemoryFindings[] = []
  for (const soak of soaks) findings.push(await watch({ ...soak, bids: memoryBids ?? soak.bids }, progress))
  return findings
}

async function watch({ kind, label, auctions, bids }: Soak, progress: Progress): Promise<MemoryFindings> {
  const taken: MemorySample[] = []
  function take(sample: MemorySample): void {
    taken.push(sample)
    progress.end(textOf(sample))
    progress.begin(textOf(sample))
  }
  progress.begin(`${number(bids)} bids on ${number(auctions)} auctions, ${label}`)
  if (kind === 'http') await soakOverHttp({ bids, samples }, take)
  else await soakProcess({ store: kind, auctions, bids, samples }, take)
  return {
    label,
    auctions,
    samples: taken,
    rssGrowthPercent: growthPercent(taken.map(({ rssMegabytes }) => rssMegabytes)),
    heapGrowthPercent: growthPercent(taken.map(({ heapUsedMegabytes }) => heapUsedMegabytes)),
    lastToFirst: lastToFirst(taken.map(({ bidsPerSecond }) => bidsPerSecond)),
  }
}

async function soakProcess(order: SoakOrder, take: (sample: MemorySample) => void): Promise<void> {
  const child = fork(fileURLToPath(import.meta.resolve('./soak-process.ts')), [], {
    execArgv: ['--conditions=@auction/source'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.on('message', (message) => {
    take(message as MemorySample) // What soak-process.ts sends, and nothing else does.
  })
  child.on('error', reject)
  child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error('the process ended; its own words are above'))))
  child.send(order)
  await promise
}

const textOf = ({ bids, bidsPerSecond, rssMegabytes, heapUsedMegabytes }: MemorySample): string =>
  `${number(bids)} bids: ${number(bidsPerSecond)}/s, ${number(rssMegabytes)} MB resident, ${number(heapUsedMegabytes)} MB heap`
