import type { Clock } from '@auction/domain'
import { endOf } from '@auction/domain/auction'
import { findReadable, publicSequenceOf } from '@auction/domain/extension'
import type { AuctionId } from '@auction/domain/ids'
import { agendaStages, auctionPages, type Entry, type Store } from '@auction/domain/store'
import { textOf } from './checkpoint-keeper.ts'
import type { Checkpoint, CheckpointKey, Checkpoints } from './checkpoints.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import type { SafeDeliveryObserver } from './observer.ts'

/** Finds events that no process has delivered, such as after a crash. */
export type Walk = {
  /** Starts it, unless it runs. */
  start(): void
  /** Begins no other step. Resolves when the one in progress has ended. */
  stop(): Promise<void>
}

export type WalkParts = {
  readonly store: Pick<Store, 'listAuctions' | 'findAuctions' | 'findHeads' | 'updateAgenda'>
  readonly checkpoints: Checkpoints
  readonly clock: Clock
  /** The queues by the names of their subscribers. */
  readonly queues: ReadonlyMap<string, Pick<DeliveryQueue, 'add' | 'hasBacklog' | 'takeLeftOut'>>
  readonly observer: SafeDeliveryObserver
}

/** The time between walks, and the age from which an entry should be delivered: another process may be about to deliver a newer one. */
export const walkMs = 60_000
/** The part of the time that a walk without findings may take. So a walk along a million auctions takes minutes. */
const shareOfTime = 0.2
const shortestPauseMs = 1
/** The pause while the queues are full. */
const backlogMs = 1_000
const perPage = 100
/** A checkpoint is kept for this long after the end, because another process may be about to save the end, which creates a missing one. */
export const keepMs = 10 * walkMs
/** The time between walks along all open auctions: a checkpoint may have been lost in an outage of the store. */
export const wholeMs = 60 * walkMs
/** A new auction is visible to other processes after this time, even if their clocks differ. */
const visibleMs = 10 * walkMs

const allOpen = { order: 'agenda' } as const
const newestOpen = { order: 'newest', stages: agendaStages } as const

/**
 * Walks along the open auctions, for those without checkpoints, and along the checkpoints, for those that are before the last entry. Any
 * auction whose events are not completely delivered is on one of both lists. The first walk passes all open auctions, as does one an
 * hour; others pass the new ones. Checkpoints that are no longer needed are removed.
 */
export function createWalk(parts: WalkParts): Walk {
  const { clock, queues } = parts
  let cancelStep: (() => void) | undefined
  let isStopped = true
  let stepping = Promise.resolve()
  /** All at the start: what is not delivered then may be left from a crash. */
  let leastAgeMs = 0
  /** Auctions created before this time had checkpoints, or were added to all queues. Undefined if all may lack them. */
  let knownBeforeMs: number | undefined
  let isRestarted = false
  let startMs = clock.nowMs()
  let wholeAtMs = startMs
  let pages = walkOnce()

  /** Each step takes one page, and yields the number of auctions that it found. */
  async function* walkOnce(): AsyncGenerator<number> {
    startMs = clock.nowMs()
    isRestarted = false
    if (knownBeforeMs === undefined) wholeAtMs = startMs
    yield* walkOpen(parts, startMs - leastAgeMs, knownBeforeMs)
    yield* walkCheckpoints(parts, startMs - leastAgeMs)
  }

  function schedule(pauseMs: number): void {
    if (isStopped || cancelStep !== undefined) return
    cancelStep = clock.after(pauseMs, () => {
      cancelStep = undefined
      stepping = step()
    })
  }

  async function step(): Promise<void> {
    const all = [...queues.values()]
    if (all.some((queue) => queue.hasBacklog())) {
      schedule(backlogMs)
      return
    }
    const stepMs = clock.nowMs()
    const page = await pages.next().catch(() => undefined)
    if (page?.done === false) {
      const tookMs = clock.nowMs() - stepMs
      schedule(page.value > 0 ? 0 : Math.max(tookMs / shareOfTime - tookMs, shortestPauseMs))
      return
    }
    const isLeftOut = all.map((queue) => queue.takeLeftOut()).includes(true)
    // After a failure of the store, the next walk begins again.
    if (page !== undefined) leastAgeMs = walkMs
    if (isLeftOut || isRestarted || clock.nowMs() - wholeAtMs >= wholeMs) knownBeforeMs = undefined
    else if (page !== undefined) knownBeforeMs = startMs - visibleMs
    pages = walkOnce()
    schedule(isLeftOut ? backlogMs : walkMs)
  }

  return {
    start() {
      isStopped = false
      // A new queue has missed the steps and walks so far.
      isRestarted = true
      knownBeforeMs = undefined
      schedule(0)
    },
    stop() {
      isStopped = true
      cancelStep?.()
      cancelStep = undefined
      return stepping
    },
  }
}

