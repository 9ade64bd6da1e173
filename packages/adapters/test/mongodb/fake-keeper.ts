import { sampleAuction } from '@auction/testing/samples'
import { type Document, Long } from 'mongodb'
import { nothingFound } from './fake-server.ts'

const { id: _, ...auctionFields } = sampleAuction()

/** The entries of a server that executes commands, but does not recognize retries. It has an auction of every id. */
export type Keeper = {
  readonly entries: Document[]
  readonly reply: (command: Document) => Document
}

/** Whether each field has the value of the filter, or one of its list `$in`. */
const isMatch = (entry: Document, filter: Document): boolean =>
  Object.entries(filter).every(([field, condition]) => (condition.$in ?? [condition]).includes(entry[field]))

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

  function find({ find: collection, filter, sort }: Document): readonly Document[] {
    if (collection === 'auctions') return [{ _id: Long.fromNumber(filter._id), version: 1, ...auctionFields }]
    const read = entries.filter((entry) => isRead(entry) && isMatch(entry, filter))
    return sort === undefined ? read : read.slice(-1)
  }

  function reply(command: Document): Document {
    if (command['insert'] === 'idBlocks') return { n: 1 }
    if ('insert' in command) return insert(command['documents'])
    if (command['find'] === 'idBlocks') return nothingFound
    return { cursor: { ...nothingFound['cursor'], firstBatch: find(command) } }
  }
  return { entries, reply }
}
