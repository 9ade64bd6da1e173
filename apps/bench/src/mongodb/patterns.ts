import { connectMongoStore } from '@auction/adapters/mongodb'
import { sampleAuction, sampleClosed, sampleEntry } from '@auction/domain/testing/samples'
import { type Collection, type Document, Long } from 'mongodb'
import type { Scratch } from './server.ts'

/** A collection that our adapter makes, with its indexes, and a document of it as the adapter writes them. */
export type Pattern = { readonly collection: Collection; readonly pattern: Document }

/** What the entry of a bid is written as; with the key of a request or without. */
export const patternOfBids = (scratch: Scratch, requestKey?: string): Promise<Pattern> =>
  patternOf(scratch, 'entries', (store) =>
    store.append([sampleEntry({ ...(requestKey === undefined ? {} : { requestKey }) })]),
  )

/** What the end of an auction is written as, to which there was one bid. */
export const patternOfEnds = (scratch: Scratch): Promise<Pattern> =>
  patternOf(scratch, 'entries', (store) => store.append([sampleClosed({ sequence: 2 })]))

export const patternOfAuctions = (scratch: Scratch, endTime?: string): Promise<Pattern> =>
  patternOf(scratch, 'auctions', (store) =>
    store.insertAuction(sampleAuction({ title: 'Walnut desk', ...(endTime === undefined ? {} : { endTime }) })),
  )

/** One document is written by the adapter, read back, and serves as the pattern of others. It is not left behind. */
async function patternOf(
  { uri, database }: Scratch,
  name: 'entries' | 'auctions',
  write: (store: Awaited<ReturnType<typeof connectMongoStore>>) => Promise<unknown>,
): Promise<Pattern> {
  const store = await connectMongoStore(uri)
  try {
    await write(store)
  } finally {
    await store.close()
  }
  const collection = database.collection(name)
  const pattern = await collection.findOne({}, { promoteLongs: false })
  if (!Long.isLong(pattern?.['_id'])) throw new Error(`the adapter's ${name} are no longer what is measured here`)
  await collection.deleteOne({ _id: pattern['_id'] as never })
  return { collection: collection as Collection, pattern }
}
