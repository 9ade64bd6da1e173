import { auctionListIndexes } from './auction-lists.ts'
import { auctionIndexes, auctionsCollection } from './auctions.ts'
import { checkpointIndexes, checkpointsCollection } from './checkpoints.ts'
import type { Deployment } from './deployment.ts'
import { entriesCollection, entryIndexes } from './entries.ts'
import { idBlockIndexes, idBlocksCollection } from './id-blocks.ts'
import type { Index } from './indexes.ts'

/** The required indexes of each collection. */
export const indexesOf = (
  deployment: Deployment,
): readonly (readonly [collection: string, indexes: readonly Index[]])[] => [
  [auctionsCollection, [...auctionIndexes, ...auctionListIndexes]],
  [entriesCollection, entryIndexes(deployment)],
  [idBlocksCollection, idBlockIndexes],
  [checkpointsCollection, checkpointIndexes],
]
