import { connectMongoStore } from '@auction/adapters/mongodb'
import { openAuctions } from '../domain/bidding-floor.ts'
import type { Findings, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import type { Sample } from '../measure/sample.ts'
import type { BenchServer, Scratch } from '../mongodb/server.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { number } from '../report/numbers.ts'
import { biddersAt, processCount, type Way, ways } from './bidders.ts'
import type { BiddingOrder } from './order.ts'
import { runProcesses } from './run-processes.ts'
import { sampleOfProcesses } from './sample.ts'

const hotCounts = [1, 20, 100]

type ProcessesPoint = Point & { readonly hotCount: number; readonly way: Way }

/** Two processes that serve one database, each with a service of its own. */
export async function measureProcesses(server: BenchServer, options: Options, progress: Progress): Promise<Findings> {
  const points = hotCounts.flatMap((hotCount) => ways.map((way) => point(hotCount, way)))
  progress.section(`${server.name}, processes`, points.length * options.rounds)
  const notes = new Set<string>()
  const measurements = await measureInRounds(points, options.rounds, progress, (its) =>
    server.withScratch((scratch) => measurePoint(its, scratch, options, notes)),
  )
  return { measurements, notMeasured: [], notes: [...notes] }
}

function point(hotCount: number, way: Way): ProcessesPoint {
  const label = `${hotCount === 1 ? 'one hot auction' : `${number(hotCount)} hot auctions`}, ${way}`
  const clients = Array.from({ length: processCount }, (_, process) => biddersAt(process, hotCount, way)).flat().length
  return { section: 'processes', series: `two-processes/${way}/${hotCount}`, label, clients, hotCount, way }
}

async function measurePoint(
  { hotCount, way, label }: ProcessesPoint,
  { uri, maxConnections }: Scratch,
  { warmupSeconds, seconds }: Options,
  notes: Set<string>,
): Promise<Sample> {
  // Each process has a calm auction, behind the hot ones.
  await storeAuctions(uri, hotCount + processCount)
  const orders = Array.from({ length: processCount }, (_, process): BiddingOrder => {
    const hotAuctions = biddersAt(process, hotCount, way)
    return { uri, maxConnections, hotAuctions, calmAuction: hotCount + process + 1, warmupSeconds, seconds }
  })
  const reports = await runProcesses(orders)
  for (const { trouble } of reports) if (trouble !== undefined) notes.add(`two processes, ${label}: ${trouble}`)
  return sampleOfProcesses(reports, seconds)
}

async function storeAuctions(uri: string, count: number): Promise<void> {
  const store = await connectMongoStore(uri)
  try {
    for (const auction of openAuctions(count, { incrementMinor: 1 })) await store.insertAuction(auction)
  } finally {
    await store.close()
  }
}
