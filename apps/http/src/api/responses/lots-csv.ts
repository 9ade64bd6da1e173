import type { LotPage } from '@auction/domain'
import type { Viewer } from '../callers/caller.ts'
import { csvHead, csvRows } from './csv.ts'
import { auctionViewResource } from './resources.ts'

/** The columns of the results of lots. */
export const lotColumns = [
  'lot',
  'auctionId',
  'title',
  'status',
  'outcome',
  'price',
  'currency',
  'winnerId',
  'paddle',
  'bidCount',
  'effectiveEndTime',
] as const

/** Writes the lots of a sale with their results, page by page. @throws what `readAfter` throws */
export async function* lotsCsv(
  first: LotPage,
  readAfter: (position: number) => Promise<LotPage>,
  viewer: Viewer,
): AsyncGenerator<string, void> {
  yield csvHead(lotColumns)
  for (let page = first; ; page = await readAfter(page.next)) {
    const rows = page.items.map((lot) => rowOf(lot, viewer))
    if (rows.length > 0) yield csvRows(lotColumns, rows)
    if (page.next === undefined) return
  }
}

/** A lot without a result has no price, so that the sum of the column is that of the results. */
function rowOf(lot: LotPage['items'][number], viewer: Viewer) {
  const { id: auctionId, result, ...auction } = auctionViewResource(lot, viewer)
  const winnerId = result?.outcome === 'bought' ? result.buyerId : undefined
  return { ...auction, winnerId, ...result, auctionId }
}
