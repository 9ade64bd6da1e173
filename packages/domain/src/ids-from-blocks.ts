import type { AuctionId, BidId } from './ids.ts'
import type { IdKind, Store } from './store.ts'

/** Hands out ids that nobody else has or will get, in this process or another; gaps are fine. */
export interface IdSource<Id> {
  /** An id, at once where one is at hand. */
  next(): Id | Promise<Id>
}

/** Ids of entries. Where the service bids within an entry, that bid has an id as well: the one that follows on the entry's. */
export interface EntryIdSource extends IdSource<BidId> {
  /** The lower of two ids of which the other one follows on it, at once where they are at hand. */
  nextPair(): BidId | Promise<BidId>
}

export type IdSources = { readonly auctions: IdSource<AuctionId>; readonly entries: EntryIdSource }

export type IdsFromBlocks<Id> = IdSource<Id> & {
  /** The lower of two ids of one block, the other of which follows on it. */
  nextPair(): Id | Promise<Id>
  /** The id that `next` would hand out now. */
  peek(): Promise<Id>
}

// Each failed claim is another process's success, so a store that goes on saying `taken` is not telling the truth.
const maxClaims = 1_000

/**
 * Hands out ids from blocks of numbers, block 1 being the ids from 1 to `idsPerBlock`. A block belongs to the process that
 * claimed it, so that an id costs a round trip only once a block, and small numbers come first. What is left of a block
 * when its process ends is never handed out. When half of a block is used, the next one is claimed ahead.
 */
export function createIdsFromBlocks<Id extends number>(
  store: Pick<Store, 'claimIdBlock' | 'highestIdBlock'>,
  kind: IdKind,
  idsPerBlock: number,
): IdsFromBlocks<Id> {
  let nextId = 1
  let lastId = 0
  let claim: Promise<number> | undefined

  function claimAhead(): Promise<number> {
    if (claim !== undefined) return claim
    const started = claimBlock(store, kind, idsPerBlock)
    claim = started
    // Whoever waits for the claim hears of its failure. Nobody may be waiting, and whoever comes next must try anew.
    started.catch(() => {
      if (claim === started) claim = undefined
    })
    return started
  }

  /** Goes on to the next block. Of all who wait for the same one, the first to wake moves on to it. */
  async function openNextBlock(): Promise<void> {
    const claimed = claimAhead()
    const block = await claimed
    if (claim !== claimed) return
    claim = undefined
    nextId = (block - 1) * idsPerBlock + 1
    lastId = block * idsPerBlock
  }

  function take(count: 1 | 2): Id {
    const id = nextId
    nextId += count
    if (lastId - id <= idsPerBlock / 2) void claimAhead()
    return id as Id // From 1 on, and checked to be a safe integer when its block was claimed.
  }

  async function takeLater(count: 1 | 2): Promise<Id> {
    if (idsPerBlock < count) throw new RangeError(`a block of ${idsPerBlock} has no two ids`)
    // What is left of a block that is too short for two is never handed out.
    while (isTooShortFor(count)) await openNextBlock()
    return take(count)
  }

  const isTooShortFor = (count: 1 | 2): boolean => lastId - nextId < count - 1

  return {
    next: () => (nextId > lastId ? takeLater(1) : take(1)),
    nextPair: () => (isTooShortFor(2) ? takeLater(2) : take(2)),
    async peek() {
      while (nextId > lastId) await openNextBlock()
      return nextId as Id // As in `take`.
    },
  }
}

/** Claims the lowest block above all that are known to be taken. */
async function claimBlock(
  store: Pick<Store, 'claimIdBlock' | 'highestIdBlock'>,
  kind: IdKind,
  idsPerBlock: number,
): Promise<number> {
  let taken = 0
  for (let claims = 0; claims < maxClaims; claims++) {
    // What was just found taken counts, even where a read does not show it yet.
    const block = Math.max((await store.highestIdBlock(kind)) ?? 0, taken) + 1
    if (!Number.isSafeInteger(block * idsPerBlock)) throw new RangeError(`block ${block} has ids above 2^53 - 1`)
    if ((await store.claimIdBlock(kind, block)) === 'claimed') return block
    taken = block
  }
  throw new Error(`the store called ${maxClaims} blocks of ids taken, one after another`)
}
