import { shortened } from './validation.ts'

/**
 * An auction or an entry is stored and can't be read: another program wrote it, a newer version of this one did, or the data is
 * damaged. Lists and the closer leave such an auction out; whatever asks for it alone fails with this error. Its message names the
 * auction and shows no other value of it, since some are secrets.
 */
export class UnreadableStoredError extends Error {
  override readonly name = 'UnreadableStoredError'
  readonly code = 'unreadable-stored'
  readonly kind: 'auction' | 'entry'

  /** @param what which one it is, as far as that can be read; `fault` completes "the stored … has …" */
  constructor(
    kind: UnreadableStoredError['kind'],
    what: { readonly id?: unknown; readonly auctionId?: unknown },
    fault: string,
  ) {
    const named = `${kind} ${'id' in what ? numberOf(what.id) : 'without an id'}`
    const whose = kind === 'entry' && 'auctionId' in what ? ` of auction ${numberOf(what.auctionId)}` : ''
    super(`the stored ${named}${whose} has ${fault}`)
    this.kind = kind
  }
}

/** Identified by its code, since a program may hold this package twice. */
export const isUnreadableStored = (error: unknown): error is UnreadableStoredError =>
  error instanceof Error && 'code' in error && error.code === 'unreadable-stored'

/** The unreadable data that an error tells of, itself or as its cause. */
export function unreadableBehind(error: unknown): UnreadableStoredError | undefined {
  if (isUnreadableStored(error)) return error
  return error instanceof Error && error.cause !== undefined ? unreadableBehind(error.cause) : undefined
}

const numberOf = (id: unknown): string =>
  typeof id === 'number' || typeof id === 'string' ? shortened(String(id)) : 'with a faulty id'

/** What can be read of the rows of a list, and what can't. */
export type ReadEach<Value> = {
  readonly values: readonly Value[]
  readonly unreadable: readonly UnreadableStoredError[]
}

/** Parses the rows of a list one by one. `parse` throws an UnreadableStoredError for one that is left out; other errors are thrown on. */
export function readEach<Row, Value>(rows: readonly Row[], parse: (row: Row) => Value): ReadEach<Value> {
  const values: Value[] = []
  const unreadable: UnreadableStoredError[] = []
  for (const row of rows) {
    try {
      values.push(parse(row))
    } catch (error) {
      if (!isUnreadableStored(error)) throw error
      unreadable.push(error)
    }
  }
  return { values, unreadable }
}
