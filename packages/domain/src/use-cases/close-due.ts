import { type Terms, termsOf } from '../auction/auction.ts'
import type { AuctionLanes } from '../auction/auction-ledger.ts'
import { formatOf } from '../auction/formats/formats.ts'
import type { CloseRefusal } from '../auction/life-refusals.ts'
import { endOf } from '../auction/status.ts'
import { type Clock, pause } from '../clock.ts'
import type { Limits } from '../limits.ts'
import type { Backlog, SafeObserver } from '../observer.ts'
import { isKeyMissing, type Sealer } from '../sealer.ts'
import { unreadableCauseOf } from '../store/errors.ts'
import {
  type AgendaUpdate,
  type AuctionPage,
  type AuctionPosition,
  type AuctionQuery,
  auctionPages,
  type ListedItem,
  type Store,
} from '../store/store.ts'
import { inGroups } from '../values/groups.ts'
import { type AuctionId, toAuctionId } from '../values/ids.ts'
import type { UpdateAgenda } from './agenda.ts'
import { closingOf, keyMissing, missingKeyOf } from './close-command.ts'

export type ClosingReport = {
  /** The number of auctions that this call closed. */
  readonly closed: number
  /** The number of due auctions that could not be closed; the next call retries them. */
  readonly left: number
}

/**
 * Records the end of every auction that is due on the agenda of the store, and there the start of those that have
 * started. A host calls it repeatedly, for example once a second. Any number of hosts may do so at the same time.
 */
export type CloseDue = () => Promise<ClosingReport>

type Closer = {
  readonly closeDue: CloseDue
  readonly backlog: () => Pick<Backlog, 'closingsDue' | 'longestDueMs'>
}

type CloserParts = {
  readonly store: Pick<Store, 'listAuctions' | 'findHeads' | 'listEntries'>
  readonly clock: Clock
  readonly limits: Pick<Limits, 'clockSkewMs'>
  readonly lanes: Pick<AuctionLanes, 'submitWith'>
  readonly updateAgenda: UpdateAgenda
  readonly observer?: SafeObserver | undefined
  /** Opens the bids from which the result of some formats follows. */
  readonly sealer: Sealer
}

const auctionsPerPage = 1_000
/** The maximum number of pages that are read before their auctions are closed. */
const pagesAtOnce = 10
/** The number of auctions closed at once. Bids share appends with their entries, and must not wait long for them. */
const auctionsAtOnce = 100
/** The number of auctions whose bids are tallied at once: each takes memory for all of its bidders. */
const talliesAtOnce = 4
/** If more auctions cannot be closed, the others wait: the whole store has a problem. */
const maxFailed = 2_000
/** The time until an unreadable auction is read again. */
const readAgainMs = 60_000
/**
 * The part of the time that looks at the whole agenda may take. They can be slow: during a backup, PostgreSQL keeps the
 * index entries of all auctions that leave the agenda, and a look passes them. Looks between them begin at what was not
 * done.
 */
const shareOfTime = 0.002
/** The maximum time between these looks: only they find auctions that were late on the agenda. */
const longestPauseMs = 60_000
/** An auction is on the agenda this long after its end at the latest, unless its process was about to crash. */
const lateMs = 60_000
/**
 * The number of auctions without their key that a process remembers, which takes less than 1 MB. Further ones are not
 * reported. They are still left out if they are due at the end in their terms; otherwise, each look reads their heads.
 */
const maxKeyless = 10_000
const firstId = toAuctionId(1)

type DueQuery = Pick<AuctionQuery, 'dueByMs'> & { readonly order: 'agenda' }

/** Due auctions, and the position before them. */
type Group = Pick<AuctionPage, 'items'> & { readonly after: AuctionPosition | undefined }

type Count = Record<Settled['as'], number>

/**
 * The result for an auction that may be due: this call closed it, it was settled before, it failed to close, or it
 * waits for a process with its key.
 */
type Settled = {
  readonly as: 'closed' | 'settled' | 'failed' | 'keyless'
  /** Resolves when the agenda is updated. */
  readonly updated?: Promise<void>
}

/**
 * Follows the agenda: a due auction is opened or closed, or the agenda is corrected by its ledger. Each process closes
 * groups of auctions in a different order, and skips those that others have closed, so that several processes share the
 * work without knowing of each other.
 */
