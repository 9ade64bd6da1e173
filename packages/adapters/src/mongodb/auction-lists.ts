import type { AuctionId } from '@auction/domain/ids'
import { type AuctionPosition, maxScannedAuctions, type Store } from '@auction/domain/store'
import { readEach } from '@auction/domain/unreadable-stored'
import type { Document, FindOptions, Sort } from 'mongodb'
import { auctionsCollection, parseAuction } from './auctions.ts'
import type { MongoContext } from './context.ts'
import { integerAt, integerIn, type StoredDocument } from './documents.ts'
import { type ListPlan, planOf } from './list-plans.ts'
import { comparePlaces, type Place, rangeFilters } from './ranges.ts'

/**
 * Lists auctions along one index, in its order. Where not all on the way match, the server is first asked how far it may look,
 * which its index alone can tell, and then for what matches up to there.
 */
export function createMongoAuctionLists(context: MongoContext): Pick<Store, 'listAuctions'> {
  const { connection, driverCall, maxReadMs: maxTimeMS } = context

  function find(
    plan: ListPlan,
    filters: readonly Document[],
    what: Pick<FindOptions, 'skip' | 'projection'> & { limit: number },
  ) {
    const options = { ...along(plan), ...what, batchSize: what.limit, maxTimeMS }
    const auctions = () => connection.collection<StoredDocument>(auctionsCollection)
    return driverCall('list auctions', () => auctions().find(queryOf(plan, filters), options).toArray())
  }

  /** The place of the last auction that may be looked at, if there are others behind it. */
  async function findScanEnd(plan: ListPlan): Promise<Place | undefined> {
    const { timeField, idField } = plan.order
    const projection = { _id: 0, [timeField]: 1, [idField]: 1 } // Which may be `_id`.
    const [last, behind] = await find(plan, [{}], { skip: maxScannedAuctions - 1, limit: 2, projection })
    return last && behind && placeOf(plan, last)
  }

  return {
    async listAuctions(query) {
      const plan = planOf(query)
      const { after, until } = plan.range
      if (after && until && comparePlaces(plan.order, after, until) >= 0) return { auctions: [], next: undefined }
      const scanEnd = plan.filters && (await findScanEnd(plan))
      const scanned = { ...plan, range: { after, until: scanEnd ?? until } }
      const limit = Math.min(query.limit, maxScannedAuctions)
      // One more tells whether there are more.
      const projection = { description: 0 }
      const found = await find(scanned, plan.filters ?? [{}], { limit: limit + 1, projection })
      const page = found.slice(0, limit)
      const { values: auctions, unreadable } = readEach(page, parseAuction)
      const end = found.length > limit ? lastPlace(plan, page) : scanEnd
      const result = { auctions, next: end && positionOf(query.order, end) }
      return unreadable.length === 0 ? result : { ...result, unreadable }
    },
  }
}

/** The index is named, so that the server does not try another one and sort what it finds there. */
function along({ index, order: { timeField, idField, direction } }: ListPlan) {
  const sign = direction === 'up' ? 1 : -1
  const sort: Sort = { [timeField]: sign, [idField]: sign }
  return { hint: index.name, sort }
}

/** Each filter in each interval: exactly one of them matches an auction that is listed. */
function queryOf({ order, prefix, range }: ListPlan, filters: readonly Document[]): Document {
  const intervals = rangeFilters(order, range)
  const parts = filters.flatMap((filter) => intervals.map((interval) => ({ ...prefix, ...interval, ...filter })))
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : { $or: parts }
}

const placeOf = ({ order: { timeField, idField } }: ListPlan, document: Document): Place => ({
  timeMs: integerIn(document, auctionsCollection, timeField),
  id: integerIn(document, auctionsCollection, idField),
})

/**
 * The place of the last document of a page. One whose place is faulty is passed over: a range of numbers has none but numbers, so no
 * page behind a place meets it again. Where a page has only such, the next one begins where numbers do.
 */
function lastPlace(plan: ListPlan, page: readonly Document[]): Place {
  const { direction, timeField, idField } = plan.order
  const last = page.findLast((document) =>
    [timeField, idField].every((field) => integerAt(document, field) !== undefined),
  )
  if (last !== undefined) return placeOf(plan, last)
  const beginning =
    direction === 'up'
      ? { timeMs: Number.MIN_SAFE_INTEGER, id: 1 }
      : { timeMs: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER }
  return plan.range.after ?? beginning
}

function positionOf(order: AuctionPosition['order'], { timeMs, id }: Place): AuctionPosition {
  const place = { id: id as AuctionId } // It is that of an auction that was read.
  return order === 'newest' ? { order, createdAtMs: timeMs, ...place } : { order, endMs: timeMs, ...place }
}
