import type { CurrentView, LotIds } from '@auction/domain'
import type { ListedAuction } from '@auction/domain/auction'
import type { AuctionId, SaleId } from '@auction/domain/ids'
import { isoOf } from '@auction/domain/moment'
import { encodeFrame } from '@auction/host/streams'
import { saleExtension } from '../responses/sale-resources.ts'
import { type LotLine, lotLine } from '../responses/stream-resources.ts'
import type { FeedParts } from './feed-parts.ts'

/** A frame has some 20 KB, so that little is unread if a reader stops. */
const linesPerFrame = 100
/** The most frames that are kept for other readers. Readers that keep up need the same one. */
const maxKeptFrames = 40

/** A lot as all readers see it. */
type Line = {
  readonly shown: LotLine
  readonly isOver: boolean
  /** When the clock changes its status or its price. */
  readonly changesAtMs: number
  /** Lines and the sale that changed later have a higher one. */
  readonly revision: number
}

/** `through` is the lot or the revision from which a reader of the frame continues. */
type Frame = { readonly encoded: Buffer; readonly through: number }

export type SaleLines = ReturnType<typeof createSaleLines>

type Parts = Pick<FeedParts, 'clock' | 'publicViewer'>

/**
 * The lines of the lots of a sale, from which readers take frames. Readers at the same point get the same bytes, which
 * are encoded once.
 */
export function createSaleLines(id: SaleId, { clock, publicViewer }: Parts) {
  const lines = new Map<AuctionId, Line>()
  const frames = new Map<string, Frame>()
  let lots: LotIds['lots'] = []
  let extendedSeconds = 0
  let extensions: LotIds['extensions'] = []
  let revision = 0
  let saleRevision = 0
  let overCount = 0

  /** Returns the frame that was made for another reader since the last change, or makes it. */
  function kept(key: string, make: () => Frame | undefined): Frame | undefined {
    const known = frames.get(key)
    if (known !== undefined) return known
    if (frames.size === maxKeptFrames) frames.clear()
    const made = make()
    if (made !== undefined) frames.set(key, made)
    return made
  }

  /** Returns the revision of a change. */
  function change(): number {
    frames.clear()
    revision += 1
    return revision
  }

  const encode = (event: string, data: object = {}): Buffer =>
    encodeFrame({ event, data: { now: isoOf(clock.nowMs()), ...data } })

  const encodeSale = () =>
    encode('sale', { id, extendedSeconds, extensions: extensions.map(saleExtension), lotCount: lots.length })
  const encodeLots = (some: readonly Line[]) => encode('lots', { lots: some.map(({ shown }) => shown) })

  /** The first items after a revision: either the sale, or lines up to it. */
  function changesAfter(after: number): Frame {
    const untilSale = saleRevision > after ? saleRevision : Number.POSITIVE_INFINITY
    const changed = [...lines.values()].filter((line) => line.revision > after && line.revision < untilSale)
    const some = changed.toSorted((one, other) => one.revision - other.revision).slice(0, linesPerFrame)
    const last = some.at(-1)
    return last === undefined
      ? { encoded: encodeSale(), through: saleRevision }
      : { encoded: encodeLots(some), through: last.revision }
  }

  return {
    /** The revision of the last change. */
    revision: (): number => revision,
    encodeSale,
    encodeReady: () => encode('ready'),
    /** The next lines in the order of the lots; undefined after the last one. 0 is before the first lot. */
    afterLot(auctionId: number): Frame | undefined {
      return kept(`lot ${auctionId}`, () => {
        const begin = lots.findIndex((lot) => lot.auctionId === auctionId) + 1
        const some = lots.slice(begin).flatMap((lot) => lines.get(lot.auctionId) ?? [])
        const taken = some.slice(0, linesPerFrame)
        const last = taken.at(-1)
        return last && { encoded: encodeLots(taken), through: last.shown.id }
      })
    },
    /** What has changed after a revision; undefined if nothing has. */
    afterRevision: (after: number): Frame | undefined =>
      after < revision ? kept(`revision ${after}`, () => changesAfter(after)) : undefined,
    /** Sets the lots, in their order. Those that were set before stay. */
    setSale(sale: LotIds): void {
      if (sale.extendedSeconds === extendedSeconds && sale.lots.length === lots.length) return
      ;({ extendedSeconds, extensions, lots } = sale)
      saleRevision = change()
    },
    set(view: CurrentView<ListedAuction>): void {
      const known = lines.get(view.auction.id)
      const shown = lotLine(view, publicViewer)
      const isOver = view.result !== undefined
      if (isOver && known?.isOver !== true) overCount += 1
      // A higher maximum changes nothing that all may see.
      const isSame = known !== undefined && JSON.stringify(known.shown) === JSON.stringify(shown)
      const line = { shown, isOver, changesAtMs: changeOf(view), revision: isSame ? known.revision : change() }
      lines.set(view.auction.id, line)
    },
    has: (auctionId: AuctionId): boolean => lines.has(auctionId),
    /** The lots whose lines the clock has changed since they were set. */
    changedBy: (nowMs: number): readonly AuctionId[] =>
      [...lines].flatMap(([auctionId, { changesAtMs }]) => (changesAtMs <= nowMs ? [auctionId] : [])),
    nextChangeMs: (): number =>
      [...lines.values()].reduce((next, { changesAtMs }) => Math.min(next, changesAtMs), Number.POSITIVE_INFINITY),
    /** The lots without a line: their auctions are not stored yet. */
    missing: (): readonly AuctionId[] => lots.flatMap(({ auctionId }) => (lines.has(auctionId) ? [] : [auctionId])),
    lotCount: (): number => lots.length,
    isOver: (): boolean => lots.length > 0 && overCount === lots.length,
  }
}

/** When the clock changes the status or the price of an auction. */
function changeOf({ auction, status, effectiveEndTime, ...figures }: CurrentView<ListedAuction>): number {
  if (status === 'Pending') return auction.startTime.epochMs
  if (status !== 'Active') return Number.POSITIVE_INFINITY
  const priceMs = 'nextPriceTime' in figures ? figures.nextPriceTime?.epochMs : undefined
  return Math.min(effectiveEndTime.epochMs, priceMs ?? Number.POSITIVE_INFINITY)
}
