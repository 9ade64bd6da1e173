import { reasonOf } from '../contest/contest.ts'
import { spreads } from '../domain/bidding-floor.ts'
import { runClosedLoop, runClosedLoopBeside } from '../measure/closed-loop.ts'
import { collectGarbage } from '../measure/garbage.ts'
import type { Findings, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import { type Sample, sampleOf } from '../measure/sample.ts'
import type { BenchServer, Scratch } from '../mongodb/server.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { number } from '../report/numbers.ts'
import { type ClosingScene, openClosingScene } from './scene.ts'

const clients = 64

/** What goes on beside the bids. */
type Work = keyof Pick<ClosingScene, 'closeDue' | 'appendEnds'>
type ClosingPoint = Point & { readonly work: Work | undefined }

/** Bids alone, beside the closing of auctions that are due at one moment, and beside appending as many entries. */
export async function measureClosing(server: BenchServer, options: Options, progress: Progress): Promise<Findings> {
  const due = number(options.due)
  const points = [
    point('bids-alone', 'nothing', undefined),
    point('append-ends', `raw ordered insertMany of 100, ${due} entries in all`, 'appendEnds'),
    point('closeDue', `closeDue, ${due} auctions`, 'closeDue'),
  ]
  progress.section(`${server.name}, closing`, points.length * options.rounds)
  const failures = new Set<string>()
  const measurements = await measureInRounds(points, options.rounds, progress, ({ work }) =>
    server.withScratch((scratch) => measureBeside(work, scratch, options, failures)),
  )
  return { measurements, notMeasured: [], notes: [...failures] }
}

const point = (series: string, label: string, work: Work | undefined): ClosingPoint => {
  return { section: 'closing', series, label: `bids on ${spreads.wide.label}, beside ${label}`, clients, work }
}

async function measureBeside(
  work: Work | undefined,
  scratch: Scratch,
  { due, seconds, warmupSeconds }: Options,
  failures: Set<string>,
): Promise<Sample> {
  const scene = await openClosingScene(scratch, due)
  try {
    collectGarbage()
    const load = { clients, warmupSeconds, seconds }
    if (work === undefined) return sampleOf(await runClosedLoop(scene.bid, load), seconds)
    const { tookMs, ...result } = await runClosedLoopBeside(scene[work], scene.bid, load)
    return { ...sampleOf(result, tookMs / 1000), tookMs }
  } catch (error) {
    // A server may be too slow for it. That is a finding, and no reason to lose all others.
    failures.add(`${work ?? 'bids alone'} failed with: ${reasonOf(error)}`)
    return {}
  } finally {
    await scene.stop()
  }
}
