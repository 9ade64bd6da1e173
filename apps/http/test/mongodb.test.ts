import { connectMongoStore } from '@auction/adapters/mongodb'
import { describeMongo } from '../../../tools/vitest/mongodb.ts'
import { sharedDatabaseTests } from './support/shared-database.ts'

describeMongo('the service', (database) => {
  sharedDatabaseTests({
    name: 'MongoDB',
    settings: async () => ({ MONGODB_URI: database() }),
    connect: () => connectMongoStore(database()),
  })
})
