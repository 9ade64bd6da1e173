import { ReadConcern } from 'mongodb'
import { expect, test } from 'vitest'
import { clientOptions, databaseOptions } from '../../src/mongodb/clients.ts'

// Most options matter only if a server hangs or a connection string weakens them, which tests cannot cover in every
// form.
test('each step of an operation has a time limit below that of the whole, and no write is repeated', () => {
  expect(clientOptions(5_000, 20)).toStrictEqual({
    appName: 'auction-service',
    maxPoolSize: 20,
    serverSelectionTimeoutMS: 2_000,
    waitQueueTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 5_000,
    retryWrites: false,
    retryReads: true,
  })
})

test('a response may have a longer time limit', () => {
  expect(clientOptions(5_000, 1, 60_000)).toStrictEqual({ ...clientOptions(5_000, 1), socketTimeoutMS: 60_000 })
})

test('a write waits for the journals of a majority, and a read sees only what a majority has', () => {
  expect(databaseOptions(5_000)).toStrictEqual({
    readPreference: 'primary',
    readConcern: new ReadConcern('majority'),
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: 4_000 },
  })
})
