import { type ProxiedStore, proxyStore } from '@auction/testing/proxied-store'
import { execute } from '../../../../tools/vitest/postgresql.ts'
import { connectPostgresqlStore, type PostgresqlStore } from '../../src/postgresql/postgresql-store.ts'

/** A store on a database. By default its schema is dropped at the end. */
export const connectProxiedStore = (
  uri: string,
  timeoutMs?: number,
  drop: () => Promise<unknown> = () => dropSchema(uri),
): Promise<ProxiedStore<PostgresqlStore>> =>
  proxyStore({
    uri: new URL(uri),
    defaultPort: 5432,
    connect: (href) => connectPostgresqlStore(href, timeoutMs === undefined ? {} : { timeoutMs }),
    drop,
  })

/** Far less work for the server than dropping a database. */
export const dropSchema = (uri: string) => execute(uri, 'DROP SCHEMA IF EXISTS auctions CASCADE')
