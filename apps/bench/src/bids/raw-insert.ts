import { type Collection, type Document, Long } from 'mongodb'
import type { Contestant } from '../contest/contestant.ts'
import { patternOfBids } from '../mongodb/patterns.ts'
import type { Scratch } from '../mongodb/server.ts'
import { type Keys, nextRequestKey } from './request-keys.ts'

/** The floor: what a bid costs that is written alone, with nothing decided. */
export const rawInsertOne: Contestant = {
  id: 'insertOne',
  label: 'raw insertOne',
  perOperation: 1,
  async start(scratch) {
    const { collection, nextDocument } = await ledgerOfOurs(scratch, 'without-keys')
    const operation = async () => {
      await collection.insertOne(nextDocument())
      return 'accepted' as const
    }
    return { operation, stop: async () => undefined }
  },
}

const group = 100

/** The limit: what the server takes when nothing but its own writing holds it up; with keys, the second index takes its part. */
export const rawInsertMany = (keys: Keys): Contestant => ({
  id: keys === 'with-keys' ? 'insertMany-with-keys' : 'insertMany',
  label: `raw ordered insertMany of ${group}${keys === 'with-keys' ? ', each with a key' : ''}`,
  perOperation: group,
  async start(scratch) {
    const { collection, nextDocument } = await ledgerOfOurs(scratch, keys)
    const operation = async () => {
      await collection.insertMany(Array.from({ length: group }, nextDocument), { ordered: true })
      return 'accepted' as const
    }
    return { operation, stop: async () => undefined }
  },
})

type RawLedger = { readonly collection: Collection; readonly nextDocument: () => Document }

/** Documents that differ in their keys, in the collection that our adapter makes. */
async function ledgerOfOurs(scratch: Scratch, keys: Keys): Promise<RawLedger> {
  const { collection, pattern } = await patternOfBids(scratch, nextRequestKey(keys))
  let last = 0
  const nextDocument = () => {
    last += 1
    const requestKey = nextRequestKey(keys)
    const document = { ...pattern, _id: Long.fromNumber(last), sequence: Long.fromNumber(last) }
    return requestKey === undefined ? document : { ...document, requestKey }
  }
  return { collection, nextDocument }
}
