import type { ListedAuction } from '../auction/auction.ts'
import type { AuctionPage, AuctionPosition } from './auction-query.ts'
import { readEach } from './errors.ts'

type Scan<Row> = {
  readonly limit: number
  /** The matching rows in the order of the list. One more than the limit shows that another page exists. */
  readonly rows: readonly Row[]
  /** The position of the last examined auction, if others follow it; undefined at the end of the list. */
  readonly scanEnd: AuctionPosition | undefined
  readonly positionOf: (row: Row) => AuctionPosition
  /** @throws UnreadableStoredError for a row that the page omits */
  readonly parse: (row: Row) => ListedAuction
}

/** Makes the page of a list, which continues after its last item, or after the last examined auction if few match. */
export function pageOfScan<Row>({ limit, rows, scanEnd, positionOf, parse }: Scan<Row>): AuctionPage {
  const listed = rows.slice(0, limit)
  const { values: items, unreadable } = readEach(listed, (row) => ({ auction: parse(row), position: positionOf(row) }))
  const last = rows.length > limit ? listed.at(-1) : undefined
  const page = { items, next: last === undefined ? scanEnd : positionOf(last) }
  return unreadable.length === 0 ? page : { ...page, unreadable }
}
