import { ProductId, UserId } from '@auction/domain/ids'
import { defaultPageSize } from '@auction/domain/page'
import { accepted, refused } from '@auction/domain/result'
import type { ListAuctionsQuery } from '@auction/domain/use-cases/list-auctions'
import { type Parsed, validationFailed } from '@auction/domain/validation'
import { readAuctionCursor } from './cursors.ts'
import { cursorParameter, idParameter, limitParameter, type Parameter, parseQuery, statusParameter } from './query.ts'

const sortParameter: Parameter<'endTime'> = {
  read: (text) => (text === 'endTime' ? text : undefined),
  rule: 'must be endTime; without it, the newest come first',
}

const parameters = {
  limit: limitParameter,
  cursor: cursorParameter(readAuctionCursor),
  status: statusParameter,
  ownerId: idParameter(UserId),
  productId: idParameter(ProductId),
  sort: sortParameter,
}

/** Reads the query of the list of auctions. By their end, only those are listed that are still open. */
export function parseAuctionListQuery(query: unknown): Parsed<ListAuctionsQuery> {
  const parsed = parseQuery(query, parameters)
  if (!parsed.ok) return parsed
  const { limit = defaultPageSize, cursor, sort, ...filters } = parsed.value
  const order = sort ?? 'newest'
  if (sort === 'endTime' && filters.status !== 'Active') {
    return refused(validationFailed({ pointer: '/sort', message: 'goes together with status=Active only' }))
  }
  if (cursor !== undefined && cursor.order !== order) {
    return refused(validationFailed({ pointer: '/cursor', message: parameters.cursor.rule }))
  }
  return accepted({ limit, order, ...filters, ...(cursor && { after: cursor }) })
}
