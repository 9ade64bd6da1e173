import { createMemoryStore } from '@auction/adapters/memory'
import type { Checkpoints } from '@auction/delivery/checkpoints'
import { directoryIds } from '../../src/ledger/directory.ts'
import { StoreUnavailableError } from '../../src/store/errors.ts'
import type {
  AnyEntry,
  CompleteStore,
  DirectoryEntry,
  Entry,
  RegisterEntry,
  RegisterListed,
  StoredAuction,
} from '../../src/store/store.ts'
import { type AuctionId, ledgerIdOf } from '../../src/values/ids.ts'
import type { Chance } from './chance.ts'
import type { VirtualTime } from './virtual-time.ts'

export type ReplicatedStore = DeliveredStore & {
  /** The primary is lost. A new one continues with the data of the majority: the rest is rolled back. */
  failOver(): void
  /** The data of the majority. */
  everything(): Promise<Everything>
}

/** A store with the checkpoints in the same place. */
export type DeliveredStore = CompleteStore & { readonly checkpoints: Checkpoints }

export type Everything = {
  readonly auctions: readonly StoredAuction[]
  readonly ledger: readonly Entry[]
  /** The entries of all listed registers, and of their directory. */
  readonly registers: readonly (RegisterEntry | DirectoryEntry<RegisterListed>)[]
}

type Write = {
  readonly number: number
  readonly applyTo: (store: DeliveredStore) => Promise<unknown>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** No bound. */
const all = Number.MAX_SAFE_INTEGER

/**
 * A store whose primary applies writes immediately, and whose majority follows. A write returns when the majority has
 * it, and all writes that it depends on: a key that is reported as taken stays taken. Reads return the data of the
 * majority.
 * @param lagMs the maximum time until a majority has a write
 */
export function createReplicatedStore(lagMs: number, chance: Chance, time: VirtualTime): ReplicatedStore {
  const majority = createMemoryStore()
  let primary = createMemoryStore()
  const followed: Write['applyTo'][] = []
  /** The writes that only the primary has, in order. */
  let ahead: Write[] = []
  let writes = 0

  function write<Value>(applyTo: (store: DeliveredStore) => Promise<Value>): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const number = ++writes
    const response = applyTo(primary)
    response.catch(ignore) // The caller receives the error later.
    ahead.push({ number, applyTo, resolve, reject })
    if (lagMs === 0) followUpTo(number)
    else time.after(chance.int(0, lagMs), () => followUpTo(number))
    return promise.then(() => response)
  }

  function followUpTo(number: number): void {
    while (ahead[0] !== undefined && ahead[0].number <= number) {
      const { applyTo, resolve } = ahead[0]
      ahead.shift()
      applyTo(majority).catch(ignore) // The primary has reported the error.
      followed.push(applyTo)
      resolve()
    }
  }

  return {
    failOver() {
      primary = createMemoryStore()
      for (const applyTo of followed) applyTo(primary).catch(ignore)
      for (const { reject } of ahead) reject(new StoreUnavailableError('the simulated primary was lost'))
      ahead = []
    },
    async everything() {
      const { items, next } = await majority.listAuctions({ limit: all, order: 'newest' })
      if (next !== undefined) throw new RangeError('a simulation has more auctions than a page of the store')
      const auctions = items.map(({ auction }) => auction)
      const ledgers = await Promise.all(auctions.map(({ id }) => majority.listEntries(id, { limit: all })))
      const found = await majority.findAuctions({ ids: auctions.map(({ id }) => id) })
      const keyed = found.map(({ auction, ...key }): StoredAuction => ({ ...auction, ...key }))
      // The casts: of the ledgers of registers and of their directory, by their ids.
      const entriesOf = (id: AuctionId): Promise<readonly AnyEntry[]> => majority.listEntries(id, { limit: all })
      const lines = (await entriesOf(directoryIds.registers)) as readonly DirectoryEntry<RegisterListed>[]
      const registers = await Promise.all(lines.map(({ event }) => entriesOf(ledgerIdOf(event.id))))
      return {
        auctions: keyed,
        ledger: ledgers.flat(),
        registers: [...lines, ...(registers.flat() as RegisterEntry[])],
      }
    },
    insertAuction: (auction) => write((copy) => copy.insertAuction(auction)),
    updateAgenda: (updates) => write((copy) => copy.updateAgenda(updates)),
    addTitleWords: (id, words) => write((copy) => copy.addTitleWords(id, words)),
    append: (entries) => write((copy) => copy.append(entries)),
    claimNextIdBlock: (kind) => write((copy) => copy.claimNextIdBlock(kind)),
    findAuction: majority.findAuction,
    findAuctions: majority.findAuctions,
    listAuctions: majority.listAuctions,
    findHeads: majority.findHeads,
    findEntries: majority.findEntries,
    findEntriesByKey: majority.findEntriesByKey,
    listEntries: majority.listEntries,
    listBidderEntries: majority.listBidderEntries,
    appendedSince: majority.appendedSince,
    checkpoints: {
      save: (checkpoints) => write((copy) => copy.checkpoints.save(checkpoints)),
      find: majority.checkpoints.find,
      list: majority.checkpoints.list,
      remove: (keys) => write((copy) => copy.checkpoints.remove(keys)),
    },
  }
}

const ignore = () => undefined
