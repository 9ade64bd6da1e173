import type { AuctionId, BidId } from '../ids.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver } from '../observer.ts'
import type { Store } from '../store.ts'
import { isStoreUnavailable } from '../store-unavailable.ts'
import { type Batch, dealOut, isSameEntry, recordStored, remaining, resolveBatch, type Way } from './batch.ts'
import type { Entry } from './entry.ts'
import { findReadableHeads } from './readable-heads.ts'

export type GroupWriter = {
  /** Takes a batch into the next append. Its `resolve` hears how far it got into the ledger. */
  append(batch: Batch): void
}

/** How many appends of auctions that other processes serve as well are under way at once. */
const sharedAppends = 3
/** How many appends of batches that go apart are under way at once. */
const appendsApart = 8

type Queue = {
  readonly batches: Batch[]
  readonly maxAppends: number
  /** In one append; any number if it is left out. */
  readonly maxBatches?: number
  appends: number
}

/**
 * Group commit, as databases do it for their logs: while one append is under way, the batches of all lanes gather, and the
 * next append takes them together. Nobody waits on a timer: the first batch that finds the writer idle goes at once.
 *
 * Auctions that other processes serve as well have appends of their own, which a conflict may stop, and what is likely to stop
 * an append has one to itself: so they hold up nobody.
 */
