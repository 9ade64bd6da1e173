import type { Clock } from '@auction/domain'
import type { AuctionId } from '@auction/domain/ids'
import { spread } from './attempts.ts'
import type { CheckpointKeeper } from './checkpoint-keeper.ts'
import type { EventReader } from './read-events.ts'
import type { SubscribedEvent } from './subscriber.ts'

/** Events to deliver: those of entries that this process stored, or without `first` all up to the head, which is not before `last`. */
export type EventRange = { readonly first: number | undefined; readonly last: number }

/** The position of a subscriber in the events of an auction. It alone reads and moves the checkpoint of both. */
export type Cursor = {
  /** Adds events to deliver. False if the cursor has finished, so that a new one is necessary. */
  add(range: EventRange): boolean
  /** Returns the next wanted event, the same one until it is passed, or why the caller must wait. */
  next(): Promise<Next>
  /** Moves to an event that was delivered or given up. */
  pass(event: SubscribedEvent): void
  /** Others may deliver the event before its next attempt, so the checkpoint is read again. */
  forget(): void
}

type Next =
  | { readonly type: 'event'; readonly event: SubscribedEvent }
  /** More events follow, after a pause in milliseconds. */
  | { readonly type: 'pause'; readonly pauseMs: number }
  /** All events are delivered, or the auction does not exist. */
  | { readonly type: 'finished' }

export type CursorParts = {
  /** The name of the subscriber. */
  readonly name: string
  readonly isWanted: (event: SubscribedEvent) => boolean
  readonly clock: Pick<Clock, 'nowMs'>
  readonly keeper: Pick<CheckpointKeeper, 'read' | 'note' | 'noteShared'>
  readonly readEvents: EventReader
  /** Whether all deliveries to the subscriber fail. */
  readonly isOut: () => boolean
}

/** After this time in the queue, others may have delivered events. */
const waitMs = 500
/** The pause if a read does not show a stored entry, as the store must. */
const missingMs = 5_000

/**
 * The process that stored an entry delivers it, and others wait for its checkpoint: for as long as most subscribers take, which
 * bounds the delay if that process has crashed. Own events that are older wait no longer.
 */
const graceMs = 500
const shortestLookMs = 5
const longestLookMs = 20
/**
 * Events of this age are delivered late, as after an outage of the subscriber, when all processes have the same ones to deliver. Each
 * waits for up to `graceMs` before it begins with an auction, and leaves it to another one whose checkpoint moves meanwhile.
 */
const lateMs = 2_000
const lateLookMs = 100
/** The number of ranges of an auction. In an outage of the subscriber, servers may store entries alternately for hours. */
const maxRanges = 50

/** A range, and when its first event was noticed. */
type Noticed = EventRange & { readonly sinceMs: number }

/** While late events are delivered: the last known position, and until when others may move it. */
type Late = { readonly position: number; readonly untilMs: number }

/** Events after a position up to another one. */
type Page = { readonly events: readonly SubscribedEvent[]; readonly from: number; readonly end: number }

