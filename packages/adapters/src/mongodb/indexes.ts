import { type Db, type Document, type IndexDescriptionInfo, MongoServerError } from 'mongodb'
import { within } from './driver-call.ts'

export type Index = {
  readonly name: string
  /** The order of the fields counts, as it does for MongoDB. */
  readonly key: Readonly<Record<string, 1 | -1>>
  readonly unique?: true
  readonly sparse?: true
  readonly partialFilterExpression?: Document
}

type Indexes = ReadonlyMap<string | undefined, IndexDescriptionInfo>

/** A build reads all documents of a collection, while the service goes on elsewhere. */
export const maxIndexBuildMs = 24 * 60 * 60 * 1_000

/**
 * Makes the indexes that a collection lacks. All correctness rests on the unique ones, so none is taken on trust: an index
 * of the right name that is another stops the start.
 *
 * Those that are listed are made as well. MongoDB lists an index from the moment that its build begins, for another process,
 * say; to make it again waits for the end of that build, and is nothing once it is there. Other servers do not list that an
 * index is sparse: they find then that they have it, or refuse, as MongoDB does, to make one of a name that another has.
 * @param onNotice - is told of each index that takes longer than `timeoutMs`; it is waited for, as long as `maxIndexBuildMs`.
 * @throws Error that says which index it is, what it is, and what it must be.
 */
export async function ensureIndexes(
  database: Db,
  collection: string,
  wanted: readonly Index[],
  timeoutMs: number,
  onNotice: (text: string) => void,
): Promise<void> {
  const missing = await findMissingIndexes(database, collection, wanted, timeoutMs)
  for (const index of wanted) {
    const notice = setTimeout(() => onNotice(buildNotice(`${collection}.${index.name}`)), timeoutMs)
    try {
      await makeIndex(database, collection, index, !missing.includes(index.name))
    } finally {
      clearTimeout(notice)
    }
  }
  const [lost] = missing.length > 0 ? await findMissingIndexes(database, collection, wanted, timeoutMs) : []
  if (lost !== undefined) throw new Error(`the index ${collection}.${lost} was made, and is not there`)
}

const buildNotice = (name: string): string =>
  `MongoDB: the index ${name} is being built, which takes long where there are many auctions; the start waits for it`

/**
 * The names of those indexes that are not there.
 * @throws Error as `ensureIndexes`
 */
export async function findMissingIndexes(
  database: Db,
  collection: string,
  wanted: readonly Index[],
  timeoutMs: number,
): Promise<readonly string[]> {
  const found = await listIndexes(database, collection, timeoutMs)
  for (const index of wanted) {
    const same = found.get(index.name)
    if (same === undefined) continue
    // Whether it is sparse, the server may not say: see `ensureIndexes`.
    if (describe(index.sparse ? { ...same, sparse: true } : same) === describe(index)) continue
    const is = `the index ${collection}.${index.name} is ${describe(same)}, but must be ${describe(index)}`
    throw new Error(`${is}; drop it, and the next start makes it anew`)
  }
  return wanted.map(({ name }) => name).filter((name) => !found.has(name))
}

const namespaceNotFoundCode = 26

async function listIndexes(database: Db, collection: string, timeoutMs: number): Promise<Indexes> {
  try {
    const indexes = await within(timeoutMs, database.collection(collection).indexes())
    return new Map(indexes.map((index) => [index.name, index]))
  } catch (error) {
    if (error instanceof MongoServerError && error.code === namespaceNotFoundCode) return new Map()
    throw error
  }
}

async function makeIndex(database: Db, collection: string, index: Index, isListed: boolean): Promise<void> {
  const { key, ...options } = index
  // What is there is not written: a start on a database that lacks its majority need not wait for one.
  const indexes = database.collection(collection, isListed ? { writeConcern: { w: 1 } } : {})
  try {
    await within(maxIndexBuildMs, indexes.createIndex(key, options))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the index ${collection}.${index.name}, ${describe(index)}, can't be made: ${reason}`, {
      cause: error,
    })
  }
}

/** All of an index that changes what it guarantees. A sparse, partial or collated index is unique in less, or in more. */
function describe(index: Index | IndexDescriptionInfo): string {
  const { key, unique, expireAfterSeconds, sparse, partialFilterExpression, collation }: Partial<IndexDescriptionInfo> =
    index
  const options = { expireAfterSeconds, sparse: sparse || undefined, partialFilterExpression, collation }
  const named = Object.entries(options).filter(([, value]) => value !== undefined)
  return [
    JSON.stringify(key),
    unique ? 'unique' : 'not unique',
    ...named.map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  ].join(', ')
}