export function createGroupWriter(
  store: Pick<Store, 'append' | 'findEntries' | 'findHeads' | 'partitionOf'>,
  limits: Pick<Limits, 'maxEntriesPerAppend' | 'appendsPerPartition' | 'maxTries'>,
  observer?: SafeObserver,
): GroupWriter {
  const ways: Readonly<Record<Way, Queue>> = {
    alone: { batches: [], maxAppends: limits.appendsPerPartition, appends: 0 },
    shared: { batches: [], maxAppends: sharedAppends, appends: 0 },
    apart: { batches: [], maxAppends: appendsApart, maxBatches: 1, appends: 0 },
  }

  function append(batch: Batch): void {
    ways[batch.way].batches.push(batch)
    startAppends()
  }

  function startAppends(): void {
    for (const way of Object.values(ways)) {
      while (way.appends < way.maxAppends && way.batches.length > 0) {
        const group = takeGroup(way)
        if (group.length > 0) void write(group, way)
      }
    }
  }

  async function write(group: readonly Batch[], way: { appends: number }): Promise<void> {
    way.appends += 1
    try {
      await appendOnce(group)
    } catch (error) {
      // Nothing above is known to throw; a batch that nobody resolves would hold its lane for ever.
      for (const batch of group) resolveBatch(batch, { outcome: 'unknown', stored: batch.stored, error })
    }
    way.appends -= 1
    startAppends()
  }

  /** Takes batches from the front, as many as fit into one append. */
  function takeGroup({ batches, maxBatches }: Queue): readonly Batch[] {
    const group: Batch[] = []
    let taken = 0
    let entries = 0
    for (const batch of batches) {
      const more = batch.entries.length - batch.stored
      if (group.length > 0 && (group.length === maxBatches || entries + more > limits.maxEntriesPerAppend)) break
      taken += 1
      if (batch.isWithdrawn) resolveBatch(batch, { outcome: 'withdrawn', stored: batch.stored })
      else {
        group.push(batch)
        entries += more
      }
    }
    batches.splice(0, taken)
    return group
  }

  async function appendOnce(group: readonly Batch[]): Promise<void> {
    let stored: number
    for (const batch of group) batch.isSent = true
    const entries = allRemaining(group)
    const end = observer?.onAppend({ entries, auctions: group.length })
    try {
      ;({ stored } = await store.append(entries))
    } catch (error) {
      end?.({ outcome: 'failed', error })
      await settleFailure(group, error)
      return
    }
    end?.(stored === entries.length ? { outcome: 'stored' } : { outcome: 'conflict', stored })
    const incomplete = dealOut(group, stored)
    if (incomplete.length > 0) await settleConflict(incomplete)
  }

  /**
   * A key of the first batch's next entry is taken. Where nobody was known to share its auction, the heads of all batches are read
   * at once: those that have gone on belong to batches that can't be stored as they are, and end here. Else its own head is read
   * alone. The others go into the next append, before any later batch.
   */
  async function settleConflict(batches: readonly Batch[]): Promise<void> {
    const isUnexpected = batches[0]?.way === 'alone'
    const heads = new Map<AuctionId, Entry>()
    let own: ReadonlyMap<BidId, Entry>
    try {
      const looked = isUnexpected ? batches : batches.slice(0, 1)
      const found = await findReadableHeads(
        store,
        looked.map(({ auctionId }) => auctionId),
      )
      for (const head of found.heads) heads.set(head.auctionId, head)
      own = await ownAmongTaken(batches, heads)
      const [first] = batches
      const error = first && found.unreadable.get(first.auctionId)
      if (error !== undefined) throw error
    } catch (error) {
      // Those behind the first were not tried. The first is told as unknown: what took its key may be itself.
      const [first, ...behind] = batches
      if (first !== undefined) giveUp(first, error)
      appendFirst(behind)
      return
    }
    const goOn: Batch[] = []
    for (const [index, batch] of batches.entries()) {
      const found = recordOwn(batch, own)
      if (batch.isResolved) continue
      const head = heads.get(batch.auctionId)
      if (found === 0 && (index === 0 || hasReached(head, batch))) {
        resolveBatch(batch, { outcome: 'taken', stored: batch.stored, head })
        continue
      }
      // Others may have begun their turn there as well: together, one would stop the next append after the other.
      if (!isUnexpected) batch.way = 'apart'
      goOn.push(batch)
    }
    appendFirst(goOn)
  }

  /**
   * What is stored of the batches themselves. A taken key may be one's own doing: of an append that was thought lost, or that a
   * driver, a proxy or a router has sent twice.
   */
  async function ownAmongTaken(
    batches: readonly Batch[],
    heads: ReadonlyMap<AuctionId, Entry>,
  ): Promise<ReadonlyMap<BidId, Entry>> {
    const suspects = batches.filter((batch) => {
      const head = heads.get(batch.auctionId)
      const [next] = remaining(batch)
      // A head at the very place of the next entry tells by itself whose it is.
      return hasReached(head, batch) && (head?.sequence !== next?.sequence || head?.id === next?.id)
    })
    return findOwn(suspects)
  }

  /**
   * The append's answer is lost, or it failed: any prefix of the group may be stored, now or in a moment. What is not found is
   * sent again as it was, with the same keys, so that it is stored once even if the first append arrives after all. It is sent
   * batch by batch: if one of them is what the store fails on, it fails alone.
   */
  async function settleFailure(group: readonly Batch[], error: unknown): Promise<void> {
    for (const batch of group) batch.failures += 1
    let own: ReadonlyMap<BidId, Entry>
    try {
      own = await findOwn(group)
    } catch {
      own = new Map()
    }
    const isHopeless = group.length === 1 && !isStoreUnavailable(error)
    for (const batch of group) {
      recordOwn(batch, own)
      if (batch.isResolved) continue
      if (isHopeless || batch.failures >= limits.maxTries) giveUp(batch, error)
      else {
        observer?.onUnknownOutcome({ what: 'entries', settled: 'sent-again', count: countLeft(batch) })
        batch.way = 'apart'
        ways.apart.batches.push(batch)
      }
    }
  }

  /** What is stored of batches by the ids of their entries. All batches of a writer are of one partition. */
  async function findOwn(batches: readonly Batch[]): Promise<ReadonlyMap<BidId, Entry>> {
    const [first] = batches
    if (first === undefined) return new Map()
    const ids = allRemaining(batches).map(({ id }) => id)
    const found = await store.findEntries(ids, store.partitionOf(first.auctionId))
    return new Map(found.map((entry) => [entry.id, entry]))
  }

  /** Counts the entries of a batch that were found stored, from its next one on, and returns their number. */
  function recordOwn(batch: Batch, own: ReadonlyMap<BidId, Entry>): number {
    let found = 0
    for (const entry of remaining(batch)) {
      if (!isSameEntry(entry, own.get(entry.id))) break
      found += 1
    }
    if (found > 0) observer?.onUnknownOutcome({ what: 'entries', settled: 'found', count: found })
    recordStored(batch, found)
    return found
  }

  function giveUp(batch: Batch, error: unknown): void {
    observer?.onUnknownOutcome({ what: 'entries', settled: 'given-up', count: countLeft(batch) })
    resolveBatch(batch, { outcome: 'unknown', stored: batch.stored, error })
  }

  function appendFirst(batches: readonly Batch[]): void {
    for (const batch of batches.toReversed()) ways[batch.way].batches.unshift(batch)
  }

  return { append }
}

/** Whether an auction's ledger has an entry already where the batch's next one would be. */
function hasReached(head: Entry | undefined, batch: Batch): boolean {
  const [next] = remaining(batch)
  return head !== undefined && next !== undefined && head.sequence >= next.sequence
}

const countLeft = ({ entries, stored }: Batch): number => entries.length - stored

const allRemaining = (group: readonly Batch[]): readonly Entry[] => group.flatMap(remaining)
