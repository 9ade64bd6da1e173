import type { Store } from '@auction/domain/store'
import { sampleEntry, sampleKey } from '../samples.ts'
import { auctionIdOf, auctionIdsOf, creationKey, entryIdsOf, keyedAuction, listed } from './helpers.ts'
import type { Damage, StoreSubject, Suite } from './suite.ts'

// Reserves, maximums and keys of requests are secret, and the log of a server has its errors with their causes.

const [reservePriceMinor, maximumMinor] = [876_543_219, 765_432_198] as const
const key = 'key-of-a-request'
/** Some drivers show bytes in hexadecimal digits. */
const inHex = Array.from(key, (character) => character.charCodeAt(0).toString(16)).join('')
const secret = new RegExp(`876543219|8765432\\.19|765432198|7654321\\.98|${key}|${inHex}`, 'i')

const auction = keyedAuction({ id: 5, title: 'A desk', reservePriceMinor }, creationKey(key))
const entry = sampleEntry({ id: 5, auctionId: 5, requestKey: key, maximumMinor })

const writes: readonly ((store: Store) => Promise<unknown>)[] = [
  (store) => store.insertAuction(auction),
  (store) => store.append([entry]),
  (store) => store.append([entry], { isContended: true }),
]
/** They may succeed, for example during a fault of writes. */
const reads: typeof writes = [
  (store) => store.findAuctions({ keys: [creationKey(key)] }),
  (store) => store.findEntriesByKey([sampleKey(key)]),
]

/** The depth to which programs usually log the properties of an error. */
const loggedDepth = 5

/** All texts and numbers in an error and its causes, including hidden properties. */
function everythingIn(value: unknown, depth = loggedDepth): string {
  if (typeof value === 'function') return ''
  if (typeof value !== 'object' || value === null) return `${String(value)}\n`
  if (value instanceof Uint8Array) return Array.from(value, (byte) => String.fromCharCode(byte)).join('')
  if (depth === 0) return ''
  const keys = Reflect.ownKeys(value)
  return keys.map((key) => everythingIn(Reflect.get(value, key), depth - 1)).join('')
}

/** The secrets that a failed call reveals, and whether it failed. */
async function revealedBy(call: () => Promise<unknown>) {
  try {
    await call()
    return { hasFailed: false, revealed: undefined }
  } catch (error) {
    return { hasFailed: true, revealed: secret.exec(everythingIn(error))?.[0] }
  }
}

/** Makes calls during a trouble. */
type During = <Value>(subject: StoreSubject, calls: readonly (() => Promise<Value>)[]) => Promise<readonly Value[]>

/** Declares the test of writes, and reads by keys, that fail during a trouble. */
export function secretsOfWrites({ test, expect }: Suite, when: string, during: During): void {
  test(`reveals no reserve, no maximum and no key in the errors of writes that fail ${when}`, async (subject) => {
    const calls = [...writes, ...reads].map((call) => () => revealedBy(() => call(subject.store)))
    const outcomes = await during(subject, calls)
    expect(outcomes.map(({ revealed }) => revealed)).toEqual(calls.map(() => undefined))
    expect(outcomes.slice(0, writes.length).map(({ hasFailed }) => hasFailed)).toEqual(writes.map(() => true))
  })
}

/** Declares the test of reads of damaged data. */
export function secretsOfReads({ test, expect }: Suite, damage: Damage, which: string): void {
  test(`reveals no reserve, no maximum and no key in the errors of data ${which}`, async (subject) => {
    const { store } = subject
    await store.insertAuction(auction)
    await store.append([entry])
    await subject.damage?.('auction', 5, damage)
    await subject.damage?.('entry', 5, damage)
    const ofBidder = store.listBidderEntries?.bind(store)
    const reads = [
      () => store.findAuction(auctionIdOf(5)),
      () => store.findAuctions({ ids: auctionIdsOf([5]) }),
      () => store.findHeads(auctionIdsOf([5])),
      () => store.findEntries(entryIdsOf([5])),
      () => store.listEntries(auctionIdOf(5), { limit: 1 }),
      ...(ofBidder ? [() => ofBidder(entry.event.bidderId, { limit: 1 })] : []),
    ]
    for (const read of reads) expect(await revealedBy(read)).toEqual({ hasFailed: true, revealed: undefined })
    const { unreadable = [] } = await store.listAuctions({ order: 'newest', limit: 1 })
    expect([unreadable.length, secret.exec(unreadable.map((error) => everythingIn(error)).join())]).toEqual([1, null])
    expect(await listed(store)).toEqual([])
  })
}
