import { measureContest } from '../contest/contest.ts'
import type { Arena, Contestant } from '../contest/contestant.ts'
import { hotWithProxy, spreads } from '../domain/bidding-floor.ts'
import { type Findings, onDatabase } from '../measure/measurement.ts'
import type { Options } from '../options.ts'
import type { Progress } from '../progress.ts'
import { placeBid } from './place-bid.ts'
import { rawInsert } from './raw-insert.ts'
import { withScratchFile } from './scratch-file.ts'

/** What the results call it, beside the servers. */
export const sqlite = {
  name: 'SQLite',
  kind: 'embedded',
  version: process.versions['sqlite'] ?? 'unknown',
} as const

const arena: Arena<string> = { name: sqlite.name, withScratch: withScratchFile }

const bothKeys = ['without-keys', 'with-keys'] as const
const contestants: readonly Contestant<string>[] = [
  ...bothKeys.map(rawInsert),
  ...bothKeys.flatMap((keys) => Object.values(spreads).map((spread) => placeBid(spread, keys))),
  placeBid(hotWithProxy, 'without-keys'),
]

/** Bids in a file on the disk, beside one row a transaction by the raw driver in the same process. */
export const measureSqlite = async (options: Options, progress: Progress): Promise<Findings> =>
  onDatabase(sqlite.name, await measureContest('sqlite', contestants, arena, options, progress))
