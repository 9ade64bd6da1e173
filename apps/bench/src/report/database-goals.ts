import type { Database } from './environment.ts'
import { atLeast, atMost, type Goal, rate, ratio, reading } from './readings.ts'
import { sqliteGoals } from './sqlite-goals.ts'

const wide = 'placeBid/1000-auctions'
const hot = 'placeBid/hot-auction'
const wideText = '1,000 auctions, 64 clients'
const hotText = 'one hot auction, 256 clients'

/** Where a write costs by the round trip and updates are not atomic, so that nothing can be compared with them. */
const slowInserts: readonly Goal[] = [
  atLeast(5, `${wideText}: times the bids/s of raw insertOne`, ratio(rate(wide, 64), rate('insertOne', 64))),
  atLeast(8, `${hotText}: times the bids/s of raw insertOne`, ratio(rate(hot, 256), rate('insertOne', 256))),
  atLeast(0.8, `${hotText}: times the bids/s of raw insertMany of 100`, ratio(rate(hot, 256), rate('insertMany', 256))),
]

const update = (spread: string) => `findOneAndUpdate/${spread}`

/** Where updates are atomic, so that what people write instead is right too. */
const fastInserts: readonly Goal[] = [
  atLeast(4, `${wideText}: times the bids/s of raw insertOne`, ratio(rate(wide, 64), rate('insertOne', 64))),
  atLeast(
    3.5,
    `${wideText}: times the bids/s of a conditional findOneAndUpdate`,
    ratio(rate(wide, 64), rate(update('1000-auctions'), 64)),
  ),
  atLeast(5.5, `${hotText}: times the bids/s of raw insertOne`, ratio(rate(hot, 256), rate('insertOne', 256))),
  atLeast(
    4.5,
    `${hotText}: times the bids/s of a conditional findOneAndUpdate`,
    ratio(rate(hot, 256), rate(update('hot-auction'), 256)),
  ),
]

const keyed = (series: string, clients: number): Goal['measure'] =>
  ratio(rate(series.replace('placeBid', 'placeBid-with-keys'), clients), rate(series, clients))

const everywhere: readonly Goal[] = [
  atMost(
    1,
    `${wideText}: times the p50 latency of raw insertOne`,
    ratio([wide, 64, 'p50Ms'], ['insertOne', 64, 'p50Ms']),
  ),
  atLeast(0.9, 'one client: times the bids/s of raw insertOne', ratio(rate(wide, 1), rate('insertOne', 1))),
  atLeast(0.85, 'one client, a key on every bid: times the bids/s without keys', keyed(wide, 1)),
  atLeast(0.7, `${wideText}, a key on every bid: times the bids/s without keys`, keyed(wide, 64)),
  atLeast(0.7, `${hotText}, a key on every bid: times the bids/s without keys`, keyed(hot, 256)),
  atLeast(
    0.6,
    `${hotText}, each bid meets a proxy: times the bids/s without`,
    ratio(rate(`${hot}-with-proxy`, 256), rate(hot, 256)),
  ),
  atLeast(
    0.9,
    'auctions created, 64 clients: times the raw insertOne/s of such documents',
    ratio(rate('createAuction', 64), rate('insertOne-auction', 64)),
  ),
  atMost(
    2,
    'closing 10,000 auctions while bids go on: times as long as appending as many entries',
    ofAllDue(ratio(['closeDue', 64, 'tookMs'], ['append-ends', 64, 'tookMs'])),
  ),
  atMost(
    2,
    'closing 10,000 auctions: times the p99 latency of the bids alone',
    ofAllDue(ratio(['closeDue', 64, 'p99Ms'], ['bids-alone', 64, 'p99Ms'])),
  ),
  ...[1, 20, 100].flatMap(twoProcesses),
]

/** Fewer auctions say nothing of ten thousand. */
function ofAllDue(measure: Goal['measure']): Goal['measure'] {
  return (run) => (run.due >= 10_000 ? measure(run) : undefined)
}

function twoProcesses(hotCount: number): readonly Goal[] {
  const clients = hotCount * 4
  const spread = `two-processes/spread/${hotCount}`
  const sticky = `two-processes/sticky/${hotCount}`
  const text = `two processes, ${hotCount === 1 ? 'one hot auction' : `${hotCount} hot auctions`} spread over both`
  return [
    atLeast(0.3, `${text}: share of the weaker one in the bids won`, reading([spread, clients, 'weakerShare'])),
    atLeast(0.6, `${text}: times the bids/s of sticky`, ratio(rate(spread, clients), rate(sticky, clients))),
    atMost(
      2,
      `${text}: times the p50 wait of a bidder on a calm auction`,
      ratio([spread, clients, 'calmP50Ms'], [sticky, clients, 'calmP50Ms']),
    ),
  ]
}

/** What is to be reached on a database. */
export function databaseGoals({
  kind,
  hasAtomicUpdates,
}: Pick<Database, 'kind' | 'hasAtomicUpdates'>): readonly Goal[] {
  if (kind === 'embedded') return sqliteGoals
  return [...(hasAtomicUpdates ? fastInserts : slowInserts), ...everywhere]
}
