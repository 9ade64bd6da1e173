export { connectMongoStore, type MongoStore, type MongoStoreOptions, pingMongoDatabase } from './mongo-store.ts'
