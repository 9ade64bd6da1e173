import { measureContest } from '../contest/contest.ts'
import type { Contestant } from '../contest/contestant.ts'
import { hotWithProxy, spreads } from '../domain/bidding-floor.ts'
import type { Findings } from '../measure/measurement.ts'
import type { BenchServer } from '../mongodb/server.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { conditionalUpdate } from './conditional-update.ts'
import { findThenInsert } from './find-then-insert.ts'
import { placeBid } from './place-bid.ts'
import { rawInsertMany, rawInsertOne } from './raw-insert.ts'
import { transactionPerBid } from './transaction.ts'

const bothSpreads = Object.values(spreads)
const everywhere: readonly Contestant[] = [
  rawInsertOne,
  rawInsertMany('without-keys'),
  rawInsertMany('with-keys'),
  ...bothSpreads.map((spread) => placeBid(spread, 'without-keys')),
  ...bothSpreads.map((spread) => placeBid(spread, 'with-keys')),
  placeBid(hotWithProxy, 'without-keys'),
  ...bothSpreads.map(findThenInsert),
  ...bothSpreads.map(conditionalUpdate),
]
const withTransactions = bothSpreads.map(transactionPerBid)

/** Bids: ours, the raw driver, and what people write instead, on one server in turn. */
export async function measureBids(server: BenchServer, options: Options, progress: Progress): Promise<Findings> {
  const { hasTransactions } = server
  const contestants = hasTransactions ? [...everywhere, ...withTransactions] : everywhere
  const { measurements, notes } = await measureContest('bids', contestants, server, options, progress)
  const notMeasured = hasTransactions ? [] : withTransactions.map(({ label }) => ({ label, reason: 'no transactions' }))
  return {
    measurements,
    notMeasured: notMeasured.map((line) => ({ section: 'bids', ...line })),
    notes: [...notesOn(server), ...notes],
  }
}

const notesOn = ({ hasTransactions, hasAtomicUpdates }: BenchServer): readonly string[] => [
  ...(hasTransactions ? [] : [noTransactions]),
  ...(hasAtomicUpdates ? [] : [ferret]),
]

const noTransactions =
  'this server has no transactions: it is neither a member of a replica set nor a router of a sharded cluster.'
const ferret =
  'this server is FerretDB, not MongoDB: its reads scan their collection, so all that reads before it writes is slower ' +
  'here than on MongoDB, and its updates are not atomic, so findOneAndUpdate goes wrong here where MongoDB is right.'
