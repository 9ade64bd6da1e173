import { canonicalJson } from '../values/canonical-json.ts'
import { type AuctionId, toAuctionId } from '../values/ids.ts'
import { accepted } from '../values/result.ts'
import type { DirectoryEntry, Line } from './directory-entry.ts'
import type { LedgerKind } from './kind.ts'
import type { Lanes } from './lanes.ts'
import type { Overloaded } from './pending-command.ts'

// A directory lists all registers, or all sales. Its line, with the key of the request, commits a creation: the own
// ledger has its first entry by then. A creation that ends before the line leaves a ledger that nothing names.

/** The reserved ids of the directories. */
export const directoryIds = {
  registers: toAuctionId(Number.MAX_SAFE_INTEGER),
  sales: toAuctionId(Number.MAX_SAFE_INTEGER - 1),
} as const

type DirectoryTypes<Event extends Line> = {
  readonly terms: { readonly id: AuctionId }
  readonly state: DirectoryEntry['state']
  readonly command: { readonly type: 'list'; readonly line: Event }
  readonly decisions: { readonly list: { readonly event: Event; readonly refusal: never } }
  /** It is never refused so: a directory always exists. */
  readonly notFound: Overloaded
  readonly entry: DirectoryEntry<Event>
}

export type DirectoryLanes<Event extends Line> = Lanes<DirectoryTypes<Event>>

export const directoryLedger = <Event extends Line>(): LedgerKind<DirectoryTypes<Event>> => ({
  initialState: () => ({ count: 0, atMs: 0 }),
  load: async (_, id) => ({ id }),
  notFound: () => ({ code: 'overloaded' }),
  decide: (_, __, { line }) => accepted(line),
  entryOf({ id: auctionId }, { count }, { id, sequence, atMs, requestKey, event }) {
    const state = { count: count + 1, atMs }
    const entry = { id, auctionId, kind: 'directory', sequence, atMs, event, state } as const
    return requestKey === undefined ? entry : { ...entry, requestKey }
  },
  timeOf: (_, { atMs }, __, arrivedAtMs) => Math.max(arrivedAtMs, atMs),
  eventForKey: () => undefined,
  isFinal: () => false,
  isOver: () => false,
  idsOf: () => 1,
  isResultOf: ({ event }, { line }) => canonicalJson(Object(event.fields)) === canonicalJson(Object(line.fields)),
  bytesOf: () => 500,
})
