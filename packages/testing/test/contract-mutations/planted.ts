import { createMemoryStore } from '@auction/adapters/memory'
import type { StoreOperation } from '@auction/domain'
import type { Auction } from '@auction/domain/auction'
import type {
  AuctionPage,
  AuctionPosition,
  AuctionQuery,
  CompleteStore,
  Entry,
  OptionalOperation,
} from '@auction/domain/store'
import type { StoreSubject } from '../../src/store-contract.ts'
import type { CaughtBy, Mutation } from './prove-contract.ts'
import { createStoreOfSteps, type StoreSteps } from './store-of-steps.ts'
import { breakable, mapAuctions, mapEntries, type Power, rightSubject, subjectOf, withPower } from './subjects.ts'

// The rows of the tables of planted bugs: what a store does wrong, the tests that must catch it, and the wrong part.

export type StoreMutation = Mutation<StoreSubject>

/** Makes a row: the bug, the tests that must catch it, and what is wrong. */
export type Plant<Wrong> = (bug: string, caughtBy: CaughtBy, wrong: Wrong) => StoreMutation

/** A subject with some hooks replaced. */
export const wrongSubject: Plant<(right: StoreSubject) => Partial<StoreSubject>> = (bug, caughtBy, breaks) => ({
  bug,
  caughtBy,
  makeSubject: () => {
    const right = rightSubject()
    return { ...right, ...breaks(right) }
  },
})

/** A subject without a hook, which gives no reason. */
export const lacking: Plant<keyof StoreSubject> = (bug, caughtBy, hook) =>
  wrongSubject(bug, caughtBy, () => ({ [hook]: undefined }))

/** A store without an optional operation, which gives no reason. */
export const lackingOperation: Plant<OptionalOperation> = (bug, caughtBy, operation) => ({
  bug,
  caughtBy,
  makeSubject: () => {
    const right = rightSubject()
    const { [operation]: _, ...store } = right.store
    return { ...right, store }
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

/** A store with one operation replaced, which also gets the right store. */
export const wrongCall = <Name extends StoreOperation>(
  bug: string,
  caughtBy: CaughtBy,
  operation: Name,
  call: (right: CompleteStore, ...args: Parameters<CompleteStore[Name]>) => ReturnType<CompleteStore[Name]>,
): StoreMutation =>
  wrongCalls(bug, caughtBy, (right) => ({
    [operation]: (...args: Parameters<CompleteStore[Name]>) => call(right, ...args),
  }))

/** A store with some steps replaced. */
export const wrongSteps: Plant<Partial<StoreSteps>> = (bug, caughtBy, steps) => ({
  bug,
  caughtBy,
  makeSubject: () => subjectOf(createStoreOfSteps(steps)),
})

/** A store with one step replaced. */
export const wrongStep = <Name extends keyof StoreSteps>(
  bug: string,
  caughtBy: CaughtBy,
  name: Name,
  step: StoreSteps[Name],
): StoreMutation => wrongSteps(bug, caughtBy, { [name]: step })

/** A store that returns other auctions than it has. */
export const wrongAuctions: Plant<(auction: Auction) => Auction> = (bug, caughtBy, change) =>
  wrongCalls(bug, caughtBy, (right) => mapAuctions(right, change))

/** A store that returns other entries than it has. */
export const wrongEntries: Plant<(entry: Entry) => Entry> = (bug, caughtBy, change) =>
  wrongCalls(bug, caughtBy, (right) => mapEntries(right, (entries) => entries.map(change)))

/** A store that lists auctions for another query. */
export const wrongQuery: Plant<(query: AuctionQuery) => AuctionQuery> = (bug, caughtBy, change) =>
  wrongCall(bug, caughtBy, 'listAuctions', (right, query) => right.listAuctions(change(query)))

/** A store that returns other pages of auctions; `last` is the position of the last item. */
export const wrongPage: Plant<
  (page: AuctionPage, query: AuctionQuery, last: AuctionPosition | undefined) => AuctionPage
> = (bug, caughtBy, change) =>
  wrongCall(bug, caughtBy, 'listAuctions', async (right, query) => {
    const page = await right.listAuctions(query)
    return change(page, query, page.items.at(-1)?.position)
  })

/** A store that returns a wrong number of stored entries, or something that is not a number. */
export const wrongCount: Plant<(stored: number, entries: readonly Entry[]) => unknown> = (bug, caughtBy, change) =>
  wrongCall(
    bug,
    caughtBy,
    'append',
    async (right, entries) => change(await right.append(entries), entries) as number, // The bug, if it is none.
  )

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

/** A store with some operations replaced after it is reopened. */
export const wrongReopened: Plant<(right: CompleteStore) => Partial<CompleteStore>> = (bug, caughtBy, breaks) => ({
  bug,
  caughtBy,
  makeSubject: () => {
    const right = createMemoryStore()
    return { ...rightSubject(), store: right, reopen: async () => ({ ...right, ...breaks(right) }) }
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
