import { defined } from '@auction/domain/parsing'
import { type Db, type Document, type IndexDescriptionInfo, MongoServerError } from 'mongodb'
import { withinTime } from './driver-call.ts'

export type Index = {
  readonly name: string
  /** The order of the fields matters. */
  readonly key: Readonly<Record<string, 1 | -1>>
  readonly unique?: true
  readonly sparse?: true
  readonly partialFilterExpression?: Document
}

type Indexes = ReadonlyMap<string | undefined, IndexDescriptionInfo>

/** A build reads all documents of a collection, while other processes continue to serve. */
export const maxIndexBuildMs = 24 * 60 * 60 * 1_000

/**
 * Creates the missing indexes of a collection. Correctness depends on the unique ones, so each is verified: an index
 * with the right name and another definition is an error.
 *
 * Existing indexes are created again, too. MongoDB lists an index from the start of its build, perhaps by another
 * process; a second creation waits for the end of that build. Some servers do not list whether an index is sparse: they
 * accept the creation of an equal index, and refuse one with the same name and another definition.
 * @param onNotice receives a notice of each index that takes longer than `timeoutMs`, up to `maxIndexBuildMs`
 * @throws Error with the name of the index, its definition and the required one
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
  if (lost !== undefined) throw new Error(`the index ${collection}.${lost} was created but is missing`)
}

const buildNotice = (name: string): string =>
  `MongoDB: the index ${name} is being built, which takes a long time with many auctions; the start waits for it`

/**
 * The names of the missing indexes.
 * @throws Error like `ensureIndexes`
 */
async function findMissingIndexes(
  database: Db,
  collection: string,
  wanted: readonly Index[],
  timeoutMs: number,
): Promise<readonly string[]> {
  const existing = await listIndexes(database, collection, timeoutMs)
  for (const index of wanted) {
    const same = existing.get(index.name)
    if (same === undefined) continue
    // The server may not list whether it is sparse: see `ensureIndexes`.
    if (describe(index.sparse ? { ...same, sparse: true } : same) === describe(index)) continue
    const is = `the index ${collection}.${index.name} is ${describe(same)}, but must be ${describe(index)}`
    throw new Error(`${is}; drop it, and the next start creates it again`)
  }
  return wanted.map(({ name }) => name).filter((name) => !existing.has(name))
}

const namespaceNotFoundCode = 26

async function listIndexes(database: Db, collection: string, timeoutMs: number): Promise<Indexes> {
  try {
    const indexes = await withinTime(timeoutMs, database.collection(collection).indexes())
    return new Map(indexes.map((index) => [index.name, index]))
  } catch (error) {
    if (error instanceof MongoServerError && error.code === namespaceNotFoundCode) return new Map()
    throw error
  }
}

async function makeIndex(database: Db, collection: string, index: Index, isListed: boolean): Promise<void> {
  const { key, ...options } = index
  // An existing index needs no write, so a start without a majority does not wait for one.
  const indexes = database.collection(collection, isListed ? { writeConcern: { w: 1 } } : {})
  try {
    await withinTime(maxIndexBuildMs, indexes.createIndex(key, options))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the index ${collection}.${index.name}, ${describe(index)}, cannot be created: ${reason}`, {
      cause: error,
    })
  }
}

/**
 * The options of an index that affect what it guarantees. Sparse, partial and collated indexes define uniqueness
 * differently.
 */
function describe(index: Index | IndexDescriptionInfo): string {
  const { key, unique, expireAfterSeconds, sparse, partialFilterExpression, collation }: Partial<IndexDescriptionInfo> =
    index
  const options = defined({ expireAfterSeconds, sparse: sparse || undefined, partialFilterExpression, collation })
  return [
    JSON.stringify(key),
    unique ? 'unique' : 'not unique',
    ...Object.entries(options).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  ].join(', ')
}
