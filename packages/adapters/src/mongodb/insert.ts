import {
  type Collection,
  type Document,
  MongoBulkWriteError,
  MongoServerError,
  type OptionalUnlessRequiredId,
} from 'mongodb'

/**
 * Inserts documents, and returns the indexes of those with a taken key of any unique index. An ordered insert stops at
 * the first of them; an unordered one inserts all others. The document that has the key may not be replicated to a
 * majority yet, but a failed write also waits for `w: "majority"`. So a caller that receives a taken key can read what
 * has it.
 */
export async function insert<Stored extends Document>(
  collection: Collection<Stored>,
  documents: readonly OptionalUnlessRequiredId<Stored>[],
  ordered = true,
): Promise<readonly number[]> {
  const [first] = documents
  if (first === undefined) return []
  try {
    // A single insert is a fifth faster than a bulk insert.
    if (documents.length === 1) await collection.insertOne(first)
    else await collection.insertMany(documents, { ordered })
    return []
  } catch (error) {
    const taken = takenKeys(error, documents.length, ordered)
    if (taken === undefined) throw error
    return taken
  }
}

const duplicateKeyCode = 11000

/** The documents that were not inserted, if taken keys are the only errors. */
function takenKeys(error: unknown, count: number, ordered: boolean): readonly number[] | undefined {
  if (error instanceof MongoBulkWriteError) {
    const failed = error.result.getWriteErrors()
    const taken = failed.map(({ index }) => index)
    const inserted = ordered ? taken[0] : count - taken.length
    // If the write concern also failed, inserted documents may be lost.
    const isCertain = error.result.getWriteConcernError() === undefined && error.insertedCount === inserted
    return isCertain && failed.every(({ code }) => code === duplicateKeyCode) ? taken : undefined
  }
  return error instanceof MongoServerError && error.code === duplicateKeyCode ? [0] : undefined
}