export function createCloser(parts: CloserParts): Closer {
  const { store, clock, limits, lanes, updateAgenda, observer } = parts
  const { clockSkewMs } = limits
  let inFlight: Promise<ClosingReport> | undefined
  /** The ends of auctions that are known to be due. Only looks at the whole agenda find all that lack their key. */
  const due = new Map<AuctionId, number>()
  const keyless = createKeyless(parts)

  /** All auctions that were due at this time are closed, or lack their key; undefined if others may be left. */
  let doneByMs: number | undefined
  let wholeLook = { atMs: 0, tookMs: 0 }

  /** The position after which the next look begins; undefined if it is a look at the whole agenda. */
  function startOfLook(nowMs: number): AuctionPosition | undefined {
    const pauseMs = Math.min(wholeLook.tookMs / shareOfTime, longestPauseMs)
    if (doneByMs === undefined || nowMs < wholeLook.atMs || nowMs - wholeLook.atMs >= pauseMs) return undefined
    return { order: 'agenda', timeMs: doneByMs - lateMs, id: firstId }
  }

  async function closeAllDue(): Promise<ClosingReport> {
    const nowMs = clock.nowMs()
    const query = { order: 'agenda', dueByMs: nowMs - clockSkewMs } as const
    const count: Count = { closed: 0, settled: 0, failed: 0, keyless: 0 }
    let after = startOfLook(nowMs)
    let isWholeStart = after === undefined
    doneByMs = undefined
    do {
      const { items, next } = await listDue({ store, observer }, query, after)
      if (isWholeStart) wholeLook = { atMs: nowMs, tookMs: clock.nowMs() - nowMs }
      if (isWholeStart) due.clear()
      isWholeStart = false
      for (const { auction, position } of items) due.set(auction.id, position.timeMs)
      await closeInGroups(query, groupsOf(keyless.without(items), after), count)
      after = next
    } while (after !== undefined && count.failed <= maxFailed)
    if (count.failed === 0) doneByMs = query.dueByMs
    return { closed: count.closed, left: due.size }
  }

  /** The agenda is read again before each group but the first, because it takes a while until a group has its turn. */
  async function closeInGroups(query: DueQuery, groups: readonly Group[], count: Count): Promise<void> {
    const updates: (Promise<void> | undefined)[] = []
    for (const [index, group] of shuffled(groups, clock.nowMs()).entries()) {
      // Other work that is ready would not run otherwise, if the store responds immediately.
      if (index > 0) await pause(clock, 0)
      if (index > 0 && (await isDone({ store }, query, group))) {
        for (const { auction } of group.items) due.delete(auction.id)
        continue
      }
      for (const auctions of atOnce(group.items)) {
        const settled = await Promise.all(auctions.map(({ auction }) => settleDue(termsOf(auction))))
        for (const { as } of settled) count[as] += 1
        updates.push(...settled.map(({ updated }) => updated))
      }
      if (count.failed > maxFailed) break
    }
    await Promise.all(updates)
  }

  async function settleDue(auction: Terms): Promise<Settled> {
    const settled = await settle(auction)
    if (settled.as === 'closed' || settled.as === 'settled') due.delete(auction.id)
    return settled
  }

  /** Closes an auction that may be due, or corrects the agenda by its ledger. After a store failure, it stays due. */
  async function settle(auction: Terms): Promise<Settled> {
    const { id: auctionId } = auction
    const settleAt = (update: AgendaUpdate): Settled => ({ as: 'settled', updated: updateAgenda(update) })
    try {
      const result = await lanes.submitWith(auction, ...(await closingOf(parts, auction, clockSkewMs)))
      if (result.ok && result.value.state.phase === 'closed') {
        const end = endOf(auction, result.value.state)
        observer?.onClosed({ auctionId, lateMs: clock.nowMs() - end.endedMs - clockSkewMs })
        return { as: 'closed', updated: updateAgenda({ auctionId, ...end }) }
      }
      const refusal = result.ok ? undefined : result.refusal
      // It has started, or a bid, a correction or a repair has moved its start or its end.
      if (refusal?.code === 'not-due') return settleAt({ auctionId, ...positionOf(refusal) })
      if (refusal?.code !== 'already-closed') return { as: 'failed' }
      return settleAt({ auctionId, endedMs: refusal.endedMs, outcome: refusal.outcome })
    } catch (error) {
      if (isKeyMissing(error) && keyless.note(auction, due.get(auctionId))) return { as: 'keyless' }
      const unreadable = unreadableCauseOf(error)
      if (unreadable === undefined) return { as: 'failed' }
      observer?.onUnreadable(unreadable)
      // An unreadable auction need not be read every second.
      return settleAt({ auctionId, dueMs: clock.nowMs() + readAgainMs })
    }
  }

  return {
    async closeDue() {
      inFlight ??= closeAllDue().finally(() => {
        inFlight = undefined
      })
      return inFlight
    },
    backlog: () => backlogOf([...due.values()], clock.nowMs() - clockSkewMs),
  }
}

