import { test } from 'vitest'
import { describeMongo } from '../../../../tools/vitest/mongodb.ts'
import { onMongodb, onOwnMongodb } from './on-mongodb.ts'
import { expectPromisesKept, promise, timeoutMs } from './promises.ts'

describeMongo('two HTTP servers under faults', (ownDatabase) => {
  test(
    promise,
    async () => {
      const command = process.env['MONGODB_SERVER_COMMAND']
      const store = command === undefined ? onMongodb(ownDatabase()) : onOwnMongodb(command)
      // The reads of a stand-in become slower with each bid: with more clients, this takes many minutes there.
      await expectPromisesKept(await store, 4)
    },
    timeoutMs,
  )
})
