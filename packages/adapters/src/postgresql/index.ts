export {
  connectPostgresqlStore,
  type PostgresqlStore,
  type PostgresqlStoreOptions,
  pingPostgresqlDatabase,
} from './postgresql-store.ts'
