import type { IdKind, Store } from './store.ts'

/** Returns ids that are unique across all processes. Gaps are allowed. */
export type IdSource<Id> = {
  /** The next id, synchronously if one is available. */
  next(): Id | Promise<Id>
  /** The lower of two consecutive ids: an automatic bid within an entry has the id after the entry's. */
  nextPair(): Id | Promise<Id>
}

type ClaimingStore = Pick<Store, 'claimNextIdBlock'>

/**
 * Returns ids from blocks of numbers. Block 1 has the ids from 1 to `idsPerBlock`. A block belongs to the process that
 * claimed it, so ids need one round trip per block, and stay small. The rest of a block is lost when its process ends.
 * The next block is claimed when half of a block is used.
 */
export function createIdsFromBlocks<Id extends number>(
  store: ClaimingStore,
  kind: IdKind,
  idsPerBlock: number,
): IdSource<Id> {
  let nextId = 1
  let lastId = 0
  let claim: Promise<number> | undefined

  function claimAhead(): Promise<number> {
    if (claim !== undefined) return claim
    const started = claimBlock(store, kind, idsPerBlock)
    claim = started
    // Waiting callers receive the error. Without any, this avoids an unhandled rejection; the next caller claims again.
    started.catch(() => {
      if (claim === started) claim = undefined
    })
    return started
  }

  /** Continues with the next block. If several callers wait for one claim, the first to resume opens the block. */
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
    return id as Id // At least 1, and a safe integer, checked when the block was claimed.
  }

  async function takeLater(count: 1 | 2): Promise<Id> {
    if (idsPerBlock < count) throw new RangeError(`a block of ${idsPerBlock} ids cannot contain a pair of ids`)
    // A single remaining id is not used for pairs.
    while (isTooShortFor(count)) await openNextBlock()
    return take(count)
  }

  const isTooShortFor = (count: 1 | 2): boolean => lastId - nextId < count - 1

  return {
    next: () => (nextId > lastId ? takeLater(1) : take(1)),
    nextPair: () => (isTooShortFor(2) ? takeLater(2) : take(2)),
  }
}

/**
 * Returns ids of blocks in random order, so that two ids of a block do not tell how many were taken between them.
 * @param draw returns a random integer from 0 on that is below the given one
 */
export function createScatteredIds<Id extends number>(
  store: ClaimingStore,
  kind: IdKind,
  idsPerBlock: number,
  draw: (below: number) => number,
): () => Id | Promise<Id> {
  let first = 1
  let next = idsPerBlock
  let claim: Promise<void> | undefined
  // The numbers of the block in shuffled order (Fisher and Yates), but for those that have not moved.
  const moved = new Map<number, number>()
  const at = (index: number) => moved.get(index) ?? index

  function take(): Id {
    const index = next + draw(idsPerBlock - next)
    const taken = at(index)
    moved.set(index, at(next))
    moved.delete(next)
    next += 1
    return (first + taken) as Id // At least 1, and a safe integer, checked when the block was claimed.
  }

  async function openNextBlock(): Promise<void> {
    const block = await claimBlock(store, kind, idsPerBlock)
    moved.clear()
    first = (block - 1) * idsPerBlock + 1
    next = 0
  }

  async function takeLater(): Promise<Id> {
    while (next === idsPerBlock) {
      claim ??= openNextBlock().finally(() => {
        claim = undefined
      })
      await claim
    }
    return take()
  }

  return () => (next === idsPerBlock ? takeLater() : take())
}

/** @throws RangeError if the ids of the block are not exact numbers */
async function claimBlock(store: ClaimingStore, kind: IdKind, idsPerBlock: number): Promise<number> {
  const block = await store.claimNextIdBlock(kind)
  if (!Number.isSafeInteger(block * idsPerBlock)) throw new RangeError(`block ${block} has ids above 2^53 - 1`)
  return block
}
