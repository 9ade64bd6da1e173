export { inspectSqliteFile, type SqliteInspection } from './inspect-file.ts'
export { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite-store.ts'
