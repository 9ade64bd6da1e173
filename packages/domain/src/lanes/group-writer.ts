import { type Bid, isSameBid } from '../bid.ts'
import type { BidId } from '../ids.ts'
import type { Ledger } from '../ports/ledger.ts'
import { StoreUnavailableError } from '../ports/store-unavailable.ts'

/** One lane's bids on their way into the ledger, in order. */
type Batch = {
  readonly bids: readonly Bid[]
  stored: number
  failures: number
  readonly resolve: (written: Written) => void
}

/** How far a batch got into the ledger. */
type Written = {
  /** How many of its bids are stored, from the first on. */
  readonly stored: number
  /** Why the outcome of the others is unknown; without it, the key of the next one was taken, perhaps by itself. */
  readonly failure?: unknown
}

export type GroupWriter = { append(bids: readonly Bid[]): Promise<Written> }

export type GroupWriterLimits = {
  /** How many bids go into one append. A batch is never split for it, so an append may be larger by a batch. */
  readonly maxBidsPerAppend: number
  /** How often the store may fail to answer for a bid before its outcome is given up as unknown. */
  readonly maxFailures: number
}

/**
 * Group commit, as databases do it for their logs: while one append is under way, the bids of all lanes gather, and the
 * next append takes them together. Nobody waits on a timer: the first bid that finds the writer idle goes at once.
 *
 * `append` answers when all of the batch is stored, when a key of it was taken, or when the store could not be asked what
 * became of it.
 */
export function groupWriter(ledger: Pick<Ledger, 'append' | 'find'>, limits: GroupWriterLimits): GroupWriter {
  let gathered: Batch[] = []
  let writing = false

  function append(bids: readonly Bid[]): Promise<Written> {
    return new Promise((resolve) => {
      gathered.push({ bids, stored: 0, failures: 0, resolve })
      if (!writing) void write()
    })
  }

  async function write(): Promise<void> {
    writing = true
    while (gathered.length > 0) {
      const group = takeGroup()
      // What neither ended nor failed goes first into the next append, so that no batch is passed by a later one.
      const unfinished = await writeGroup(group)
      if (unfinished.length > 0) gathered = [...unfinished, ...gathered]
    }
    writing = false
  }

  function takeGroup(): readonly Batch[] {
    let batches = 0
    let bids = 0
    for (const batch of gathered) {
      if (bids >= limits.maxBidsPerAppend) break
      batches += 1
      bids += batch.bids.length
    }
    return gathered.splice(0, batches)
  }

  async function writeGroup(group: readonly Batch[]): Promise<readonly Batch[]> {
    const bids = allRemaining(group)
    let stored: number
    try {
      ;({ stored } = await ledger.append(bids))
    } catch (error) {
      return await settle(group, error)
    }
    const [stopped, ...behind] = advance(group, stored)
    // The key of its next bid is taken, which is its lane's business.
    stopped?.resolve({ stored: stopped.stored })
    return behind
  }

  // The answer is lost: any prefix of the group may be stored. What is not found is sent again as it was, with the same
  // keys, so that it is stored once even if the lost append arrives after all.
  async function settle(group: readonly Batch[], error: unknown): Promise<readonly Batch[]> {
    return (await look(group)).filter((batch) => !gaveUp(batch, error))
  }

  /** Looks for what is stored of each batch, and answers the batches that are not wholly stored. */
  async function look(batches: readonly Batch[]): Promise<readonly Batch[]> {
    let asking = batches
    while (asking.length > 0) {
      try {
        const found = await ledger.find(allRemaining(asking).map(({ id }) => id))
        const byId = new Map(found.map((bid) => [bid.id, bid]))
        return asking.filter((batch) => !endedAfter(batch, leadingStored(batch, byId)))
      } catch (error) {
        asking = asking.filter((batch) => !gaveUp(batch, error))
      }
    }
    return asking
  }

  function gaveUp(batch: Batch, error: unknown): boolean {
    batch.failures += 1
    if (error instanceof StoreUnavailableError && batch.failures < limits.maxFailures) return false
    batch.resolve({ stored: batch.stored, failure: error })
    return true
  }

  return { append }
}

const remaining = (batch: Batch): readonly Bid[] => (batch.stored === 0 ? batch.bids : batch.bids.slice(batch.stored))

function allRemaining(group: readonly Batch[]): readonly Bid[] {
  const bids: Bid[] = []
  for (const batch of group) bids.push(...remaining(batch))
  return bids
}

function leadingStored(batch: Batch, stored: ReadonlyMap<BidId, Bid>): number {
  const bids = remaining(batch)
  const firstMissing = bids.findIndex((bid) => !isSameBid(bid, stored.get(bid.id)))
  return firstMissing === -1 ? bids.length : firstMissing
}

/** Counts bids as stored, and tells whether that was the whole batch. */
function endedAfter(batch: Batch, stored: number): boolean {
  batch.stored += stored
  if (batch.stored < batch.bids.length) return false
  batch.resolve({ stored: batch.stored })
  return true
}

/** Deals a stored prefix out to the group's batches, and answers those that it does not end. */
function advance(group: readonly Batch[], storedInAll: number): readonly Batch[] {
  let stored = storedInAll
  return group.filter((batch) => {
    const mine = Math.min(stored, batch.bids.length - batch.stored)
    stored -= mine
    return !endedAfter(batch, mine)
  })
}