/** Passes the open auctions; those created before `oldMs` should have checkpoints, and those before `knownBeforeMs` are left out. */
async function* walkOpen(
  { store, checkpoints, queues }: WalkParts,
  oldMs: number,
  knownBeforeMs: number | undefined,
): AsyncGenerator<number> {
  const list = knownBeforeMs === undefined ? allOpen : newestOpen
  const untilMs = knownBeforeMs ?? Number.NEGATIVE_INFINITY
  for await (const page of auctionPages(store, { ...list, limit: perPage })) {
    const ids = page.items.flatMap(({ auction: { id, createdAtMs } }) => (createdAtMs <= oldMs ? [id] : []))
    const known = new Set((await checkpoints.find(ids)).map(textOf))
    let found = 0
    for (const [name, queue] of queues) {
      for (const auctionId of ids) if (!known.has(textOf({ auctionId, name })) && add(queue, auctionId, 0)) found += 1
    }
    yield found
    if (page.next !== undefined && page.next.timeMs < untilMs) return
  }
}

async function* walkCheckpoints(
  { store, checkpoints, clock, queues, observer }: WalkParts,
  oldMs: number,
): AsyncGenerator<number> {
  let after: CheckpointKey | undefined
  for (;;) {
    const page: readonly Checkpoint[] = await checkpoints.list({ after, limit: perPage })
    const ids = [...new Set(page.map(({ auctionId }) => auctionId))]
    const heads = await findReadable(ids, (some) => store.findHeads(some), observer)
    const headOf = new Map(heads.map((head) => [head.auctionId, head]))
    let found = 0
    const finished: Checkpoint[] = []
    for (const checkpoint of page) {
      const queue = queues.get(checkpoint.name)
      const head = headOf.get(checkpoint.auctionId)
      if (head === undefined) continue
      const last = publicSequenceOf(head.state, head.sequence)
      if (checkpoint.sequence >= last) {
        if (head.state.phase === 'closed' && head.atMs <= clock.nowMs() - keepMs) finished.push(checkpoint)
      } else if (queue && head.atMs <= oldMs && add(queue, head.auctionId, last)) found += 1
    }
    if (finished.length > 0) await removeFinished({ store, checkpoints }, finished, headOf)
    yield found
    after = page.at(-1)
    if (page.length < perPage) return
  }
}

const add = (queue: Pick<DeliveryQueue, 'add'>, auctionId: AuctionId, last: number): boolean =>
  queue.add(auctionId, { first: undefined, last })

/** An auction on the agenda without a checkpoint would be new, so it leaves the agenda first. */
async function removeFinished(
  { store, checkpoints }: Pick<WalkParts, 'store' | 'checkpoints'>,
  finished: readonly Checkpoint[],
  headOf: ReadonlyMap<AuctionId, Entry>,
): Promise<void> {
  const found = await store.findAuctions({ ids: [...new Set(finished.map(({ auctionId }) => auctionId))] })
  const updates = found.flatMap(({ auction }) => {
    const state = headOf.get(auction.id)?.state
    return state?.phase === 'closed' ? [{ auctionId: auction.id, ...endOf(auction, state) }] : []
  })
  await store.updateAgenda(updates)
  await checkpoints.remove(finished)
}
