import { connectMongoStore } from '@auction/adapters/mongodb'
import { sampleBid } from '@auction/domain/testing/samples'
import { type Collection, type Document, Long } from 'mongodb'
import type { Contestant } from './contestant.ts'
import type { Scratch } from './server.ts'

/** The floor: what a bid costs that is written alone, with nothing decided. */
export const rawInsertOne: Contestant = {
  id: 'insertOne',
  label: 'raw insertOne',
  spread: undefined,
  bidsPerOperation: 1,
  async start(scratch) {
    const { collection, nextDocument } = await ledgerOfOurs(scratch)
    const operation = async () => {
      await collection.insertOne(nextDocument())
      return 'accepted' as const
    }
    return { operation, claims: undefined, stop: async () => undefined }
  },
}

const group = 100

/** The limit: what the server takes when nothing but its own writing holds it up. */
export const rawInsertMany: Contestant = {
  id: 'insertMany',
  label: `raw ordered insertMany of ${group}`,
  spread: undefined,
  bidsPerOperation: group,
  async start(scratch) {
    const { collection, nextDocument } = await ledgerOfOurs(scratch)
    const operation = async () => {
      await collection.insertMany(Array.from({ length: group }, nextDocument), { ordered: true })
      return 'accepted' as const
    }
    return { operation, claims: undefined, stop: async () => undefined }
  },
}

type RawLedger = { readonly collection: Collection; readonly nextDocument: () => Document }

/**
 * The collection that our adapter makes, with its indexes, and documents as the adapter writes them: one that it wrote is
 * read back, and serves as the pattern of all others.
 */
async function ledgerOfOurs({ uri, database }: Scratch): Promise<RawLedger> {
  const store = await connectMongoStore(uri)
  const first = sampleBid({ id: 1, sequence: 1 })
  await store.ledger.append([first])
  await store.close()
  const collection = database.collection('bids')
  const pattern = await collection.findOne({}, { promoteLongs: false })
  if (!Long.isLong(pattern?.['_id']) || !Long.isLong(pattern['sequence'])) {
    throw new Error("the adapter's ledger is no longer the collection that is measured here")
  }
  let last = 1
  const nextDocument = () => {
    last += 1
    return { ...pattern, _id: Long.fromNumber(last), sequence: Long.fromNumber(last) }
  }
  return { collection: collection as Collection, nextDocument }
}
