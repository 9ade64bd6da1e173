import { connectMongoStore } from '@auction/adapters/mongodb'
import { openAuctions } from '../domain/bidding-floor.ts'
import type { Findings, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import type { Sample } from '../measure/sample.ts'
import type { BenchServer, Scratch } from '../mongodb/server.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { number } from '../report/numbers.ts'
import type { BiddingOrder, BiddingReport } from './order.ts'
import { runProcesses } from './pair.ts'

const hotCounts = [1, 20, 100]
const biddersPerAuction = 4
const processes = 2

/** Whether all bids on an auction go to one process, or half of its bidders to each. */
const ways = ['sticky', 'spread'] as const
type Way = (typeof ways)[number]
type ProcessesPoint = Point & { readonly hotCount: number; readonly way: Way }

/** Two processes that serve one database, each with a service of its own. */
export async function measureProcesses(server: BenchServer, options: Options, progress: Progress): Promise<Findings> {
  const points = hotCounts.flatMap((hotCount) => ways.map((way) => point(hotCount, way)))
  progress.section(`${server.name}, processes`, points.length * options.rounds)
  const notes = new Set<string>()
  const measurements = await measureInRounds(points, options.rounds, progress, ({ hotCount, way }) =>
    server.withScratch((scratch) => measurePair(hotCount, way, scratch, options, notes)),
  )
  return { measurements, notMeasured: [], notes: [...notes] }
}

const point = (hotCount: number, way: Way): ProcessesPoint => ({
  section: 'processes',
  series: `two-processes/${way}/${hotCount}`,
  label: `${hotCount === 1 ? 'one hot auction' : `${number(hotCount)} hot auctions`}, ${way}`,
  clients: hotCount * biddersPerAuction,
  hotCount,
  way,
})

async function measurePair(
  hotCount: number,
  way: Way,
  { uri, maxConnections }: Scratch,
  { warmupSeconds, seconds }: Options,
  notes: Set<string>,
): Promise<Sample> {
  const auctions = openAuctions(hotCount + processes, { incrementMinor: 1 })
  const store = await connectMongoStore(uri)
  try {
    for (const auction of auctions) await store.insertAuction(auction)
  } finally {
    await store.close()
  }
  const orders = Array.from({ length: processes }, (_, process): BiddingOrder => {
    const hotAuctions = auctionsOfBidders(hotCount, way, process)
    return { uri, maxConnections, hotAuctions, calmAuction: hotCount + process + 1, warmupSeconds, seconds }
  })
  const reports = await runProcesses(orders)
  for (const { trouble } of reports) if (trouble !== undefined) notes.add(`two processes, ${way}: ${trouble}`)
  return sampleOfPair(reports, seconds)
}

/** The auctions that the bidders at one process bid on, by their ids. */
function auctionsOfBidders(hotCount: number, way: Way, process: number): readonly number[] {
  const ids = Array.from({ length: hotCount }, (_, index) => index + 1)
  const mine = way === 'sticky' ? ids.filter((id) => id % processes === (process + 1) % processes) : ids
  const bidders = way === 'sticky' ? biddersPerAuction : biddersPerAuction / processes
  return mine.flatMap((id) => Array.from({ length: bidders }, () => id))
}

/** Bids of both together, and waiting times where they are longer. */
function sampleOfPair(reports: readonly BiddingReport[], seconds: number): Sample {
  const total = (of: (report: BiddingReport) => number) => reports.reduce((sum, report) => sum + of(report), 0)
  const longest = (of: (report: BiddingReport) => number | undefined) =>
    Math.max(...reports.map((report) => of(report) ?? 0))
  const accepted = total((report) => report.accepted)
  return {
    acceptedPerSecond: accepted / seconds,
    refusedPerSecond: total(({ refused }) => refused) / seconds,
    failedPerSecond: total(({ failed }) => failed) / seconds,
    p50Ms: longest(({ p50Ms }) => p50Ms),
    p99Ms: longest(({ p99Ms }) => p99Ms),
    calmP50Ms: longest(({ calmP50Ms }) => calmP50Ms),
    calmP99Ms: longest(({ calmP99Ms }) => calmP99Ms),
    weakerShare: accepted === 0 ? 0 : Math.min(...reports.map((report) => report.accepted)) / accepted,
  }
}
