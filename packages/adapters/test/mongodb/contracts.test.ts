import type { Store } from '@auction/domain/store'
import { storeContract } from '@auction/testing/store-contract'
import { type Document, MongoClient } from 'mongodb'
import { describe, expect, inject, test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import type {} from '../../../../tools/vitest/mongodb-server.ts' // Declares what is injected.
import { isLong } from '../../../../tools/vitest/size.ts'
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

/** A stand-in for MongoDB that scans all documents for each update, and loses concurrent updates of one document. */
async function isFerretDbThere(): Promise<boolean> {
  const provision = inject('mongodb')
  if ('notRun' in provision) return false
  const client = await MongoClient.connect(provision.uri)
  const buildInfo = await client.db().command({ buildInfo: 1 })
  await client.close()
  return 'ferretdbVersion' in buildInfo
}

const isFerretDb = await isFerretDbThere()

// A call in the long form may update many auctions while other tests use the server.
const ferretDbTimeoutMs = isLong ? 40_000 : 20_000

/** Tests with many updates of many auctions. They take half a minute each on FerretDB, where only the long form runs them. */
const manyUpdates = [
  'lists the largest page of the agenda that the closer reads, and updates it in one call',
  'examines a bounded number of auctions for a page, and lists all matches page by page',
]

describeMongo('the contract of stores', () => {
  const leftOut: string[] = []

  storeContract(
    {
      ...runner,
      test(name, body) {
        if (isFerretDb && !isLong && manyUpdates.includes(name)) leftOut.push(name)
        else test(name, body)
      },
    },
    async () => {
      const { store, uri, open, proxy, restore, close } = await connectProxiedStore(
        isFerretDb ? ferretDbTimeoutMs : undefined,
      )
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

  test('leaves out no other test than those', () => {
    expect(leftOut.toSorted()).toEqual(isFerretDb && !isLong ? manyUpdates.toSorted() : [])
  })
})
