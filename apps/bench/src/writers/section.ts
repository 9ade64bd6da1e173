import { placingBids } from '../bids/place-bid.ts'
import { measureContest } from '../contest/contest.ts'
import type { Contestant } from '../contest/contestant.ts'
import { spreads } from '../domain/bidding-floor.ts'
import type { Findings } from '../measure/measurement.ts'
import type { BenchServer } from '../mongodb/server.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'

const counts = [1, 2, 4]

/** What several appends under way at once bring: bids on many auctions, with the limit `appendsPerPartition`. */
export const measureWriters = (server: BenchServer, options: Options, progress: Progress): Promise<Findings> =>
  measureContest('writers', counts.map(writers), server, options, progress)

const writers = (count: number): Contestant => ({
  id: `writers-${count}/${spreads.wide.id}`,
  label: `placeBid, ${spreads.wide.label}, ${count === 1 ? 'one append' : `${count} appends`} at once`,
  ...placingBids(spreads.wide, 'without-keys', { appendsPerPartition: count }),
})
