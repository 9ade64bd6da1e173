import { UnreadableStoredError } from '@auction/domain/errors'
import {
  type AuctionPosition,
  type CallSignal,
  type ListedItem,
  maxScannedAuctions,
  type Store,
} from '@auction/domain/store'
import { readEach } from '@auction/domain/stored'
import type { Document, FindOptions } from 'mongodb'
import { auctionsCollection, parseAuction } from './auctions.ts'
import type { MongoContext } from './context.ts'
import { integerAt, integerIn, type StoredDocument } from './documents.ts'
import { type ListPlan, type Place, planOf, queryOf } from './list-plans.ts'

type What = Pick<FindOptions, 'skip' | 'projection'> & { readonly limit: number }

/**
 * Lists auctions along one index, in its order. With a filter, a first query finds the end of the allowed range in the index, and
 * a second one the matches up to that end.
 */
export function createMongoAuctionLists(context: MongoContext): Pick<Store, 'listAuctions'> {
  const { connection, driverCall, maxReadMs: maxTimeMS } = context

  function find(plan: ListPlan, what: What, signal: CallSignal | undefined): Promise<Document[]> {
    const { index, timeField, direction } = plan
    const sort = { [timeField]: direction, _id: direction }
    // The hint keeps the server from another index and a sort.
    const options = { hint: index.name, sort, ...what, batchSize: what.limit, maxTimeMS }
    const auctions = () => connection.collection<StoredDocument>(auctionsCollection)
    return driverCall('list auctions', () => auctions().find(queryOf(plan), options).toArray(), signal)
  }

  /** The place of the last auction that may be examined, if more auctions follow. */
  async function findScanEnd(plan: ListPlan, signal: CallSignal | undefined): Promise<Place | undefined> {
    const projection = { _id: 1, [plan.timeField]: 1 }
    const what = { skip: maxScannedAuctions - 1, limit: 2, projection }
    const [last, following] = await find({ ...plan, filter: undefined }, what, signal)
    return last && following && placeOf(plan, last)
  }

  return {
    async listAuctions({ signal, ...query }) {
      const plan = planOf(query)
      const { after, until, filter } = plan
      if (after && until && after.timeMs > until.timeMs) return { items: [], next: undefined }
      const scanEnd = filter && (await findScanEnd(plan, signal))
      const limit = Math.min(query.limit, maxScannedAuctions)
      // One more auction shows whether another page exists.
      const what = { limit: limit + 1, projection: { description: 0, words: 0 } }
      const found = await find({ ...plan, until: scanEnd ?? until }, what, signal)
      const page = found.slice(0, limit)
      const { values: items, unreadable } = readEach(page, (document) => itemOf(query.order, plan, document))
      const end = found.length > limit ? lastPlace(plan, page) : scanEnd
      const next = end && ({ order: query.order, ...end } as AuctionPosition) // The cast: the id is that of an auction that was read.
      return unreadable.length === 0 ? { items, next } : { items, next, unreadable }
    },
  }
}

function itemOf(order: AuctionPosition['order'], { timeField }: ListPlan, document: Document): ListedItem {
  const auction = parseAuction(document)
  const timeMs = integerAt(document, timeField)
  if (timeMs === undefined) throw new UnreadableStoredError('auction', auction, `an invalid field ${timeField}`)
  return { auction, position: { order, timeMs, id: auction.id } }
}

const placeOf = ({ timeField }: ListPlan, document: Document): Place => ({
  timeMs: integerIn(document, auctionsCollection, timeField),
  id: integerIn(document, auctionsCollection, '_id'),
})

/** The place of the last document of a page with a valid place. */
const lastPlace = (plan: ListPlan, page: readonly Document[]): Place => {
  const isPlaced = (document: Document) =>
    [plan.timeField, '_id'].every((field) => integerAt(document, field) !== undefined)
  return placeOf(plan, page.findLast(isPlaced) ?? { ...page.at(-1) })
}
