export { connectMongoStore, type MongoStore, type MongoStoreOptions } from './mongo-store.ts'
