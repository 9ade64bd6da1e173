import { createMemoryStore } from '@auction/adapters/memory'
import { systemClock } from '@auction/adapters/system'
import { unwrap } from '@auction/domain/result'
import { createAuctionService } from '@auction/domain/service'
import { runClosedLoop } from '../measure/closed-loop.ts'
import { collectGarbage } from '../measure/garbage.ts'
import type { Findings, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import { type Sample, sampleOf } from '../measure/sample.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { bidOf, hotWithProxy, openAuctions, risingOffers, type Spread, spreads } from './bidding-floor.ts'
import { formatsCases, plainCases } from './cases.ts'
import { measureDecisions, measureDecisionsAndStates } from './decisions.ts'

type DomainPoint = Point & { readonly measure: () => Promise<Sample> }

/** The domain alone: decisions, and bids through lanes into the in-memory store. */
export async function measureDomain(options: Options, progress: Progress): Promise<Findings> {
  const lanesOn = [...Object.values(spreads), hotWithProxy]
  const points = [...decisions(options), ...lanesOn.flatMap((spread) => lanes(spread, options))]
  progress.section('domain', points.length * options.rounds)
  const measurements = await measureInRounds(points, options.rounds, progress, (point) => {
    collectGarbage()
    return point.measure()
  })
  return { measurements, notMeasured: [], notes: [] }
}

function decisions({ seconds }: Options): readonly DomainPoint[] {
  const point = (series: string, label: string, measure: () => Sample): DomainPoint => {
    return { section: 'domain', series, label, clients: 1, measure: async () => measure() }
  }
  const formats = () => formatsCases(Date.now())
  return [
    point('decide', 'decide', () => measureDecisions(plainCases(), seconds)),
    point('decide/formats', 'decide, all formats', () => measureDecisions(formats(), seconds)),
    point('evolve', 'decide and evolve', () => measureDecisionsAndStates(plainCases(), seconds)),
    point('evolve/formats', 'decide and evolve, all formats', () => measureDecisionsAndStates(formats(), seconds)),
  ]
}

const lanes = (spread: Spread, options: Options): readonly DomainPoint[] =>
  options.clients.map((clients) => ({
    section: 'domain',
    series: `lanes-in-memory/${spread.id}`,
    label: `placeBid on the in-memory store, ${spread.label}`,
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
