import type { Store } from '@auction/domain/store'
import { storeContract } from '@auction/domain/testing/store-contract'
import { type Document, MongoClient } from 'mongodb'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { connectProxiedStore } from './support.ts'

const runner = { describe, test, expect }

const faults = {
  'a connection that breaks at once': 'nothing',
  'a connection that breaks before the answer': 'all',
} as const

/** The name of a command is the first field of its document, a text; a heartbeat is none of these. */
const isCommand = (request: Buffer) => ['insert', 'find', 'update'].some((name) => request.includes(`\x02${name}\0`))

/** All handles of one subject update the agenda one after the other. */
function updatesInTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return <Handle extends Store>(store: Handle): Handle => ({
    ...store,
    updateAgenda(updates) {
      const update = () => store.updateAgenda(updates)
      const done = last.then(update, update)
      last = done
      return done
    },
  })
}

describeMongo('the contract of stores', (database) => {
  let isFerretDb = false

  // It may stand in for MongoDB, reads all documents for each update, and loses updates of one document that are made at once.
  beforeAll(async () => {
    const client = await MongoClient.connect(database())
    isFerretDb = 'ferretdbVersion' in (await client.db().command({ buildInfo: 1 }))
    await client.close()
  })

  storeContract(
    runner,
    async () => {
      const { store, uri, open, proxy, restore, close } = await connectProxiedStore(isFerretDb ? 20_000 : undefined)
      const handleOn = isFerretDb ? updatesInTurn() : <Handle>(handle: Handle) => handle
      return {
        store: handleOn(store),
        openSecondHandle: async () => handleOn(await open()),
        reopen: async () => {
          await store.close()
          return open()
        },
        breakStore: async () => {
          proxy.cut()
          return restore
        },
        failNext: async (fault) => {
          proxy.cutNext(fault === 'a connection that breaks at once' ? 'before' : 'after', isCommand)
        },
        closeStore: () => store.close(),
        damage: async (kind, id, damage) => {
          const client = await MongoClient.connect(uri)
          const stored = client.db().collection<{ _id: number }>(kind === 'auction' ? 'auctions' : 'entries')
          const change: Document =
            damage === 'another version' ? { $set: { version: 2 } } : { $unset: { currency: '' } }
          expect(await stored.updateOne({ _id: id }, change)).toMatchObject({ modifiedCount: 1 })
          await client.close()
        },
        close,
      }
    },
    { faults, seeks: ['ownerId', 'productId'] },
  )
})
