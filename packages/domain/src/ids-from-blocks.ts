import type { AuctionId, BidId } from './ids.ts'
import type { IdKind, Store } from './store.ts'

/** Hands out ids that nobody else has or will get, in this process or another; gaps are fine. */
export interface IdSource<Id> {
  /** An id, at once where one is at hand. */
  next(): Id | Promise<Id>
}

export type IdSources = { readonly auctions: IdSource<AuctionId>; readonly entries: IdSource<BidId> }

export type PeekableIds<Id> = IdSource<Id> & {
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
): PeekableIds<Id> {
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

  function take(): Id {
    const id = nextId++
    if (lastId - id <= idsPerBlock / 2) void claimAhead()
    return id as Id // From 1 on, and checked to be a safe integer when its block was claimed.
  }

  async function takeLater(): Promise<Id> {
    while (nextId > lastId) await openNextBlock()
    return take()
  }

  return {
    next: () => (nextId > lastId ? takeLater() : take()),
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