function backlogOf(ends: readonly number[], dueByMs: number): ReturnType<Closer['backlog']> {
  const firstMs = ends.reduce((first, endMs) => Math.min(first, endMs), dueByMs)
  return { closingsDue: ends.length, longestDueMs: dueByMs - firstMs }
}

/**
 * Finds due auctions whose key this process lacks, and reports each once. They wait for another process, or for a
 * restart with the key, and must not delay others: a look leaves them out, and they are no failures.
 */
function createKeyless({ sealer, observer }: Pick<CloserParts, 'sealer' | 'observer'>) {
  /** When they were due. */
  const noted = new Map<AuctionId, number>()

  /** Notes an auction that is due, if this process lacks its key. @returns whether it does */
  function note(auction: Terms, dueMs = 0): boolean {
    const key = missingKeyOf(sealer, auction)
    if (key === undefined) return false
    const isNew = !noted.has(auction.id)
    if (isNew && noted.size === maxKeyless) return true
    noted.set(auction.id, dueMs)
    if (isNew) observer?.onBidsUnopened({ auctionId: auction.id, error: keyMissing(key) })
    return true
  }

  /**
   * The terms show that an auction is due if its time on the agenda is their end. At another time, it may start, and its
   * ledger is read once. An auction whose start was moved to that end waits as well: it accepts no bids here.
   */
  function isKeyless({ auction, position: { timeMs } }: ListedItem): boolean {
    if (noted.get(auction.id) === timeMs) return missingKeyOf(sealer, auction) !== undefined
    return timeMs === auction.endTime.epochMs && note(auction, timeMs)
  }

  return { note, without: (items: readonly ListedItem[]) => items.filter((item) => !isKeyless(item)) }
}

const positionOf = ({ startTime, endTime, changeCount }: Extract<CloseRefusal, { readonly code: 'not-due' }>) =>
  startTime === undefined
    ? { dueMs: endTime.epochMs, changeCount }
    : { dueMs: startTime.epochMs, isPending: true, changeCount }

/** The auctions of a group in the order of their closing: those that need no tally come first. */
function atOnce(items: readonly ListedItem[]): readonly (readonly ListedItem[])[] {
  const isTallied = ({ auction }: ListedItem) => formatOf(auction).createTally !== undefined
  const others = items.filter((item) => !isTallied(item))
  return [others, ...inGroups(items.filter(isTallied), talliesAtOnce)]
}

/** Reads some pages of the agenda. */
async function listDue(
  { store, observer }: Pick<CloserParts, 'store' | 'observer'>,
  query: DueQuery,
  start: AuctionPosition | undefined,
): Promise<AuctionPage> {
  const items: ListedItem[] = []
  let next = start
  let pages = 0
  for await (const page of auctionPages(store, { ...query, limit: auctionsPerPage, after: start })) {
    for (const error of page.unreadable ?? []) observer?.onUnreadable(error)
    items.push(...page.items)
    next = page.next
    pages += 1
    if (pages === pagesAtOnce) break
  }
  return { items, next }
}

/** Whether no auction of a group is left on the agenda. If the store does not say, closing them fails as well. */
async function isDone(
  { store }: Pick<CloserParts, 'store'>,
  query: DueQuery,
  { items, after }: Group,
): Promise<boolean> {
  const page = await store.listAuctions({ ...query, limit: 1, after }).catch(() => undefined)
  const [first, last] = [page?.items[0]?.position, items.at(-1)?.position]
  if (first === undefined || last === undefined) return page !== undefined && page.next === undefined
  return first.timeMs > last.timeMs || (first.timeMs === last.timeMs && first.id > last.id)
}

const groupsOf = (due: readonly ListedItem[], start: AuctionPosition | undefined): readonly Group[] =>
  inGroups(due, auctionsAtOnce).map((items, index, all) => {
    return { items, after: all[index - 1]?.at(-1)?.position ?? start }
  })

/** An order that depends on the seed. */
function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const keyed = items.map((item, index) => ({ item, key: hashOf(index + 1, seed) }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}

/** The last step of MurmurHash3, which mixes all bits. */
function hashOf(index: number, seed: number): number {
  let hash = Math.imul(index, 0x9e37_79b1) ^ seed
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
