import type { IdKind } from '@auction/domain/store'
import { type Plant, type StoreMutation, wrongCall, wrongCalls } from '../planted.ts'
import { pause, to15Digits } from '../prove-contract.ts'

const once = 'claims a block of ids once, and returns the highest'
const kinds = 'claims blocks of each kind separately'
const byNumber = 'compares blocks by number, regardless of the order of their claims, and keeps them exact'
const race = 'lets exactly one of many concurrent claims of a block win'

/** A store with a bug in its record of claimed blocks. */
const highest: Plant<(blocks: readonly number[]) => number | undefined> = (bug, caughtBy, choose) =>
  wrongCalls(bug, caughtBy, (right) => {
    const claimed: Record<IdKind, number[]> = { auctions: [], entries: [] }
    return {
      claimIdBlock: async (kind, block) => {
        const result = await right.claimIdBlock(kind, block)
        if (result === 'claimed') claimed[kind].push(block)
        return result
      },
      highestIdBlock: async (kind) => choose(claimed[kind]),
    }
  })

export const idBlockMutations: readonly StoreMutation[] = [
  wrongCalls('gives a block to everybody', [once, race], () => ({ claimIdBlock: async () => 'claimed' })),
  wrongCalls('refuses every claim', [once, kinds, race], () => ({ claimIdBlock: async () => 'taken' })),
  wrongCalls('has one row of blocks for all kinds', kinds, (right) => ({
    claimIdBlock: (_, block) => right.claimIdBlock('entries', block),
    highestIdBlock: () => right.highestIdBlock('entries'),
  })),
  wrongCalls('knows of no highest block', [once, kinds, byNumber], () => ({ highestIdBlock: async () => undefined })),
  highest('returns 0 as the highest block without a claim', [once, kinds], (claimed) => Math.max(0, ...claimed)),
  highest('takes the last block for the highest', byNumber, (claimed) => claimed.at(-1)),
  highest('orders blocks as texts', byNumber, (claimed) =>
    claimed.toSorted((a, b) => `${a}`.localeCompare(`${b}`)).at(-1),
  ),
  highest('keeps blocks in 32 bits', byNumber, (claimed) =>
    claimed.length > 0 ? Math.max(...claimed.map((block) => block | 0)) : undefined,
  ),
  highest('keeps blocks to 15 digits', byNumber, (claimed) =>
    claimed.length > 0 ? to15Digits(Math.max(...claimed)) : undefined,
  ),
  wrongCall('distinguishes blocks by 15 digits', byNumber, 'claimIdBlock', (right, kind, block) =>
    right.claimIdBlock(kind, to15Digits(block)),
  ),
  wrongCall('reports blocks below the highest as taken', byNumber, 'claimIdBlock', async (right, kind, block) =>
    block <= ((await right.highestIdBlock(kind)) ?? 0) ? 'taken' : right.claimIdBlock(kind, block),
  ),
  wrongCall(
    'checks whether a block is taken, and claims it later',
    race,
    'claimIdBlock',
    async (right, kind, block) => {
      if (((await right.highestIdBlock(kind)) ?? 0) >= block) return 'taken'
      await pause()
      await right.claimIdBlock(kind, block)
      return 'claimed'
    },
  ),
]
