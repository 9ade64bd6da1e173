export { inspectMongoDatabase, type MongoInspection } from './inspect-database.ts'
export { connectMongoStore, type MongoStore, type MongoStoreOptions } from './mongo-store.ts'
