import type { LedgerKind } from '../ledger/kind.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import { canonicalJson } from '../values/canonical-json.ts'
import { type AuctionId, toAuctionId } from '../values/ids.ts'
import { accepted } from '../values/result.ts'
import type { Register } from './bidder-list.ts'
import type { DirectoryEntry, Line } from './events.ts'

// The directory lists all registers. Its line, with the key of the request, commits the creation of a register, whose
// own ledger has its first entry by then: a creation that ends before the line leaves a ledger that nothing names.

/** The reserved id of the ledger that lists the registers. */
export const registersDirectoryId: AuctionId = toAuctionId(Number.MAX_SAFE_INTEGER)

type DirectoryTypes = {
  readonly terms: { readonly id: AuctionId }
  readonly state: DirectoryEntry['state']
  readonly command: Omit<Line, 'type'> & { readonly type: 'list' }
  readonly decisions: { readonly list: { readonly event: Line; readonly refusal: never } }
  /** It is never refused so: the directory always exists. */
  readonly notFound: Overloaded
  readonly entry: DirectoryEntry
}

export type DirectoryLanes = Lanes<DirectoryTypes>

export const directoryLedger: LedgerKind<DirectoryTypes> = {
  initialState: () => ({ count: 0, atMs: 0 }),
  load: async (_, id) => ({ id }),
  notFound: () => ({ code: 'overloaded' }),
  decide: (_, __, command) => accepted({ ...command, type: 'register-listed' }),
  entryOf({ id: auctionId }, { count }, { id, sequence, atMs, requestKey, event }) {
    const entry = {
      id,
      auctionId,
      kind: 'directory',
      sequence,
      atMs,
      event,
      state: { count: count + 1, atMs },
    } as const
    return requestKey === undefined ? entry : { ...entry, requestKey }
  },
  timeOf: (_, { atMs }, __, arrivedAtMs) => Math.max(arrivedAtMs, atMs),
  eventForKey: () => undefined,
  isFinal: () => false,
  isOver: () => false,
  idsOf: () => 1,
  isResultOf: ({ event }, { register }) => canonicalJson(event.register) === canonicalJson(register),
  bytesOf: () => 500,
}

/** The register of a line. */
export const registerIn = ({ event: { registerId: id, createdAtMs, register } }: DirectoryEntry): Register => ({
  ...register,
  id,
  createdAtMs,
})
