export {
  connectPostgresqlStore,
  inspectPostgresqlDatabase,
  type PostgresqlInspection,
  type PostgresqlStore,
  type PostgresqlStoreOptions,
} from './postgresql-store.ts'
