import type { Clock } from '../clock.ts'
import type { PaceKeeper } from '../ledger/contention.ts'
import type { Limits } from '../limits.ts'
import type { SafeObserver, StoreOperation } from '../observer.ts'
import { createTimeLimit, withinTime } from '../time-limit.ts'
import { isStoreUnavailable, StoreUnavailableError } from './errors.ts'
import type { CallSignal, EntryLookup, OptionalOperation, Store } from './store.ts'

type Values<Operation extends StoreOperation> = Parameters<Required<Store>[Operation]>
type Output<Operation extends StoreOperation> = Awaited<ReturnType<Required<Store>[Operation]>>

/** How an operation of the store is called, and how its result is checked. */
type Rule<Operation extends StoreOperation> = {
  /** Reads and claims of ids may be repeated: a block that a failed call has claimed is then taken, and skipped. */
  readonly isRepeatable: boolean
  /** The signal of the caller. */
  readonly signalOf?: (...values: Values<Operation>) => CallSignal | undefined
  /** The same values, with another signal. */
  readonly withSignal?: (signal: CallSignal, ...values: Values<Operation>) => Values<Operation>
  /** @throws TypeError if the result is impossible */
  readonly check?: (output: Output<Operation>, ...values: Values<Operation>) => void
}

const rules: { readonly [Operation in StoreOperation]: Rule<Operation> } = {
  insertAuction: { isRepeatable: false, check: (output) => oneOf(['inserted', 'taken'], output, 'insertAuction') },
  findAuction: { isRepeatable: true },
  findAuctions: findsBy('findAuctions'),
  listAuctions: {
    isRepeatable: true,
    signalOf: ({ signal }) => signal,
    withSignal: (signal, query) => [{ ...query, signal }],
    check: ({ items }) => listFrom(items, 'listAuctions'),
  },
  updateAgenda: { isRepeatable: true },
  addTitleWords: { isRepeatable: true },
  append: {
    isRepeatable: false,
    signalOf: (_, options) => options?.signal,
    withSignal: (signal, entries, options) => [entries, { ...options, signal }],
    check(stored, entries) {
      if (Number.isInteger(stored) && stored >= 0 && stored <= entries.length) return
      throw new TypeError(`the store reported ${String(stored)} of ${entries.length} entries as stored`)
    },
  },
  findHeads: findsBy('findHeads'),
  findEntries: findsEntriesBy('findEntries'),
  findEntriesByKey: findsEntriesBy('findEntriesByKey'),
  listEntries: listsOf('listEntries'),
  listBidderEntries: listsOf('listBidderEntries'),
  claimNextIdBlock: {
    isRepeatable: true,
    check(block) {
      // The ids of a fractional block would belong to two others.
      if (Number.isSafeInteger(block) && block >= 1) return
      throw new TypeError(`the store returned ${String(block)} as a block of ids; expected an integer of at least 1`)
    },
  },
}

/** The rule of a read by ids or keys. */
function findsBy<Wanted>(operation: StoreOperation) {
  return {
    isRepeatable: true,
    signalOf: (_: Wanted, signal?: CallSignal) => signal,
    withSignal: (signal: CallSignal, wanted: Wanted): [Wanted, CallSignal] => [wanted, signal],
    check: (output: unknown) => listFrom(output, operation),
  }
}

/** The rule of a read of entries by ids or keys. */
function findsEntriesBy<Key>(operation: StoreOperation) {
  return {
    isRepeatable: true,
    signalOf: (_: readonly Key[], lookup?: EntryLookup) => lookup?.signal,
    withSignal: (signal: CallSignal, keys: readonly Key[], lookup?: EntryLookup): [readonly Key[], EntryLookup] => [
      keys,
      { ...lookup, signal },
    ],
    check: (output: unknown) => listFrom(output, operation),
  }
}

