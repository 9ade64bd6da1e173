import { StoreUnavailableError } from '@auction/domain/errors'
import type { IdKind } from '@auction/domain/store'
import type { IdBlockPart } from './store-parts.ts'

type Blocks = {
  /** The highest claimed block, if any. */
  readonly highest: (kind: IdKind) => Promise<number | undefined>
  /** Claims a block, unless it is claimed already. Returns whether this call has claimed it. */
  readonly isClaimed: (kind: IdKind, block: number) => Promise<boolean>
}

// Each taken block is a success of another process, so a database in which every block is taken has a fault.
const maxClaims = 1_000

/** Claims blocks of ids in a store that keeps each claimed block under a unique key. */
export function createClaimedBlocks({ highest, isClaimed }: Blocks): IdBlockPart {
  async function claimNext(kind: IdKind): Promise<number> {
    let lastTaken = 0
    for (let claims = 0; claims < maxClaims; claims++) {
      // Counts a block that was just taken, even if a read does not show it yet.
      const block = Math.max((await highest(kind)) ?? 0, lastTaken) + 1
      if (await isClaimed(kind, block)) return block
      lastTaken = block
    }
    const cause = new Error(`${maxClaims} blocks of ids in a row were taken`)
    throw new StoreUnavailableError('the store could not claim ids', { cause })
  }

  const lasts = new Map<IdKind, Promise<unknown>>()
  return {
    claimNextIdBlock(kind) {
      // Claims of one process follow each other, because concurrent ones would take each other's blocks.
      const claim = (lasts.get(kind) ?? Promise.resolve()).then(() => claimNext(kind))
      lasts.set(
        kind,
        claim.catch(() => undefined),
      )
      return claim
    },
  }
}
