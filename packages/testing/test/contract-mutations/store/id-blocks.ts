import type { IdKind } from '@auction/domain/store'
import { replaced, type StoreMutation, swapped } from '../planted.ts'
import { pause, to15Digits } from '../prove-contract.ts'

const once = 'claims a block of ids once, and returns the highest'
const kinds = 'claims blocks of each kind separately'
const byNumber = 'compares blocks by number, regardless of the order of their claims, and keeps them exact'
const race = 'lets exactly one of many concurrent claims of a block win'

/** A store with a bug in its record of claimed blocks. */
const highest = (
  bug: string,
  choose: (blocks: readonly number[]) => number | undefined,
  ...caughtBy: readonly string[]
): StoreMutation =>
  replaced(
    bug,
    (right) => {
      const claimed: Record<IdKind, number[]> = { auctions: [], entries: [] }
      return {
        claimIdBlock: async (kind, block) => {
          const result = await right.claimIdBlock(kind, block)
          if (result === 'claimed') claimed[kind].push(block)
          return result
        },
        highestIdBlock: async (kind) => choose(claimed[kind]),
      }
    },
    ...caughtBy,
  )

export const idBlockMutations: readonly StoreMutation[] = [
  replaced('gives a block to everybody', () => ({ claimIdBlock: async () => 'claimed' }), once, race),
  replaced('refuses every claim', () => ({ claimIdBlock: async () => 'taken' }), once, kinds, race),
  swapped('has one row of blocks for all kinds', { claimed: () => 'ids' }, kinds),
  replaced('knows of no highest block', () => ({ highestIdBlock: async () => undefined }), once, kinds, byNumber),
  highest('returns 0 as the highest block without a claim', (claimed) => Math.max(0, ...claimed), once, kinds),
  highest('takes the last block for the highest', (claimed) => claimed.at(-1), byNumber),
  highest(
    'orders blocks as texts',
    (claimed) => claimed.toSorted((a, b) => `${a}`.localeCompare(`${b}`)).at(-1),
    byNumber,
  ),
  highest(
    'keeps blocks in 32 bits',
    (claimed) => (claimed.length > 0 ? Math.max(...claimed.map((block) => block | 0)) : undefined),
    byNumber,
  ),
  highest(
    'keeps blocks to 15 digits',
    (claimed) => (claimed.length > 0 ? to15Digits(Math.max(...claimed)) : undefined),
    byNumber,
  ),
  replaced(
    'distinguishes blocks by 15 digits',
    (right) => ({ claimIdBlock: (kind, block) => right.claimIdBlock(kind, to15Digits(block)) }),
    byNumber,
  ),
  replaced(
    'reports blocks below the highest as taken',
    (right) => ({
      claimIdBlock: async (kind, block) =>
        block <= ((await right.highestIdBlock(kind)) ?? 0) ? 'taken' : right.claimIdBlock(kind, block),
    }),
    byNumber,
  ),
  replaced(
    'checks whether a block is taken, and claims it later',
    (right) => ({
      claimIdBlock: async (kind, block) => {
        if (((await right.highestIdBlock(kind)) ?? 0) >= block) return 'taken'
        await pause()
        await right.claimIdBlock(kind, block)
        return 'claimed'
      },
    }),
    race,
  ),
]
