import { sampleAuction } from '@auction/testing/samples'
import { type Document, Long } from 'mongodb'
import { nothingFound } from './fake-server.ts'

const { id, ...auctionFields } = sampleAuction()
const auctionDocument = { _id: Long.fromNumber(id), version: 1, ...auctionFields }

/** The id of the auction of every keeper. */
export const keptAuctionId = id

/** The entries of a server that executes commands, but does not recognize retries. It has one auction. */
export type Keeper = {
  readonly entries: Document[]
  readonly answer: (command: Document) => Document
}

/** @param isRead whether reads return an entry; by default all */
export function createKeeper(isRead: (entry: Document) => boolean = () => true): Keeper {
  const entries: Document[] = []
  const isTaken = ({ _id, auctionId, sequence, requestKey }: Document) =>
    entries.some(
      (entry) =>
        entry['_id'] === _id ||
        (entry['auctionId'] === auctionId && entry['sequence'] === sequence) ||
        (requestKey !== undefined && entry['requestKey'] === requestKey),
    )

  function insert(documents: readonly Document[]): Document {
    for (const [index, document] of documents.entries()) {
      if (isTaken(document)) return { n: index, writeErrors: [{ index, code: 11000, errmsg: 'E11000 duplicate key' }] }
      entries.push(document)
    }
    return { n: documents.length }
  }

  function find({ find: collection, filter }: Document): readonly Document[] {
    if (collection === 'auctions') return [auctionDocument]
    const read = entries.filter(isRead)
    const ids: readonly number[] | undefined = filter._id?.$in
    const keys: readonly string[] | undefined = filter.requestKey?.$in
    if (ids !== undefined) return read.filter((entry) => ids.includes(entry['_id']))
    if (keys !== undefined) return read.filter((entry) => keys.includes(entry['requestKey']))
    return read.slice(-1)
  }

  function answer(command: Document): Document {
    if (command['insert'] === 'idBlocks') return { n: 1 }
    if ('insert' in command) return insert(command['documents'])
    if (command['find'] === 'idBlocks') return nothingFound
    return { cursor: { ...nothingFound['cursor'], firstBatch: find(command) } }
  }
  return { entries, answer }
}
