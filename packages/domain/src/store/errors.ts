import { hasCode, shortened } from '../values/validation.ts'

/** What is known of a write after its store failed. */
export type WriteOutcome = 'unknown' | 'nothing-changed'

/**
 * The store is unavailable or did not respond. Stores and use cases throw it. `outcome` is valid only if a use case
 * throws it, because a store does not know the effect of earlier calls.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  readonly code = 'store-unavailable'
  readonly outcome: WriteOutcome

  constructor(message: string, options: { readonly cause?: unknown; readonly outcome?: WriteOutcome } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {})
    this.outcome = options.outcome ?? 'unknown'
  }
}

export const isStoreUnavailable = (error: unknown): error is StoreUnavailableError =>
  hasCode(error, 'store-unavailable')

/**
 * The store of the service lacks an optional operation, so the service cannot do what needs it. The message names both.
 * Nothing was changed, and the same request fails again.
 */
export class UnsupportedByStoreError extends Error {
  override readonly name = 'UnsupportedByStoreError'
  readonly code = 'unsupported-by-store'
}

export const isUnsupportedByStore = (error: unknown): error is UnsupportedByStoreError =>
  hasCode(error, 'unsupported-by-store')

/** Adds the outcome to a StoreUnavailableError. Returns any other error unchanged. */
export const withOutcome = (error: unknown, outcome: WriteOutcome): unknown =>
  isStoreUnavailable(error) ? new StoreUnavailableError(error.message, { cause: error, outcome }) : error

/**
 * A stored auction or entry is unreadable: another program or a newer version wrote it, or it is damaged. Lists and the
 * closer skip such an auction; other reads throw this error. The message has ids but no values, which may be secret.
 */
export class UnreadableStoredError extends Error {
  override readonly name = 'UnreadableStoredError'
  readonly code = 'unreadable-stored'
  readonly kind: 'auction' | 'entry'

  /** @param what the record, as far as it is readable @param problem completes "the stored … has …" */
  constructor(
    kind: UnreadableStoredError['kind'],
    what: { readonly id?: unknown; readonly auctionId?: unknown },
    problem: string,
  ) {
    const named = `${kind} ${'id' in what ? numberOf(what.id) : 'without an id'}`
    const whose = kind === 'entry' && 'auctionId' in what ? ` of auction ${numberOf(what.auctionId)}` : ''
    super(`the stored ${named}${whose} has ${problem}`)
    this.kind = kind
  }
}

export const isUnreadableStored = (error: unknown): error is UnreadableStoredError =>
  hasCode(error, 'unreadable-stored')

/** The UnreadableStoredError in an error or its causes. */
export function unreadableCauseOf(error: unknown): UnreadableStoredError | undefined {
  if (isUnreadableStored(error)) return error
  return error instanceof Error && error.cause !== undefined ? unreadableCauseOf(error.cause) : undefined
}

const numberOf = (id: unknown): string =>
  typeof id === 'number' || typeof id === 'string' ? shortened(String(id)) : 'with an invalid id'

/** The readable values of a list, and the errors of the unreadable ones. */
type ReadEach<Value> = {
  readonly values: readonly Value[]
  readonly unreadable: readonly UnreadableStoredError[]
}

/** Parses the rows of a list. Collects each UnreadableStoredError that `parse` throws; other errors propagate. */
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

/** Reads by keys. Splits a read that fails for unreadable data until that is alone, then reports and omits it. */
export async function findReadable<Key, Found>(
  keys: readonly Key[],
  read: (keys: readonly Key[]) => Promise<readonly Found[]>,
  observer: { readonly onUnreadable: (error: UnreadableStoredError) => void } | undefined,
): Promise<readonly Found[]> {
  try {
    return await read(keys)
  } catch (error) {
    if (!isUnreadableStored(error)) throw error
    if (keys.length === 1) {
      observer?.onUnreadable(error)
      return []
    }
    const half = Math.ceil(keys.length / 2)
    const first = await findReadable(keys.slice(0, half), read, observer)
    return [...first, ...(await findReadable(keys.slice(half), read, observer))]
  }
}
