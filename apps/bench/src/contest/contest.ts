import { incrementDollars } from '../domain/bidding-floor.ts'
import { runClosedLoop } from '../measure/closed-loop.ts'
import { collectGarbage } from '../measure/garbage.ts'
import type { Findings, Section } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import { type Sample, sampleOf } from '../measure/sample.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import type { Arena, Contestant, Run } from './contestant.ts'
import { countWrong } from './wrong-outcomes.ts'

/** Measures contestants in one arena in turn, each with each number of clients. */
export async function measureContest<Place>(
  section: Section,
  contestants: readonly Contestant<Place>[],
  arena: Arena<Place>,
  options: Pick<Options, 'clients' | 'rounds' | 'seconds' | 'warmupSeconds'>,
  progress: Progress,
): Promise<Findings> {
  const points = contestants.flatMap((contestant) =>
    (contestant.clients ?? options.clients).map((clients) => {
      return { section, series: contestant.id, label: contestant.label, clients, contestant }
    }),
  )
  progress.section(`${arena.name}, ${section}`, points.length * options.rounds)
  const failures = new Set<string>()
  const measurements = await measureInRounds(points, options.rounds, progress, ({ contestant, clients }) =>
    arena.withScratch((place) => measureContestant(contestant, clients, place, options, failures)),
  )
  return { measurements, notMeasured: [], notes: [...failures] }
}

async function measureContestant<Place>(
  { label, perOperation, start }: Contestant<Place>,
  clients: number,
  place: Place,
  { seconds, warmupSeconds }: Pick<Options, 'seconds' | 'warmupSeconds'>,
  failures: Set<string>,
): Promise<Sample> {
  const run = await start(place, clients)
  try {
    collectGarbage()
    const result = await runClosedLoop(run.operation, { clients, warmupSeconds, seconds })
    if (result.failed > 0) failures.add(`${label} failed with: ${reasonOf(result.firstFailure)}`)
    return { ...sampleOf(result, seconds, perOperation), ...(await wrongnessOf(run)) }
  } finally {
    await run.stop()
  }
}

async function wrongnessOf(run: Run): Promise<Sample> {
  const claims = await run.claims?.()
  if (claims === undefined) return {}
  const wrongOutcomes = countWrong(claims, incrementDollars)
  return { wrongOutcomes, wrongPercent: claims.length === 0 ? 0 : (wrongOutcomes / claims.length) * 100 }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
