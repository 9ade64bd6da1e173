import { defaultTimeoutMs, withClients, withDatabase } from './clients.ts'
import { hasFormat } from './format.ts'
import { findMissingIndexes } from './indexes.ts'
import { indexesOf, type MongoStoreOptions } from './mongo-store.ts'

/** The state of a database before `connectMongoStore`. */
export type MongoInspection = {
  /** The hosts and the database, for display, without credentials. */
  readonly description: string
  /** What it would create, for display; empty if nothing. */
  readonly wouldMake: readonly string[]
}

/**
 * Checks whether a database can be used, without changes to it.
 * @throws Error like `connectMongoStore`
 */
export async function inspectMongoDatabase(
  uri: string,
  { timeoutMs = defaultTimeoutMs }: Pick<MongoStoreOptions, 'timeoutMs'> = {},
): Promise<MongoInspection> {
  return withClients(uri, timeoutMs, ({ openWith, databaseOf, description }) =>
    withDatabase(openWith(1), databaseOf, timeoutMs, async (database, deployment) => {
      const wouldMake = (await hasFormat(database, timeoutMs)) ? [] : ['the record of its format']
      for (const [collection, indexes] of indexesOf(deployment)) {
        const missing = await findMissingIndexes(database, collection, indexes, timeoutMs)
        wouldMake.push(...missing.map((index) => `the index ${collection}.${index}`))
      }
      return { description, wouldMake }
    }),
  )
}
