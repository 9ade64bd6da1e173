import type { Entry, Store, StoredAuction } from '@auction/domain/store'
import { sampleEntry } from '../samples.ts'
import { idsOf } from './helpers.ts'
import { outcomeOf } from './operations.ts'
import { type FaultEffect, otherHandle, type StoreSubject } from './suite.ts'

/** A cause of failures. */
export type Trouble = {
  /** The time when operations fail, in the names of tests. */
  readonly when: string
  /** Begins it, and returns a function that ends it, unless it ends with the next operation. */
  readonly begin: (subject: StoreSubject) => Promise<(() => Promise<void>) | undefined>
  /** What a failed write stores; undefined if it may also be stored later. */
  readonly effect: FaultEffect | undefined
}

export async function outcomesDuring<Value>({ begin }: Trouble, subject: StoreSubject, call: () => Promise<Value>) {
  const end = await begin(subject)
  const value = await call()
  await end?.()
  return value
}

// A failed write may arrive later, so a repeated write may be taken by the first one.
const maxSends = 10

/** Does what the domain does after a failure: it finds entries by their ids, and repeats those that are missing. */
export async function sendUntilStored(store: Store, entries: readonly Entry[]): Promise<void> {
  for (let sends = 0; sends < maxSends; sends++) {
    const storedIds = new Set(idsOf(await store.findEntries(entries.map(({ id }) => id))))
    const rest = entries.filter(({ id }) => !storedIds.has(id))
    if (rest.length === 0) return
    await store.append(rest)
  }
}

export async function insertUntilStored(store: Store, auction: StoredAuction): Promise<void> {
  for (let sends = 0; sends < maxSends; sends++) {
    if ((await store.findAuction(auction.id)) !== undefined) return
    await store.insertAuction(auction)
  }
}

export const keyedEntries: readonly Entry[] = ['a', 'b', 'c', 'd'].map((requestKey, index) =>
  sampleEntry({ id: index + 1, sequence: index + 1, requestKey }),
)

export const outcomeDuring = (trouble: Trouble, subject: StoreSubject, call: () => Promise<unknown>) =>
  outcomesDuring(trouble, subject, () => outcomeOf(call))

/** The handles that must return the same data; at the end, including the one on the reopened data. */
export async function* handlesOf(subject: StoreSubject): AsyncIterable<Store> {
  yield subject.store
  yield await otherHandle(subject)
  if (subject.reopen !== undefined) yield await subject.reopen()
}
