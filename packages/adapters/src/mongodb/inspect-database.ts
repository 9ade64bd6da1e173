import { defaultTimeoutMs, withClients, withDatabase } from './clients.ts'
import { hasFormat } from './format.ts'
import { findMissingIndexes } from './indexes.ts'
import { indexesOf, type MongoStoreOptions } from './mongo-store.ts'

/** What `connectMongoStore` would find. */
export type MongoInspection = {
  /** Which hosts and which database, for people; no credentials. */
  readonly description: string
  /** What it would make before it is ready, for people; empty where nothing. */
  readonly wouldMake: readonly string[]
}

/**
 * Looks whether a database can be used, and makes and changes nothing in it.
 * @throws Error as `connectMongoStore`
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
