import { checkpointsContract } from '@auction/testing/checkpoints-contract'
import { connectionFaults, proxyHooks } from '@auction/testing/proxied-store'
import { checkpointsOf } from '@auction/testing/reused-subjects'
import { type Damage, storeContract } from '@auction/testing/store-contract'
import { type Document, MongoClient } from 'mongodb'
import { afterAll, expect, vi } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { isLong } from '../../../../tools/vitest/size.ts'
import { auctionsCollection } from '../../src/mongodb/auctions.ts'
import { checkpointsCollection } from '../../src/mongodb/checkpoints.ts'
import { entriesCollection } from '../../src/mongodb/entries.ts'
import { idBlocksCollection } from '../../src/mongodb/id-blocks.ts'
import { contractSubjects, samplingRunner } from '../contract-subjects.ts'
import type { ServerStore } from '../server-outage.ts'
import { connectProxiedStore, isFerretDb } from './support.ts'

/** The name of a command is the first field of its document, a text; a heartbeat is none of these. */
const isCommand = (request: string) => ['insert', 'find', 'update'].some((name) => request.includes(`\x02${name}\0`))

/** All handles of one subject update the agenda and checkpoints one after the other. */
function updatesInTurn() {
  let last: Promise<unknown> = Promise.resolve()
  function inTurn(update: () => Promise<void>): Promise<void> {
    const done = last.then(update, update)
    last = done
    return done
  }
  return <Handle extends ServerStore>(store: Handle): Handle => {
    const { checkpoints } = store
    return {
      ...store,
      updateAgenda: (updates) => inTurn(() => store.updateAgenda(updates)),
      checkpoints: { ...checkpoints, save: (saved) => inTurn(() => checkpoints.save(saved)) },
    }
  }
}

// A call in the long form may update many auctions while other tests use the server.
const ferretDbTimeoutMs = isLong ? 40_000 : 20_000

/** Tests with many reads or updates of many documents, each of which takes FerretDB many seconds. */
const manyScans =
  /^(accepts every|examines|fills|filters|finds the heads|lists the largest|saves, finds|stores (exactly|several))/

const changes: Readonly<Record<Damage, Document>> = {
  'another version': { $set: { version: 3 } },
  'an invalid field': { $unset: { currency: '' } },
  // Documents have no JSON. Entries keep no such field, and are changed by the currency.
  'text that is not JSON': { $set: { startTime: '{', currency: '{' } },
}

const collections = [auctionsCollection, entriesCollection, idBlocksCollection, checkpointsCollection]

// In the long form, FerretDB reads whole collections while other files keep the processors busy.
if (isLong) vi.setConfig({ testTimeout: 240_000 })

describeMongo('the contract of stores', () => {
  const subjects = contractSubjects(
    isFerretDb ? 5_000 : 2_500,
    async (timeoutMs = isFerretDb ? ferretDbTimeoutMs : undefined) => {
      const proxied = await connectProxiedStore(timeoutMs)
      const client = new MongoClient(proxied.uri)
      const { halt, ...hooks } = proxyHooks(proxied, isCommand)
      const handleOn = isFerretDb ? updatesInTurn() : <Handle>(handle: Handle) => handle
      return {
        ...hooks,
        ...(!isFerretDb && { halt }),
        store: handleOn(proxied.store),
        openSecondHandle: async () => handleOn(await proxied.open()),
        damage: async (kind, id, damage) => {
          const stored = client.db().collection<{ _id: number }>(kind === 'auction' ? 'auctions' : 'entries')
          expect(await stored.updateOne({ _id: id }, changes[damage])).toMatchObject({ modifiedCount: 1 })
        },
        async otherFormat() {
          const records = client.db().collection<{ readonly _id: string }>('format')
          expect(await records.updateOne({ _id: 'format' }, { $set: { version: 99 } })).toMatchObject({
            modifiedCount: 1,
          })
          return '99'
        },
        // Indexes and the record of the format stay.
        empty: async () => {
          await Promise.all(collections.map((name) => client.db().collection(name).deleteMany({})))
        },
        close: async () => {
          await Promise.all([client.close(), proxied.close()])
        },
      }
    },
    // The driver looks for a server until a time limit.
    /server hangs|is unavailable|recovers|at that moment/,
  )
  afterAll(subjects.close)

  const runner = samplingRunner((name) => isFerretDb && manyScans.test(name))
  storeContract(runner, subjects.makeSubject, {
    faults: connectionFaults,
    without: {
      holdKeys: 'the store has no transactions, and the tests need no replica set',
      ...(isFerretDb && { halt: 'its calls need more time than the tests wait' }),
    },
  })
  checkpointsContract(runner, checkpointsOf(subjects.makeSubject))
})
