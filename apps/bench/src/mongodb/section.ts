import { incrementDollars, spreads } from '../domain/bidding-floor.ts'
import { runClosedLoop } from '../measure/closed-loop.ts'
import { collectGarbage } from '../measure/garbage.ts'
import type { Findings, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import { type Sample, sampleOf } from '../measure/sample.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { conditionalUpdate } from './conditional-update.ts'
import type { Contestant, Run } from './contestant.ts'
import { findThenInsert } from './find-then-insert.ts'
import { placeBid } from './place-bid.ts'
import { rawInsertMany, rawInsertOne } from './raw-insert.ts'
import type { BenchServer, Scratch } from './server.ts'
import { transactionPerBid } from './transaction.ts'
import { countWrong } from './wrong-outcomes.ts'

type MongoPoint = Point & { readonly contestant: Contestant }

const bothSpreads = Object.values(spreads)
const everywhere: readonly Contestant[] = [
  rawInsertOne,
  rawInsertMany,
  ...bothSpreads.map(placeBid),
  ...bothSpreads.map(findThenInsert),
  ...bothSpreads.map(conditionalUpdate),
]
const withTransactions = bothSpreads.map(transactionPerBid)

/** Ours, the raw driver, and what people write instead, on one server in turn. */
export async function measureMongodb(server: BenchServer, options: Options, progress: Progress): Promise<Findings> {
  const { hasTransactions } = server
  const contestants = hasTransactions ? [...everywhere, ...withTransactions] : everywhere
  const points = contestants.flatMap((contestant) => pointsOf(contestant, options.clients))
  progress.section('mongodb', points.length * options.rounds)

  const failures = new Set<string>()
  const measurements = await measureInRounds(points, options.rounds, progress, (point) =>
    server.withScratch((scratch) => measurePoint(point, scratch, options, failures)),
  )
  const notMeasured = hasTransactions ? [] : withTransactions.map(({ label }) => ({ label, reason: 'no transactions' }))
  return {
    measurements,
    notMeasured: notMeasured.map((line) => ({ section: 'mongodb', ...line })),
    notes: [...notesOn(server), ...failures],
  }
}

const pointsOf = (contestant: Contestant, clients: readonly number[]): readonly MongoPoint[] =>
  clients.map((count) => {
    return { section: 'mongodb', series: contestant.id, label: contestant.label, clients: count, contestant }
  })

async function measurePoint(
  { contestant, clients }: MongoPoint,
  scratch: Scratch,
  { seconds, warmupSeconds }: Options,
  failures: Set<string>,
): Promise<Sample> {
  const run = await contestant.start(scratch, clients)
  try {
    collectGarbage()
    const result = await runClosedLoop(run.operation, { clients, warmupSeconds, seconds })
    if (result.failed > 0) failures.add(`${contestant.label} failed with: ${reasonOf(result.firstFailure)}`)
    return { ...sampleOf(result, seconds, contestant.bidsPerOperation), ...wrongnessOf(run) }
  } finally {
    await run.stop()
  }
}

function wrongnessOf({ claims }: Run): Sample {
  if (claims === undefined) return {}
  const wrongOutcomes = countWrong(claims, incrementDollars)
  return { wrongOutcomes, wrongPercent: claims.length === 0 ? 0 : (wrongOutcomes / claims.length) * 100 }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const notesOn = ({ buildInfo, hasTransactions }: BenchServer): readonly string[] => [
  ...(hasTransactions ? [] : [noTransactions]),
  ...(buildInfo['ferretdbVersion'] === undefined ? [] : [ferret]),
]

const noTransactions =
  'This server has no transactions: it is neither a member of a replica set nor a router of a sharded cluster.'
const ferret =
  'This server is FerretDB, not MongoDB: its reads scan their collection, so all that reads before it writes is slower ' +
  'here than on MongoDB, and its updates are not atomic, so findOneAndUpdate goes wrong here where MongoDB is right.'
