import { createMemoryStore } from '@auction/adapters/memory'
import type { IdKind, Store } from '@auction/domain/store'
import { type Plant, type StoreMutation, wrongCalls, wrongHandles } from '../planted.ts'
import { pause } from '../prove-contract.ts'

const inOrder = 'claims the blocks of ids of each kind one after the other, from 1'
const race = 'returns each block of ids to one of many concurrent claims'

/** A store with a bug in how it finds the next block. */
const next: Plant<(claimed: readonly number[]) => number | Promise<number>> = (bug, caughtBy, choose) =>
  wrongCalls(bug, caughtBy, () => {
    const claimed: Record<IdKind, number[]> = { auctions: [], entries: [] }
    return {
      claimNextIdBlock: async (kind) => {
        const block = await choose(claimed[kind])
        claimed[kind].push(block)
        return block
      },
    }
  })

const countingAtHome = (): Partial<Store> => ({ claimNextIdBlock: createMemoryStore().claimNextIdBlock })

export const idBlockMutations: readonly StoreMutation[] = [
  next('gives a block to everybody', [inOrder, race], () => 1),
  next('begins with block 0', [inOrder, race], ({ length }) => length),
  next('orders blocks as texts', [inOrder, race], (claimed) => Number(claimed.map(String).toSorted().at(-1) ?? 0) + 1),
  next('reads the highest block, and claims the next one later', race, async ({ length }) => {
    await pause()
    return length + 1
  }),
  wrongCalls('has one row of blocks for all kinds', inOrder, (right) => ({
    claimNextIdBlock: () => right.claimNextIdBlock('entries'),
  })),
  wrongHandles('counts blocks in the memory of each handle', [inOrder, race], countingAtHome),
]
