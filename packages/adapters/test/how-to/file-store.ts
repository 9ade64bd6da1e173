import type { Auction } from '@auction/domain/auction/auction'
import type { Entry } from '@auction/domain/ledger/entry'
import type { IdKind, Store, StoredAuction } from '@auction/domain/store'
import { parseStoredAuction, parseStoredEntry, storedVersion } from '@auction/domain/stored'
import { type OpenFile, openJournal } from './journal.ts'
import { pageOf } from './pages.ts'

export type FileStore = Store & { close(): Promise<void> }

type Versioned = { readonly version: number }
/** One write is one line, so that it is stored as a whole or not at all. */
type Line =
  | { readonly auction: StoredAuction & Versioned }
  | { readonly entries: readonly (Entry & Versioned)[] }
  | { readonly block: readonly [kind: IdKind, block: number] }

// All that must be unique, each as a text.
const keysOfRequest = (key: string | undefined) => (key === undefined ? [] : [`request ${key}`])
const keysOfAuction = ({ id, requestKey }: StoredAuction) => [`auction ${id}`, ...keysOfRequest(requestKey)]
const keysOfEntry = ({ id, auctionId, sequence, requestKey }: Entry) => [
  `entry ${id}`,
  `place ${auctionId} ${sequence}`,
  ...keysOfRequest(requestKey),
]
const keysOfBlock = (kind: IdKind, block: number) => [`block ${kind} ${block}`]

/**
 * A store of one process in one file. All of it is in memory as well, from where it is read.
 * @throws Error when the file is damaged, or was written by a version that this one does not know
 */
export async function openFileStore(path: string, openFile?: OpenFile): Promise<FileStore> {
  const taken = new Set<string>()
  const auctions = new Map<number, Auction>()
  const auctionsByKey = new Map<string, Auction>()
  const entries = new Map<number, Entry>()
  const entriesByKey = new Map<string, Entry>()
  const ledgers = new Map<number, Entry[]>()
  const highestBlocks = new Map<IdKind, number>()

  /** Puts a line into memory: when it was read, and when it has just been written. */
  function replay(text: string): void {
    const line = JSON.parse(text) as Line // Only `write` makes lines. What is in them is parsed below.
    if ('auction' in line) {
      const { requestKey } = line.auction
      const auction = parseStoredAuction(line.auction)
      take(keysOfAuction(line.auction))
      auctions.set(auction.id, auction)
      if (requestKey !== undefined) auctionsByKey.set(requestKey, auction)
    } else if ('entries' in line) {
      for (const entry of line.entries.map(parseStoredEntry)) {
        take(keysOfEntry(entry))
        entries.set(entry.id, entry)
        if (entry.requestKey !== undefined) entriesByKey.set(entry.requestKey, entry)
        const ledger = ledgers.get(entry.auctionId)
        if (ledger === undefined) ledgers.set(entry.auctionId, [entry])
        else ledger.push(entry)
      }
    } else {
      const [kind, block] = line.block
      take(keysOfBlock(kind, block))
      highestBlocks.set(kind, Math.max(highestBlocks.get(kind) ?? 0, block))
    }
  }

  const isTaken = (keys: readonly string[]) => keys.some((key) => taken.has(key))
  const take = (keys: readonly string[]) => {
    for (const key of keys) taken.add(key)
  }

  const journal = await openJournal(path, replay, openFile)

  /** First on the disk, then in memory: nobody reads, or finds taken, what may be lost. */
  async function write(line: Line): Promise<void> {
    const text = JSON.stringify(line)
    await journal.append(text)
    replay(text)
  }

  let lastTurn: Promise<unknown> = Promise.resolve()
  /** One write after the other: each has to see which keys those before it took. */
  function inTurn<Value>(body: () => Promise<Value>): Promise<Value> {
    const turn = lastTurn.then(body)
    lastTurn = turn.catch(() => undefined)
    return turn
  }

  /** The entries before the first of which a key is taken, be it by one of themselves. */
  function freePrefix(batch: readonly Entry[]): readonly Entry[] {
    const own = new Set<string>()
    const conflict = batch.findIndex((entry) => {
      const keys = keysOfEntry(entry)
      if (isTaken(keys) || keys.some((key) => own.has(key))) return true
      for (const key of keys) own.add(key)
      return false
    })
    return conflict < 0 ? batch : batch.slice(0, conflict)
  }

  return {
    partitions: 1,
    partitionOf: () => 0,

    insertAuction: (auction) =>
      inTurn(async () => {
        if (isTaken(keysOfAuction(auction))) return 'taken'
        await write({ auction: { version: storedVersion, ...auction } })
        return 'inserted'
      }),
    findAuction: async (id) => structuredClone(auctions.get(id)),
    findAuctionByKey: async (key) => structuredClone(auctionsByKey.get(key)),
    listAuctions: async (query) => structuredClone(pageOf([...auctions.values()], query)),

    append: (batch) =>
      inTurn(async () => {
        const free = freePrefix(batch)
        if (free.length > 0) await write({ entries: free.map((entry) => ({ version: storedVersion, ...entry })) })
        return { stored: free.length }
      }),
    findHeads: async (ids) => found(ids.map((id) => ledgers.get(id)?.at(-1))),
    findEntries: async (ids) => found(ids.map((id) => entries.get(id))),
    findEntriesByKey: async (keys) => found(keys.map((key) => entriesByKey.get(key))),
    async listEntries(auctionId, { limit, before = Number.POSITIVE_INFINITY }) {
      const older = (ledgers.get(auctionId) ?? []).filter(({ sequence }) => sequence < before)
      return structuredClone(older.slice(-limit).toReversed())
    },

    claimIdBlock: (kind, block) =>
      inTurn(async () => {
        if (isTaken(keysOfBlock(kind, block))) return 'taken'
        await write({ block: [kind, block] })
        return 'claimed'
      }),
    highestIdBlock: async (kind) => highestBlocks.get(kind),

    close: () => inTurn(() => journal.close()),
  }
}

/** Copies, which whoever gets them may change. */
const found = (values: readonly (Entry | undefined)[]): readonly Entry[] =>
  structuredClone(values.filter((value) => value !== undefined))
