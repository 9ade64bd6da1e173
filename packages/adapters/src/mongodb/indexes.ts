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

/**
 * Makes the indexes that a collection lacks. All correctness rests on the unique ones, so none is taken on trust: an index
 * of the right name that is another stops the start.
 * @throws Error that says which index it is, what it is, and what it must be.
 */
export async function ensureIndexes(
  database: Db,
  collection: string,
  wanted: readonly Index[],
  timeoutMs: number,
): Promise<void> {
  const found = await checkedIndexes(database, collection, wanted, timeoutMs)
  const missing = wanted.filter((index) => !isThere(index, found.get(index.name)))
  if (missing.length === 0) return
  for (const index of missing) await makeIndex(database, collection, index, timeoutMs)
  const after = await indexesOf(database, collection, timeoutMs)
  for (const index of missing) {
    if (!after.has(index.name)) throw new Error(`the index ${collection}.${index.name} was made, and is not there`)
    checkIndex(collection, index, after.get(index.name))
  }
}

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
  const found = await checkedIndexes(database, collection, wanted, timeoutMs)
  return wanted.map(({ name }) => name).filter((name) => !found.has(name))
}

async function checkedIndexes(
  database: Db,
  collection: string,
  wanted: readonly Index[],
  timeoutMs: number,
): Promise<Indexes> {
  const found = await indexesOf(database, collection, timeoutMs)
  for (const index of wanted) checkIndex(collection, index, found.get(index.name))
  return found
}

/**
 * Some servers that speak MongoDB's protocol do not say of an index that it is sparse. Such an index is made once more: the
 * server finds that it has it, or refuses, as MongoDB does, to make one of a name that another has.
 */
const isThere = (wanted: Index, found: IndexDescriptionInfo | undefined): boolean =>
  found !== undefined && (wanted.sparse !== true || found.sparse === true)

const namespaceNotFoundCode = 26

async function indexesOf(database: Db, collection: string, timeoutMs: number): Promise<Indexes> {
  try {
    const indexes = await within(timeoutMs, database.collection(collection).indexes())
    return new Map(indexes.map((index) => [index.name, index]))
  } catch (error) {
    if (error instanceof MongoServerError && error.code === namespaceNotFoundCode) return new Map()
    throw error
  }
}

async function makeIndex(database: Db, collection: string, index: Index, timeoutMs: number): Promise<void> {
  const { key, ...options } = index
  try {
    await within(timeoutMs, database.collection(collection).createIndex(key, options))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the index ${collection}.${index.name}, ${describe(index)}, can't be made: ${reason}`)
  }
}

function checkIndex(collection: string, wanted: Index, found: IndexDescriptionInfo | undefined): void {
  if (found === undefined) return
  // Whether it is sparse, the server may not say: see `isThere`.
  const said = wanted.sparse === true ? { ...found, sparse: true } : found
  if (describe(said) === describe(wanted)) return
  throw new Error(
    `the index ${collection}.${wanted.name} is ${describe(found)}, but must be ${describe(wanted)}; ` +
      'drop it, and the next start makes it anew',
  )
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
