import type { Clock } from '../clock.ts'
import type { Limits } from '../limits.ts'
import { observesStoreCalls, type SafeObserver, type StoreOperation } from '../observer.ts'
import type { ReadSignal, Store } from '../store.ts'
import { isStoreUnavailable, StoreUnavailableError } from '../store-unavailable.ts'
import { createObservedStore } from './observed-store.ts'

/**
 * The store as the domain uses it: nobody waits for it longer than a part of the deadline, reads that fail are tried again while
 * a caller waits for them, and what it reports is checked before anything is concluded from it.
 * @throws TypeError when the store has no number of partitions
 */
export function createCheckedStore(store: Store, clock: Clock, limits: Limits, observer?: SafeObserver): Store {
  // A command may need a read, a write, and a look at what the write has done, all before its deadline.
  const timeoutMs = Math.ceil(limits.deadlineMs * 0.4)

  function bounded<Value>(call: (signal: ReadSignal) => Promise<Value>, caller?: ReadSignal): Promise<Value> {
    return new Promise((resolve, reject) => {
      let isLate = false
      const signal = {
        get aborted() {
          return isLate || caller?.aborted === true
        },
      }
      const callOff = clock.after(timeoutMs, () => {
        isLate = true
        reject(new StoreUnavailableError(`the store did not answer within ${timeoutMs} ms`))
      })
      // In a function of its own, so that a store that throws at once is as one that rejects.
      const answer = (async () => call(signal))()
      answer.then(resolve, reject).finally(callOff)
    })
  }

  /**
   * What may be done twice is tried again, within the time of one: reads, and claims of ids, as a block that was claimed in vain is
   * found taken, and the next one is claimed.
   */
  const repeatable = <Value>(
    operation: StoreOperation,
    call: (signal: ReadSignal) => Promise<Value>,
    caller?: ReadSignal,
  ): Promise<Value> =>
    bounded(async (signal) => {
      for (let tries = 1; ; tries++) {
        if (signal.aborted) throw new StoreUnavailableError('the caller no longer waits for the read')
        try {
          return await call(signal)
        } catch (error) {
          if (!isStoreUnavailable(error) || tries >= limits.maxTries || signal.aborted) throw error
          observer?.onStoreRetry(operation)
        }
      }
    }, caller)

  const checked: Store = {
    partitions: integerFrom(1, store.partitions, 'has', 'as its number of partitions'),
    partitionOf: (auctionId) => store.partitionOf(auctionId),
    insertAuction: async (auction) =>
      oneOf(['inserted', 'taken'], await bounded(() => store.insertAuction(auction)), 'insertAuction'),
    findAuction: (id) => repeatable('findAuction', () => store.findAuction(id)),
    findAuctionByKey: (key) => repeatable('findAuctionByKey', () => store.findAuctionByKey(key)),
    async listAuctions(query) {
      const call = (signal: ReadSignal) => store.listAuctions({ ...query, signal })
      const page = await repeatable('listAuctions', call, query.signal)
      for (const error of page.unreadable ?? []) observer?.onUnreadable(error)
      return page
    },
    async append(entries) {
      const { stored } = await bounded(() => store.append(entries))
      if (Number.isInteger(stored) && stored >= 0 && stored <= entries.length) return { stored }
      throw new TypeError(`the store reported ${String(stored)} of ${entries.length} entries as stored`)
    },
    findHeads: async (ids, caller) =>
      ids.length === 0 ? [] : repeatable('findHeads', (signal) => store.findHeads(ids, signal), caller),
    findEntries: async (ids, partition) =>
      ids.length === 0 ? [] : repeatable('findEntries', () => store.findEntries(ids, partition)),
    findEntriesByKey: async (keys, partition) =>
      keys.length === 0 ? [] : repeatable('findEntriesByKey', () => store.findEntriesByKey(keys, partition)),
    listEntries: (auctionId, query) =>
      repeatable('listEntries', (signal) => store.listEntries(auctionId, { ...query, signal }), query.signal),
    claimIdBlock: async (kind, block) =>
      oneOf(
        ['claimed', 'taken'],
        await repeatable('claimIdBlock', () => store.claimIdBlock(kind, block)),
        'claimIdBlock',
      ),
    async highestIdBlock(kind) {
      const block = await repeatable('highestIdBlock', () => store.highestIdBlock(kind))
      // Of a block that is no whole number, the ids would be those of two others.
      return block === undefined ? undefined : integerFrom(0, block, 'reported', 'as the highest block of ids')
    },
  }
  return observer !== undefined && observesStoreCalls(observer) ? createObservedStore(checked, observer) : checked
}

function oneOf<const Value extends string>(values: readonly Value[], value: Value, operation: string): Value {
  if (values.includes(value)) return value
  throw new TypeError(`the store's ${operation} returned ${String(value)}, which is none of ${values.join(', ')}`)
}

function integerFrom(least: number, value: number, verb: string, role: string): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new TypeError(`the store ${verb} ${String(value)} ${role}, which is no integer from ${least} on`)
}
