import type { ListedAuction } from '../auction/auction.ts'
import type { AuctionResult } from '../auction/life-events.ts'
import { isHiddenFrom, type Viewer } from '../auction/privacy.ts'
import type { CurrentView } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import { type Sale, type SaleListed, saleIn } from '../sale/events.ts'
import type { LotList, LotLists, LotResult } from '../sale/lot-list.ts'
import type { SaleNotFound } from '../sale/sale-ledger.ts'
import { createSharedRuns } from '../shared-runs.ts'
import type { CallSignal, DirectoryEntry, Store } from '../store/store.ts'
import { inGroups } from '../values/groups.ts'
import type { AuctionId, SaleId } from '../values/ids.ts'
import { type Page, requirePageSize } from '../values/page.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import type { AuctionViews } from './auction-views.ts'
import { type ListingQuery, listLines } from './listed.ts'

export const saleStatuses = ['Pending', 'Active', 'Ended'] as const

/** A sale with what its lots are now. */
export type SaleView = {
  readonly sale: Sale
  /** The sum of its extensions. */
  readonly extendedSeconds: number
  /** The extensions, the first one first. */
  readonly extensions: LotList['extensions']
  /** Pending before the start or without lots, Ended when each lot has a result, else Active. */
  readonly status: (typeof saleStatuses)[number]
  /** The lots whose auctions are stored, and of these, those with each outcome; `open` have none. */
  readonly counts: { readonly lots: number; readonly open: number } & Readonly<Record<AuctionResult['outcome'], number>>
  /** The sum of the prices of those that are sold or bought, in minor units: exact, and without a limit. */
  readonly totalMinor: bigint
}

export type ReadSale = (id: SaleId) => Promise<Result<SaleView, SaleNotFound | Overloaded>>

type ReadSaleParts = {
  readonly lists: Pick<LotLists, 'current'>
  readonly store: Pick<Store, 'findAuctions' | 'findHeads'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/**
 * Callers of the time share one read, because it may be of 3,000 heads. One at a time keeps what is known of lots true.
 */
export function readSaleUseCase({ lists, store, clock }: ReadSaleParts): ReadSale {
  return createSharedRuns(async (saleId: SaleId) => {
    const nowMs = clock.nowMs()
    const list = await lists.current(saleId)
    const { sale } = list ?? {}
    if (list === undefined || sale === undefined) return refused({ code: 'sale-not-found', saleId })
    await readResults(store, list)
    return accepted(saleViewOf(sale, list, nowMs))
  })
}

function saleViewOf(sale: Sale, { lots, extensions, known }: LotList, nowMs: number): SaleView {
  const counts = { lots: 0, open: 0, sold: 0, bought: 0, unsold: 0, cancelled: 0 }
  let totalMinor = 0n
  for (const { auctionId } of lots) {
    const result = known.get(auctionId)
    if (result === undefined) continue
    counts.lots += 1
    counts[result === 'stored' ? 'open' : result.outcome] += 1
    if (result !== 'stored') totalMinor += BigInt(result.priceMinor ?? 0)
  }
  const isPending = counts.lots === 0 || nowMs < sale.startTime.epochMs
  const status = isPending ? 'Pending' : counts.open === 0 ? 'Ended' : 'Active'
  return { sale, extendedSeconds: secondsOf(extensions), extensions: [...extensions], status, counts, totalMinor }
}

const secondsOf = (extensions: LotList['extensions']): number =>
  extensions.reduce((sum, { seconds }) => sum + seconds, 0)

const lotsPerRead = 100

/** Reads what is not known of the auctions of lots. */
async function readResults(store: ReadSaleParts['store'], { lots, known }: LotList): Promise<void> {
  const open = lots.map(({ auctionId }) => auctionId).filter((id) => typeof known.get(id) !== 'object')
  await Promise.all(inGroups(open, lotsPerRead).map((ids) => readGroup(store, ids, known)))
}

async function readGroup(
  store: ReadSaleParts['store'],
  ids: readonly AuctionId[],
  known: LotList['known'],
): Promise<void> {
  const unseen = ids.filter((id) => !known.has(id))
  const [heads, found] = await Promise.all([
    store.findHeads(ids),
    unseen.length === 0 ? [] : store.findAuctions({ ids: unseen }),
  ])
  for (const { auction } of found) known.set(auction.id, 'stored')
  for (const { auctionId, state } of heads)
    known.set(auctionId, state.phase === 'closed' ? countedOf(state.result) : 'stored')
}

const countedOf = (result: AuctionResult): LotResult => {
  const { outcome } = result
  return 'priceMinor' in result ? { outcome, priceMinor: result.priceMinor } : { outcome }
}

/** Lists sales, newest first, without their counts. */
export type ListSales = (query: ListingQuery) => Promise<Result<Page<Sale, number>, Overloaded>>

type ListSalesParts = { readonly store: Pick<Store<DirectoryEntry<SaleListed>>, 'listEntries'> }

export function listSalesUseCase({ store }: ListSalesParts): ListSales {
  return async (query) => {
    const { items, next } = await listLines(store, 'sales', query)
    return accepted({ items: items.map(saleIn), next })
  }
}

export type ListLotsQuery = Viewer & {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the previous page: the position of a lot. */
  readonly after?: number | undefined
  readonly signal?: CallSignal | undefined
}

/** The lots of a page by their numbers. One whose auction is not stored is in no list. */
export type LotPage = Page<CurrentView<ListedAuction>, number> & { readonly sale: Sale }

export type ListLots = (saleId: SaleId, query: ListLotsQuery) => Promise<Result<LotPage, SaleNotFound | Overloaded>>

type ListLotsParts = {
  readonly lists: Pick<LotLists, 'current'>
  readonly views: AuctionViews
  readonly clock: Pick<Clock, 'nowMs'>
}

export function listLotsUseCase({ lists, views, clock }: ListLotsParts): ListLots {
  return async (saleId, query) => {
    requirePageSize(query)
    const { limit, after = 0, signal } = query
    const nowMs = clock.nowMs() // First, because entries may be added during the reads.
    const list = await lists.current(saleId)
    const { sale } = list ?? {}
    if (list === undefined || sale === undefined) return refused({ code: 'sale-not-found', saleId })
    const later = list.lots.filter(({ position }) => position > after)
    const lots = later.slice(0, limit)
    const viewOf = await views.find(
      lots.map(({ auctionId }) => auctionId),
      nowMs,
      signal,
    )
    const found = lots.flatMap(({ auctionId }) => viewOf.get(auctionId) ?? [])
    const last = lots.at(-1)
    const next = last !== undefined && later.length > limit ? last.position : undefined
    return accepted({ sale, items: found.filter(({ auction }) => !isHiddenFrom(auction, query)), next })
  }
}

/** Which lots a sale has, by their numbers, including those whose auctions are not stored yet. */
export type LotIds = Pick<SaleView, 'extendedSeconds' | 'extensions'> & {
  readonly lots: readonly { readonly lot: string; readonly auctionId: AuctionId }[]
}

/** Lists all lots of a sale from memory, for followers. It calls the store only for what was added to the sale. */
export type ListLotIds = (saleId: SaleId) => Promise<Result<LotIds, SaleNotFound | Overloaded>>

export function listLotIdsUseCase({ lists }: Pick<ListLotsParts, 'lists'>): ListLotIds {
  return async (saleId) => {
    const list = await lists.current(saleId)
    if (list?.sale === undefined) return refused({ code: 'sale-not-found', saleId })
    const { extensions, lots } = list
    return accepted({ extendedSeconds: secondsOf(extensions), extensions: [...extensions], lots })
  }
}
