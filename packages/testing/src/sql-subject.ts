import type { Damage, FaultEffect } from './store-contract/suite.ts'

// For stores on the layer `@auction/adapters/sql`, whose tables and columns have known names.

const damages: Readonly<Record<Damage, string>> = {
  'another version': `data = replace(replace(data, '"version":1', '"version":3'), '"version":2', '"version":3')`,
  'an invalid field': `data = replace(data, '"USD"', 'true')`,
  'text that is not JSON': 'data = substr(data, 1, 30)',
}

const tables = ['auctions', 'title_words', 'entries', 'id_blocks', 'checkpoints']

/**
 * The hooks `damage` and `holdKeys` of `storeContract`, and `empty` of `reuseSubjects`.
 * @param execute runs a statement, always on the same connection, which the store does not use. An embedded database
 *   with one connection cannot have `holdKeys`
 * @param schema the schema of the tables, if the connection needs its name
 */
export function sqlHooks(execute: (statement: string) => Promise<unknown>, schema?: string) {
  const nameOf = (table: string) => (schema === undefined ? table : `${schema}.${table}`)
  return {
    async damage(kind: 'auction' | 'entry', id: number, damage: Damage) {
      const table = nameOf(kind === 'auction' ? 'auctions' : 'entries')
      await execute(`UPDATE ${table} SET ${damages[damage]} WHERE id = ${id}`)
    },
    async holdKeys(id: number) {
      await execute('BEGIN')
      await execute(
        `INSERT INTO ${nameOf('auctions')}
         (id, owner_id, product_id, created_at_ms, stage, stage_ms, corrections, data)
         VALUES (${id}, 1, 7, 0, 0, 0, 0, '')`,
      )
      await execute(
        `INSERT INTO ${nameOf('entries')} (id, auction_id, sequence, at_ms, data) VALUES (${id}, ${id}, 1, 0, '')`,
      )
      return async () => void (await execute('ROLLBACK'))
    },
    async empty() {
      for (const table of tables) await execute(`DELETE FROM ${nameOf(table)}`)
    },
  }
}

const before = 'an error before a statement'

/** The faults of `createSqlFaults`, for the option `faults` of `storeContract`, and what a write stores under each. */
export const sqlFaults: Readonly<Record<string, FaultEffect>> = {
  [before]: 'nothing',
  'an error after a statement': 'all',
}

/** The functions of the database that `createSqlStore` takes. */
type SqlFunctions = {
  query(read: never): Promise<readonly object[]>
  tryWrite(write: never): Promise<boolean>
}

/** Makes the functions of a database fail, where no server can be stopped and no connection be cut. */
export function createSqlFaults() {
  let isBroken = false
  let next: string | undefined

  const failing =
    <Args extends readonly never[], Value>(call: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      const fault = next
      next = undefined
      if (isBroken || fault === before) throw new Error('the test lets this statement fail')
      const value = await call(...args)
      if (fault !== undefined) throw new Error('the test lets the response of this statement fail')
      return value
    }

  return {
    /** The database to pass to `createSqlStore`. */
    wrap: <Database extends SqlFunctions>(database: Database): Database => ({
      ...database,
      query: failing(database.query.bind(database)),
      tryWrite: failing(database.tryWrite.bind(database)),
    }),
    async breakStore() {
      isBroken = true
      return async () => {
        isBroken = false
      }
    },
    async failNext(fault: string) {
      next = fault
    },
  }
}