/** The rule of a list of the entries of an auction or a bidder. */
function listsOf<Id, Query extends { readonly signal?: CallSignal | undefined }>(operation: StoreOperation) {
  return {
    isRepeatable: true,
    signalOf: (_: Id, { signal }: Query) => signal,
    withSignal: (signal: CallSignal, id: Id, query: Query): [Id, Query] => [id, { ...query, signal }],
    check: (output: unknown) => listFrom(output, operation),
  }
}

/** The names of the operations, including those that a store may lack. */
export const storeOperations = Object.keys(rules) as readonly StoreOperation[]

const optional: readonly string[] = ['addTitleWords', 'listBidderEntries'] satisfies readonly OptionalOperation[]

/** The names of the operations that every store has. */
export const requiredOperations = storeOperations.filter((operation) => !optional.includes(operation))

type GuardedStoreParts = {
  readonly store: Store
  readonly clock: Clock
  readonly limits: Pick<Limits, 'deadlineMs' | 'maxTries'>
  readonly observer?: SafeObserver | undefined
  /** Called at the start of each call; the returned function is called when the store has responded. */
  readonly startTiming?: PaceKeeper['start'] | undefined
}

/**
 * The store as the domain uses it: a call takes at most a part of the deadline, failed reads are retried while a caller
 * waits for them, results are checked before use, and each call is reported to the observer.
 */
export function createGuardedStore({ store, clock, limits, observer, startTiming }: GuardedStoreParts): Store {
  // A command may need a read, a write, and a read of what the write has stored, all before its deadline.
  const limit = createTimeLimit(clock, Math.ceil(limits.deadlineMs * 0.4))
  const lateError = () => new StoreUnavailableError(`the store did not respond within ${limit.ms} ms`)

  function guarded<Operation extends StoreOperation>(operation: Operation, unguarded: Required<Store>[Operation]) {
    const rule: Rule<Operation> = rules[operation]
    const { isRepeatable, signalOf, withSignal, check } = rule
    // The cast: TypeScript cannot relate the values of an operation to its result.
    const run = unguarded.bind(store) as unknown as (...values: Values<Operation>) => Promise<Output<Operation>>
    function call(signal: CallSignal, values: Values<Operation>): Promise<Output<Operation>> {
      if (signal.aborted) throw new StoreUnavailableError('the caller no longer waits for the store')
      return run(...(withSignal ? withSignal(signal, ...values) : values))
    }

    async function callUntilDone(signal: CallSignal, values: Values<Operation>): Promise<Output<Operation>> {
      for (let tries = 1; ; tries++) {
        try {
          return await call(signal, values)
        } catch (error) {
          if (!isStoreUnavailable(error) || tries >= limits.maxTries || signal.aborted) throw error
          observer?.onStoreRetry(operation)
        }
      }
    }

    const work = isRepeatable ? callUntilDone : call

    return async (...values: Values<Operation>): Promise<Output<Operation>> => {
      const end = observer?.onStoreCall(operation)
      const endTiming = startTiming?.(operation)
      try {
        const output = await withinTime(limit, (signal) => work(signal, values), lateError, signalOf?.(...values))
        check?.(output, ...values)
        endTiming?.()
        end?.()
        return output
      } catch (cause) {
        end?.({ cause })
        throw cause
      }
    }
  }

  // The cast: the table has each operation, and these are those of the store.
  const operations = Object.fromEntries(
    storeOperations.flatMap((operation) => {
      const unguarded = store[operation]
      return unguarded === undefined ? [] : [[operation, guarded(operation, unguarded)]]
    }),
  ) as unknown as Store
  return store.partOf === undefined ? operations : { ...operations, partOf: store.partOf.bind(store) }
}

function oneOf(values: readonly string[], value: string, operation: string): void {
  if (values.includes(value)) return
  throw new TypeError(`the store's ${operation} returned ${String(value)}; expected one of ${values.join(', ')}`)
}

function listFrom(value: unknown, operation: string): void {
  if (Array.isArray(value)) return
  throw new TypeError(`the store's ${operation} returned ${String(value)}; expected a list`)
}
