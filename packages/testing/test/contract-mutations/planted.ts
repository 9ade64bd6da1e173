import { createMemoryStore } from '@auction/adapters/memory'
import type { CompleteStore, Store } from '@auction/domain/store'
import type { StoreSubject } from '../../src/store-contract.ts'
import type { CaughtBy, Mutation } from './prove-contract.ts'
import { breakable, type Power, rightSubject, subjectOf, withPower } from './subjects.ts'

export type StoreMutation = Mutation<StoreSubject>

/** Makes a row: the bug, the tests that must catch it, and what is wrong. */
type Plant<Wrong> = (bug: string, caughtBy: CaughtBy, wrong: Wrong) => StoreMutation

/** A subject with some hooks replaced. */
export const wrongSubject: Plant<(right: StoreSubject) => Partial<StoreSubject>> = (bug, caughtBy, breaks) => ({
  bug,
  caughtBy,
  makeSubject: () => {
    const right = rightSubject()
    return { ...right, ...breaks(right) }
  },
})

/** A store with some operations replaced. */
export const wrongCalls: Plant<(right: CompleteStore) => Partial<CompleteStore>> = (bug, caughtBy, breaks) => ({
  bug,
  caughtBy,
  makeSubject: () => {
    const right = createMemoryStore()
    return subjectOf({ ...right, ...breaks(right) })
  },
})

/** A store whose handles replace some operations. */
export const wrongHandles: Plant<(shared: CompleteStore) => Partial<CompleteStore>> = (bug, caughtBy, breaks) => ({
  bug,
  caughtBy,
  makeSubject: () => {
    const shared = createMemoryStore()
    const handle = () => ({ ...shared, ...breaks(shared) })
    return { ...subjectOf(handle()), openSecondHandle: async () => handle() }
  },
})

/** A store with a bug that shows when it is unavailable. Its inner store fails while it is unavailable. */
export const wrongOnFailure: Plant<(right: CompleteStore, power: Power) => Partial<CompleteStore>> = (
  bug,
  caughtBy,
  breaks,
) => ({
  bug,
  caughtBy,
  makeSubject: () => {
    const power: Power = { isOff: false }
    const right = withPower(createMemoryStore(), power)
    return breakable({ ...right, ...breaks(right, power) }, power)
  },
})

/** The faults of a transaction so far. */
type Met = { readonly hasConflict: boolean; readonly hasFailed: boolean }

/** Two handles that copy their writes to each other, until one leaves a transaction open. */
export function leavingOpen(isLeftOpen: (met: Met) => boolean): StoreSubject {
  const power: Power = { isOff: false }
  const copies = [createMemoryStore(), createMemoryStore()] as const

  function handle(own: Store, other: Store): Store {
    let isOpen = false
    const copied = async <Value>(write: (store: Store) => Promise<Value>, isConflict: (value: Value) => boolean) => {
      try {
        const value = await write(own)
        isOpen ||= isLeftOpen({ hasConflict: isConflict(value), hasFailed: false })
        if (!isOpen) await write(other)
        return value
      } catch (error) {
        isOpen ||= isLeftOpen({ hasConflict: false, hasFailed: true })
        throw error
      }
    }
    return {
      ...own,
      insertAuction: (auction) =>
        copied(
          (store) => store.insertAuction(auction),
          (result) => result === 'taken',
        ),
      append: (entries, options) =>
        copied(
          (store) => store.append(entries, options),
          (stored) => stored < entries.length,
        ),
      claimNextIdBlock: (kind) =>
        copied(
          (store) => store.claimNextIdBlock(kind),
          () => false,
        ),
    }
  }

  const store = handle(withPower(copies[0], power), copies[1])
  return { ...breakable(store, power), openSecondHandle: async () => handle(copies[1], copies[0]) }
}