export function createCursor(
  auctionId: AuctionId,
  range: EventRange,
  { name, isWanted, clock, keeper, readEvents, isOut }: CursorParts,
): Cursor {
  const freshUntilMs = clock.nowMs() + waitMs
  let ranges: readonly Noticed[] = [{ ...range, sinceMs: clock.nowMs() }]
  let lookMs = shortestLookMs
  let mustRead = false
  let position: number | undefined
  let page: Page | undefined
  let late: Late | undefined

  /** The first range that is not delivered. Without one, the cursor has finished. */
  function currentRange(): Noticed | undefined {
    ranges = ranges.filter(({ last }) => last > (position ?? -1))
    return ranges[0]
  }

  async function readPosition({ first }: EventRange): Promise<number> {
    if (position !== undefined && !isBefore(position, first)) return position
    const isRead = first === undefined || mustRead || clock.nowMs() >= freshUntilMs
    const read = await keeper.read({ auctionId, name }, isRead ? Number.POSITIVE_INFINITY : first - 1)
    position = Math.max(position ?? -1, read)
    return position
  }

  /** The pause before a range, in which others should deliver the events before it; 0 if all are delivered, or their time is over. */
  function pauseBefore({ first, sinceMs }: Noticed, from: number): number {
    const isOthersTurn = isBefore(from, first)
    if (isOthersTurn) keeper.noteShared()
    const pauseMs = isOthersTurn && clock.nowMs() - sinceMs < graceMs ? lookMs : 0
    lookMs = pauseMs > 0 ? Math.min(2 * lookMs, longestLookMs) : shortestLookMs
    return pauseMs
  }

  /** Reads the position again, which others may move. Returns the pause before late events; 0 if others do not deliver them. */
  async function pauseForOthers(from: number): Promise<number> {
    const saved = await keeper.read({ auctionId, name }, Number.POSITIVE_INFINITY)
    position = Math.max(position ?? -1, saved)
    late = lateAt(saved, late, auctionId, clock.nowMs())
    if (clock.nowMs() < late.untilMs) return lateLookMs
    return position === from ? 0 : shortestLookMs
  }

  /** Opens the next page, or returns the pause before that; undefined if no event is left. */
  async function openPage(): Promise<Page | number | undefined> {
    const added = currentRange()
    const from = added && (await readPosition(added))
    const current = currentRange()
    if (from === undefined || current === undefined) return undefined
    const pauseMs = pauseBefore(current, from)
    if (pauseMs > 0) return pauseMs
    const read = await readEvents(auctionId, from, throughOf(current))
    if (read === undefined) return undefined
    const latePauseMs = isLate(read.items, clock.nowMs()) && !isOut() ? await pauseForOthers(from) : 0
    if (latePauseMs > 0) return latePauseMs
    const end = current.first === undefined ? read.position : Math.min(read.position, current.last)
    if (current.first === undefined && !read.isAtHead) ranges = withRange(ranges, { ...current, last: end + 1 })
    return { events: read.items.filter((event) => event.sequence <= end && isWanted(event)), from, end }
  }

  function moveTo(sequence: number): void {
    position = sequence
    if (late !== undefined) late = { position: sequence, untilMs: late.untilMs }
    keeper.note({ auctionId, name, sequence })
  }

  return {
    add(added) {
      if (ranges.length === 0) return false
      ranges = withRange(ranges, { ...added, sinceMs: clock.nowMs() })
      return true
    },
    async next() {
      const opened = page ?? (await openPage())
      if (opened === undefined) ranges = []
      if (opened === undefined) return { type: 'finished' }
      if (typeof opened === 'number') return { type: 'pause', pauseMs: opened }
      page = opened
      const { from, end } = opened
      const event = opened.events.find(({ sequence }) => sequence > (position ?? from))
      if (event !== undefined) return { type: 'event', event }
      page = undefined
      // The last entries of a page need not have events.
      if (position !== end) moveTo(end)
      if (currentRange() === undefined) return { type: 'finished' }
      return { type: 'pause', pauseMs: end > from ? 0 : missingMs }
    },
    pass: ({ sequence }) => moveTo(sequence),
    forget() {
      position = undefined
      page = undefined
      late = undefined
      mustRead = true
    },
  }
}

/** The last entry whose event is needed: without `first`, that is any up to the head. */
const throughOf = ({ first, last }: EventRange): number | undefined => (first === undefined ? undefined : last)

const isLate = ([oldest]: readonly SubscribedEvent[], nowMs: number): boolean =>
  oldest !== undefined && nowMs - oldest.atMs >= lateMs

/** The state after a look at the position. It differs between processes, because they begin at different times. */
function lateAt(position: number, before: Late | undefined, auctionId: AuctionId, nowMs: number): Late {
  if (before === undefined) return { position, untilMs: nowMs + spread(auctionId + nowMs) * graceMs }
  return position > before.position ? { position, untilMs: nowMs + graceMs } : before
}

/** Whether events between the position and a range are not delivered, which other processes have stored. */
const isBefore = (position: number, first: number | undefined): boolean => first !== undefined && position < first - 1

/**
 * Adjacent ranges become one, and one without `first` covers all before it. Behind too many ranges, the last one also takes the events of
 * others before the new one: both may deliver them.
 */
function withRange(ranges: readonly Noticed[], { first, last, sinceMs }: Noticed): readonly Noticed[] {
  if (first === undefined) return [{ first, last: Math.max(last, ...ranges.map((range) => range.last)), sinceMs }]
  const before = ranges.at(-1)
  const isApart = before !== undefined && first > before.last + 1
  if (before === undefined || (isApart && ranges.length < maxRanges)) return [...ranges, { first, last, sinceMs }]
  return [...ranges.slice(0, -1), { ...before, last: Math.max(before.last, last) }]
}
