import { defined } from '@auction/domain/parsing'
import { type Collection, type Db, type Document, type IndexDescriptionInfo, MongoServerError } from 'mongodb'
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
 * Creates the missing indexes of a collection, with one command, for which the server reads the documents once.
 * Correctness depends on the unique ones, so each is verified: an index with the right name and another definition is
 * an error.
 *
 * Existing indexes are created again, too. MongoDB lists an index from the start of its build, perhaps by another
 * process; a second creation waits for the end of that build. Some servers do not list whether an index is sparse: they
 * accept the creation of an equal index, and refuse one with the same name and another definition. Each has its own
 * command, because FerretDB 1.24 breaks a connection with a command for several indexes that exist.
 * @param onNotice receives a notice if that takes longer than `timeoutMs`, up to `maxIndexBuildMs`
 * @throws Error with the name of the index, its definition and the required one, or with the server's reason
 */
export async function ensureIndexes(
  database: Db,
  collection: string,
  wanted: readonly Index[],
  timeoutMs: number,
  onNotice: (text: string) => void,
): Promise<void> {
  const missing = await findMissingIndexes(database, collection, wanted, timeoutMs)
  const notice = setTimeout(() => onNotice(buildNotice(collection)), timeoutMs)
  try {
    const isMissing = ({ name }: Index) => missing.includes(name)
    await makeIndexes(database.collection(collection), wanted.filter(isMissing))
    // Existing indexes need no write, so a start without a majority does not wait for one.
    const existing = database.collection(collection, { writeConcern: { w: 1 } })
    for (const index of wanted) if (!isMissing(index)) await makeIndexes(existing, [index])
  } finally {
    clearTimeout(notice)
  }
  const [lost] = missing.length > 0 ? await findMissingIndexes(database, collection, wanted, timeoutMs) : []
  if (lost !== undefined) throw new Error(`the index ${collection}.${lost} was created but is missing`)
}

const buildNotice = (collection: string): string =>
  `MongoDB: indexes of ${collection} are being built, which takes a long time with many documents; the start waits for it`

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
    if (same === undefined || isSame(same, index)) continue
    const is = `the index ${collection}.${index.name} is ${describe(same)}, but must be ${describe(index)}`
    throw new Error(`${is}; another program has changed it: stop all servers, and replace it by the required one`)
  }
  return wanted.map(({ name }) => name).filter((name) => !existing.has(name))
}

/** The server may not list whether an index is sparse: see `ensureIndexes`. */
const isSame = (existing: IndexDescriptionInfo, index: Index): boolean =>
  describe(index.sparse ? { ...existing, sparse: true } : existing) === describe(index)

/**
 * Drops the indexes that an earlier format used in another form, and those that only it used. Unique indexes with a name
 * of this format stay as they are.
 */
export async function dropReplacedIndexes(
  database: Db,
  collection: string,
  wanted: readonly Index[],
  replaced: readonly string[],
  timeoutMs: number,
): Promise<void> {
  const existing = await listIndexes(database, collection, timeoutMs)
  const changed = wanted.filter((index) => {
    const same = existing.get(index.name)
    return same !== undefined && !index.unique && !isSame(same, index)
  })
  for (const name of [...changed.map((index) => index.name), ...replaced.filter((name) => existing.has(name))]) {
    await withinTime(timeoutMs, database.collection(collection).dropIndex(name))
  }
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

async function makeIndexes(collection: Collection, indexes: readonly Index[]): Promise<void> {
  if (indexes.length === 0) return
  const definitions = indexes.map(({ key, ...options }) => ({ key: { ...key }, ...options }))
  try {
    await withinTime(maxIndexBuildMs, collection.createIndexes(definitions))
  } catch (error) {
    const names = indexes.map(({ name }) => name).join(', ')
    const reason = error instanceof Error ? error.message : String(error) // The server's message names the index.
    throw new Error(`indexes of ${collection.collectionName} cannot be created, ${names}: ${reason}`, { cause: error })
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
