import { createMemoryStore } from '@auction/adapters/memory'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain/service'
import { runClosedLoop } from '../measure/closed-loop.ts'
import { collectGarbage } from '../measure/garbage.ts'
import type { Findings, Point } from '../measure/measurement.ts'
import { measureInRounds } from '../measure/rounds.ts'
import { type Sample, sampleOf } from '../measure/sample.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { bidOf, openAuctions, risingOffers, type Spread, spreads } from './bidding-floor.ts'
import { measureDecisions } from './decisions.ts'

type DomainPoint = Point & { readonly measure: () => Promise<Sample> }

/** The domain alone: decisions, and bids through lanes into the in-memory store. */
export async function measureDomain(options: Options, progress: Progress): Promise<Findings> {
  const points = [decisions(options), ...Object.values(spreads).flatMap((spread) => lanes(spread, options))]
  progress.section('domain', points.length * options.rounds)
  const measurements = await measureInRounds(points, options.rounds, progress, (point) => {
    collectGarbage()
    return point.measure()
  })
  return { measurements, notMeasured: [], notes: [] }
}

const decisions = ({ seconds }: Options): DomainPoint => ({
  section: 'domain',
  series: 'decide',
  label: 'decide',
  clients: 1,
  measure: async () => measureDecisions(seconds),
})

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
  const nextOffer = risingOffers(spread.auctions, 1)
  const operation = async () => ((await placeBid(bidOf(nextOffer(), auctions))).ok ? 'accepted' : 'refused')
  const result = await runClosedLoop(operation, { clients, warmupSeconds, seconds })
  await close()
  return sampleOf(result, seconds)
}
