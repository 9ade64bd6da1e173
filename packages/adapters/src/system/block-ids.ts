import type { IdSource } from '@auction/domain/ports/id-source'

/** Which blocks of ids are claimed, by any process. */
export interface BlockStore {
  /** Claims a block durably, or answers `taken` when somebody has it. */
  insert(block: number): Promise<'inserted' | 'taken'>
  /** The highest block that is claimed, if any is. */
  highest(): Promise<number | undefined>
}

export type BlockIds<Id> = IdSource<Id> & {
  /** The id that `next` would hand out now. */
  peek(): Promise<Id>
}

/**
 * Hands out ids from blocks of numbers, block 1 being the ids from 1 to `idsPerBlock`. A block belongs to the process that
 * claimed it, so that an id costs a round trip only once a block, and small numbers come first. What is left of a block
 * when its process ends is never handed out.
 */
export function blockIds<Id extends number>(blocks: BlockStore, idsPerBlock: number): BlockIds<Id> {
  let nextId = 1
  let lastId = 0
  let claim: Promise<number> | undefined

  function claimAhead(): Promise<number> {
    if (claim !== undefined) return claim
    const started = claimBlock(blocks, idsPerBlock)
    claim = started
    // Whoever waits for the claim hears of its failure. Nobody may be waiting, and whoever comes next must try anew.
    started.catch(() => {
      if (claim === started) claim = undefined
    })
    return started
  }

  /** Goes on to the next block. Of all who wait for the same one, the first to wake moves on to it. */
  async function turn(): Promise<void> {
    const claimed = claimAhead()
    const block = await claimed
    if (claim !== claimed) return
    claim = undefined
    nextId = (block - 1) * idsPerBlock + 1
    lastId = block * idsPerBlock
  }

  return {
    async next() {
      while (nextId > lastId) await turn()
      const id = nextId++
      if (lastId - id <= idsPerBlock / 2) void claimAhead()
      return id as Id // From 1 on, and checked to be a safe integer when its block was claimed.
    },

    async peek() {
      while (nextId > lastId) await turn()
      return nextId as Id // As in `next`.
    },
  }
}

/** Claims the lowest block above all that are known to be taken. Each try that fails is another process's success. */
async function claimBlock(blocks: BlockStore, idsPerBlock: number): Promise<number> {
  let taken = 0
  for (;;) {
    // What was just found taken counts, even where a read does not show it yet.
    const block = Math.max((await blocks.highest()) ?? 0, taken) + 1
    if (!Number.isSafeInteger(block * idsPerBlock)) throw new RangeError(`block ${block} has ids above 2^53 - 1`)
    if ((await blocks.insert(block)) === 'inserted') return block
    taken = block
  }
}
