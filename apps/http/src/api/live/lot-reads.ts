import { type CurrentView, maxPageSize } from '@auction/domain'
import type { ListedAuction } from '@auction/domain/auction'
import { pause } from '@auction/domain/extension'
import type { AuctionId, SaleId } from '@auction/domain/ids'
import { accepted, type Result, refused } from '@auction/domain/result'
import { takeTurn } from '@auction/host/streams'
import type { Refusal } from '../responses/refusals.ts'
import type { FeedParts } from './feed-parts.ts'
import { createFollowedAuctions } from './followed-auctions.ts'
import type { SaleLines } from './sale-lines.ts'

/** The shortest time between two reads, and so between two states of a lot. */
const pauseMs = 250
/** The longest time until lots that a sale lists and that are not stored are read again. */
const longestRetryMs = 5_000
/** The clock may jump. */
const longestWaitMs = 60_000

/**
 * Reads the lots of a sale into their lines: all of them, and then those that have changed, at most four times a
 * second.
 * @param onRead called after each read, whose successor waits for it
 */
export function createLotReads(saleId: SaleId, parts: FeedParts, lines: SaleLines, onRead: () => Promise<void>) {
  const { service, clock } = parts
  const due = createDueReads(saleId, service, lines, () => void refresh())
  // No refresh begins until the first read is complete.
  let isReading = true
  let isClosed = false
  let retryMs = pauseMs
  let lotCount = 0
  let cancelWait: (() => void) | undefined

  /** Reads until nothing is due, even after failures. */
  async function refresh(): Promise<void> {
    if (isReading) return
    isReading = true
    cancelWait?.()
    while (!isClosed && due.hasDue()) {
      await due.read().catch(() => undefined)
      await onRead()
      await pause(clock, pauseMs)
    }
    isReading = false
    wait()
  }

  /** Waits until the clock changes a lot, or until lots that are not stored may be. */
  function wait(): void {
    const isMissing = lines.missing().length > 0
    // A request that adds lots stores them right after they are listed, unless it fails.
    retryMs = lines.lotCount() === lotCount ? Math.min(2 * retryMs, longestRetryMs) : pauseMs
    lotCount = lines.lotCount()
    const waitMs = Math.min(lines.nextChangeMs() - clock.nowMs(), isMissing ? retryMs : Number.POSITIVE_INFINITY)
    if (isClosed || waitMs === Number.POSITIVE_INFINITY) return
    cancelWait = clock.after(Math.min(Math.max(waitMs, pauseMs), longestWaitMs), () => {
      for (const id of [...lines.changedBy(clock.nowMs()), ...lines.missing()]) due.makeDue(id)
      if (due.hasDue()) void refresh()
      else wait()
    })
  }

  return {
    /** Reads all lots for the first time. */
    async start(): Promise<Result<void, Refusal>> {
      const read = await due.read()
      void pause(clock, pauseMs).then(() => {
        isReading = false
        return refresh()
      })
      return read
    },
    close(): void {
      isClosed = true
      cancelWait?.()
      due.close()
    },
  }
}

/** What is due to be read, because it is new or has changed. `onChange` is called when a change makes something due. */
function createDueReads(saleId: SaleId, service: FeedParts['service'], lines: SaleLines, onChange: () => void) {
  /** One for all readers. `shown` has the lots without a result. */
  const reader = { shown: new Map<AuctionId, number>() }
  const followed = createFollowedAuctions<typeof reader>(service, onChange)
  let isClosed = false
  /** The lots that are not followed yet. */
  let added: readonly AuctionId[] = []
  /** The changes of the sale, the first of which is that it is followed, and those that were read. */
  let changes = 1
  let readChanges = 0
  const stopWatchingSale = service.watchSale(saleId, () => {
    changes += 1
    onChange()
  })

  /** Reads which lots there are. */
  async function readSale(): Promise<Refusal | undefined> {
    const through = changes
    const list = await service.listLotIds(saleId)
    if (!list.ok) return list.refusal
    readChanges = through
    lines.setSale(list.value)
    const ids = list.value.lots.map(({ auctionId }) => auctionId)
    added = ids.filter((id) => !reader.shown.has(id) && !lines.has(id))
    return undefined
  }

  const dueCount = () => followed.dueCount() + added.length

  /** Takes lots to read. New ones are followed before they are read, so that nothing is missed. */
  function takeDue(): readonly AuctionId[] {
    const due = followed.takeDue(maxPageSize)
    const begun = added.slice(0, maxPageSize - due.length)
    added = added.slice(begun.length)
    for (const id of begun) {
      reader.shown.set(id, 0)
      followed.follow(reader, id)
    }
    return [...due, ...begun]
  }

  async function readLots(ids: readonly AuctionId[]): Promise<Refusal | undefined> {
    let views: ReadonlyMap<AuctionId, CurrentView<ListedAuction>> | undefined
    try {
      const read = await service.listAuctions({ ids })
      if (!read.ok) return read.refusal
      views = new Map(read.value.items.map((view) => [view.auction.id, view]))
    } finally {
      followed.noteRead(ids, views)
    }
    for (const [id, view] of views) {
      lines.set(view)
      if (view.result !== undefined) followed.forget(reader, id)
    }
    return undefined
  }

  return {
    hasDue: (): boolean => readChanges < changes || dueCount() > 0,
    makeDue: followed.makeDue,
    /** Reads page by page, and between two pages other work has a turn. What fails stays due. */
    async read(): Promise<Result<void, Refusal>> {
      let refusal = readChanges < changes ? await readSale() : undefined
      for (let left = dueCount(); left > 0 && refusal === undefined; left -= maxPageSize) {
        await takeTurn()
        if (!isClosed) refusal = await readLots(takeDue())
      }
      return refusal === undefined ? accepted(undefined) : refused(refusal)
    },
    close(): void {
      isClosed = true
      stopWatchingSale()
      for (const id of [...reader.shown.keys()]) followed.forget(reader, id)
    },
  }
}
