export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite-store.ts'
