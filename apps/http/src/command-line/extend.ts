import { createHash } from 'node:crypto'
import { systemClock } from '@auction/adapters/system'
import { type AuctionService, createAuctionService, type ExtendAuctionRefusal } from '@auction/domain'
import {
  type AuctionState,
  decide,
  endOf,
  initialStateOf,
  type ListedAuction,
  termsOf,
  viewOf,
} from '@auction/domain/auction'
import { findReadable, inGroups } from '@auction/domain/extension'
import { type AuctionId, toAuctionId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { parseExtension } from '@auction/domain/parsing'
import { type RetryKey, requestKeyOf } from '@auction/domain/request-key'
import { accepted, type Result, refused, unwrap } from '@auction/domain/result'
import {
  type AuctionPosition,
  type AuctionQuery,
  auctionPages,
  type Entry,
  type ListedItem,
  type Store,
} from '@auction/domain/store'
import { readConfiguration } from '../configuration/read-configuration.ts'
import { fail, messageOf, print } from '../process/terminal.ts'
import { secondsOf } from './durations.ts'
import { windowIn } from './ending-window.ts'
import { type Interruption, interruptible } from './interruption.ts'
import { withStore } from './with-store.ts'

type Options = {
  readonly ending?: string | undefined
  readonly zone?: string | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly reason?: string | undefined
  readonly editor?: string | undefined
}

/** What to do, once per auction. */
type Order = {
  readonly byMs: number
  /** The auctions that were to end in this time, with both ends. */
  readonly fromMs: number
  readonly toMs: number
  readonly reason: string
  readonly editor: string
  readonly isDryRun: boolean
}

/**
 * Extends all auctions that were to end in a time and have no result yet, and prints what it did. The same command
 * extends each auction once, so it can be sent again after an interruption. A server may run meanwhile.
 */
export async function extend(text: string, options: Options): Promise<void> {
  const reading = readConfiguration(process.env)
  if (!reading.ok) return fail(...reading.faults, ...reading.warnings)
  const order = orderIn(text, options)
  if (!order.ok) return fail(...order.refusal)
  const { store, limits } = reading.configuration
  const interruption = interruptible()
  await withStore('--extend', store, async (opened) => {
    const service = createAuctionService({ store: opened, clock: systemClock, limits })
    const run: Run = { store: opened, service, order: order.value, outcomes: new Map() }
    try {
      await extendAll(run, interruption)
      printSummary(run)
    } catch (error) {
      fail(messageOf(error), 'to continue, run the same command again')
    }
    await service.close()
  })
}

const mostSeconds = 30 * 86_400

function orderIn(text: string, options: Options): Result<Order, readonly string[]> {
  const { ending = '', zone, reason, editor = 'operator', 'dry-run': isDryRun = false } = options
  const faults: string[] = []
  const seconds = secondsOf(text)
  if (seconds === undefined || seconds > mostSeconds) {
    faults.push('--extend: must be a number followed by s, m, h or d, such as 15m, up to 30d')
  }
  const window = windowIn(ending, zone)
  if (!window.ok) faults.push(window.refusal)
  // The rules of the reason do not depend on the end.
  const parsed = parseExtension({ endTime: '2030-01-31T12:00:00Z', reason })
  if (!parsed.ok) faults.push(...parsed.refusal.errors.map(({ message }) => `--reason: ${message}`))
  if (!/^.{1,100}$/su.test(editor)) faults.push('--editor: must have 1 to 100 characters')
  if (faults.length > 0 || seconds === undefined || !window.ok || reason === undefined) return refused(faults)
  return accepted({ byMs: seconds * 1000, ...window.value, reason, editor, isDryRun })
}

type Outcome = 'extended' | 'would be extended' | 'already extended' | 'ended by staff' | 'too late' | 'failed'

type Run = {
  readonly store: Store
  readonly service: Pick<AuctionService, 'extendAuction'>
  readonly order: Order
  /** The outcomes of auctions: one whose end moves may be listed again. */
  readonly outcomes: Map<AuctionId, Outcome>
}

const auctionsPerPage = 100
/** The number of auctions extended at once. Bids share appends with them, and must not wait long. */
const auctionsAtOnce = 10

async function extendAll(run: Run, interruption: Interruption): Promise<void> {
  const { fromMs, toMs, byMs } = run.order
  const throughMs = toMs + byMs
  // The agenda has each auction at its end or earlier, and also those that an earlier run has extended.
  for await (const items of itemsIn(run, { order: 'agenda', dueByMs: throughMs })) {
    for (const some of inGroups(items, auctionsAtOnce)) {
      if (interruption.isRequested) throw new Error('interrupted')
      const candidates = await readCandidates(run, some)
      await Promise.all(candidates.map((candidate) => extendOne(run, candidate)))
    }
  }
  const after: AuctionPosition = { order: 'ended', timeMs: throughMs + 1, id: toAuctionId(1) }
  for await (const items of itemsIn(run, { order: 'ended', stages: ['sold', 'unsold'], after })) {
    for (const candidate of await readCandidates(run, items)) reportEnded(run, candidate)
    if (items.some(({ position }) => position.timeMs < fromMs)) return
  }
}

async function* itemsIn({ store }: Run, query: Omit<AuctionQuery, 'limit'>): AsyncGenerator<readonly ListedItem[]> {
  for await (const { items, unreadable = [] } of auctionPages(store, { ...query, limit: auctionsPerPage })) {
    for (const error of unreadable) fail(error.message)
    yield items
  }
}

type Listed = { readonly auction: ListedAuction }

/** An auction with its state, and the entry in which an earlier run extended it, if any. */
type Candidate = Listed & { readonly state: AuctionState; readonly earlier: Entry | undefined }

/** Reads the auctions that have no outcome yet. */
async function readCandidates(run: Run, listed: readonly Listed[]): Promise<readonly Candidate[]> {
  const { store, outcomes } = run
  const left = listed.filter(({ auction }) => !outcomes.has(auction.id))
  if (left.length === 0) return []
  const read = async (some: readonly Listed[]) => {
    const auctionIds = some.map(({ auction }) => auction.id)
    const [heads, made] = await Promise.all([
      store.findHeads(auctionIds),
      store.findEntriesByKey(
        auctionIds.map((id) => requestKeyOf('extend-auction', keyOf(run.order, id))),
        { auctionIds },
      ),
    ])
    const [headOf, earlierOf] = [heads, made].map((found) => new Map(found.map((entry) => [entry.auctionId, entry])))
    return some.map(({ auction }) => ({
      auction,
      state: headOf?.get(auction.id)?.state ?? initialStateOf(auction),
      earlier: earlierOf?.get(auction.id),
    }))
  }
  return findReadable(left, read, { onUnreadable: ({ message }) => fail(message) })
}

/** The same for each run of an order, which therefore takes effect once. */
const keyOf = ({ fromMs, toMs, byMs, reason }: Order, auctionId: AuctionId): RetryKey => ({
  caller: 'start --extend',
  key: createHash('sha256')
    .update(JSON.stringify([auctionId, fromMs, toMs, byMs, reason]))
    .digest('hex'),
})

const maxTries = 3

async function extendOne(run: Run, candidate: Candidate, tries = 1): Promise<void> {
  const { auction, state, earlier } = candidate
  const { fromMs, toMs, byMs, reason, editor, isDryRun } = run.order
  const { id } = auction
  if (earlier !== undefined) return reportEarlier(run, id, earlier)
  const { effectiveEndTime, result } = viewOf(auction, state, systemClock.nowMs())
  const { epochMs: endMs } = effectiveEndTime
  if (result !== undefined || endMs < fromMs || endMs > toMs) return
  if (state.repairs?.isEndedEarly === true) return report(run, id, 'ended by staff', 'so it is not extended')
  const extension = unwrap(parseExtension({ endTime: isoOf(endMs + byMs), reason }))
  if (isDryRun) {
    const command = { type: 'extend', endMs: extension.endTime.epochMs, reason, editor } as const
    const decided = decide(termsOf(auction), state, command, Math.max(systemClock.nowMs(), state.atMs))
    if (!decided.ok) return reportRefused(run, id, decided.refusal)
    return report(run, id, 'would be extended', `from ${isoOf(endMs)} to ${extension.endTime.iso}`)
  }
  const extended = await run.service.extendAuction({ auctionId: id, extension, editor }, keyOf(run.order, id))
  if (extended.ok) {
    // Another run may have been faster.
    const outcome = extended.isRepeated ? 'already extended' : 'extended'
    return report(run, id, outcome, `from ${isoOf(endMs)} to ${extended.value.effectiveEndTime.iso}`)
  }
  const { refusal } = extended
  // A bid or another run may have moved the end since it was read.
  const isOutdated = refusal.code === 'validation-failed' || refusal.code === 'idempotency-key-reused'
  const [again] = isOutdated && tries < maxTries ? await readCandidates(run, [{ auction }]) : []
  if (again !== undefined) return extendOne(run, again, tries + 1)
  reportRefused(run, id, refusal)
}

function reportRefused(run: Run, id: AuctionId, refusal: ExtendAuctionRefusal): void {
  const why =
    'errors' in refusal ? refusal.errors.map(({ message }) => `the new end ${message}`).join('; ') : refusal.code
  if (refusal.code === 'auction-ended') report(run, id, 'too late', 'its result is recorded')
  else report(run, id, 'failed', why)
}

/** Reports an auction that has its result. */
function reportEnded(run: Run, { auction, state, earlier }: Candidate): void {
  const { fromMs, toMs } = run.order
  const endedMs = state.phase === 'closed' ? endOf(termsOf(auction), state).endedMs : Number.NaN
  if (earlier !== undefined) reportEarlier(run, auction.id, earlier)
  else if (fromMs <= endedMs && endedMs <= toMs) report(run, auction.id, 'too late', 'its result is recorded')
}

function reportEarlier(run: Run, id: AuctionId, { event }: Entry): void {
  if (event.type !== 'extended') return
  report(run, id, 'already extended', `from ${isoOf(event.previousEndMs)} to ${isoOf(event.endMs)}`)
}

function report({ outcomes }: Run, id: AuctionId, outcome: Outcome, how: string): void {
  outcomes.set(id, outcome)
  print(`Auction ${id}: ${outcome}, ${how}`)
}

function printSummary({ outcomes, order }: Run): void {
  const counts = Map.groupBy(outcomes.values(), (outcome) => outcome)
  const summary = [...counts].map(([outcome, all]) => `${all.length} ${outcome}`).join(', ')
  print(summary === '' ? 'No auction was to end in this time.' : `Auctions: ${summary}`)
  if (counts.has('too late') || counts.has('failed'))
    fail(order.isDryRun ? 'not all auctions can be extended' : 'not all auctions were extended')
}
