import { setTimeout } from 'node:timers/promises'
import { createMemoryStore } from '@auction/adapters/memory'
import { systemClock } from '@auction/adapters/system'
import { unwrap } from '@auction/domain/result'
import { createAuctionService } from '@auction/domain/service'
import { runClosedLoop } from '../measure/closed-loop.ts'
import { collectGarbage } from '../measure/garbage.ts'
import type { Findings, Measurement, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import { type Sample, sampleOf } from '../measure/sample.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { bidOf, hotWithProxy, openAuctions, risingOffers, type Spread, spreads } from './bidding-floor.ts'
import { formatsCases, plainCases } from './cases.ts'
import { measureDecisions, measureDecisionsAndStates } from './decisions.ts'

type DomainPoint = Point & { readonly measure: () => Promise<Sample> }

/**
 * The domain alone: decisions, and bids through lanes into the in-memory store. Auctions with formats come when plain ones are
 * measured: from then on the engine compiles the same code for both.
 */
export async function measureDomain(options: Options, progress: Progress): Promise<Findings> {
  const plain = [...plainDecisions(options), ...Object.values(spreads).flatMap((spread) => lanes(spread, options))]
  const mixed = [
    ...decisionsWithFormats(options),
    ...lanes(spreads.hot, options, 'in a process that has both'),
    ...lanes(hotWithProxy, options),
  ]
  progress.section('domain', (plain.length + mixed.length) * options.rounds)
  const measurements: Measurement[] = []
  for (const points of [plain, mixed]) {
    measurements.push(
      ...(await measureInRounds(points, options.rounds, progress, async (point) => {
        // Nothing here waits for anything but promises: without a turn of the event loop, the timers of services that are closed would
        // hold all that they have stored.
        await setTimeout(1)
        collectGarbage()
        return point.measure()
      })),
    )
  }
  return { measurements, notMeasured: [], notes: [] }
}

const plainDecisions = ({ seconds }: Options): readonly DomainPoint[] => [
  decisions('decide', 'decide', () => measureDecisions(plainCases(), seconds)),
  decisions('evolve', 'decide and evolve', () => measureDecisionsAndStates(plainCases(), seconds)),
]

const decisionsWithFormats = ({ seconds }: Options): readonly DomainPoint[] => [
  decisions('decide/formats', 'decide, all formats', () => measureDecisions(formatsCases(Date.now()), seconds)),
  decisions('evolve/formats', 'decide and evolve, all formats', () =>
    measureDecisionsAndStates(formatsCases(Date.now()), seconds),
  ),
]

const decisions = (series: string, label: string, measure: () => Sample): DomainPoint => {
  return { section: 'domain', series, label, clients: 1, measure: async () => measure() }
}

/** @param where what more there is to say of it, where the same is measured elsewhere too */
const lanes = (spread: Spread, options: Options, where?: string): readonly DomainPoint[] =>
  options.clients.map((clients) => ({
    section: 'domain',
    series: `lanes-in-memory/${spread.id}${where === undefined ? '' : '/mixed'}`,
    label: ['placeBid on the in-memory store', spread.label, ...(where === undefined ? [] : [where])].join(', '),
    clients,
    measure: () => measureLanes(spread, clients, options),
  }))

async function measureLanes(spread: Spread, clients: number, { seconds, warmupSeconds }: Options): Promise<Sample> {
  const store = createMemoryStore()
  const auctions = openAuctions(spread.auctions)
  for (const auction of auctions) await store.insertAuction(auction)
  const { placeBid, close } = createAuctionService({ store, clock: systemClock })
  await Promise.all(auctions.map(async (auction) => unwrap(await placeBid(spread.firstBid(auction)))))
  const nextOffer = risingOffers(spread.auctions, 2, spread.stepDollars)
  const operation = async () => ((await placeBid(bidOf(nextOffer(), auctions))).ok ? 'accepted' : 'refused')
  const result = await runClosedLoop(operation, { clients, warmupSeconds, seconds })
  await close()
  return sampleOf(result, seconds)
}
