import { type Batch, createBatch, type Written } from '../../../src/ledger/batch.ts'
import { createGroupWriter, type GroupWriter } from '../../../src/ledger/group-writer.ts'

type WriterStore = Parameters<typeof createGroupWriter>[0]

export type WriterFaults = {
  /** The store that the writer has in the place of the right one. */
  readonly store?: (right: WriterStore) => WriterStore
  /** What it tells a lane, in the place of what it came to. */
  readonly tell?: (written: Written, batch: Batch) => Written
}

/** The right group writer, with faults around it. */
export const createWriterThat =
  ({ store: plant = (right) => right, tell = (written) => written }: WriterFaults): typeof createGroupWriter =>
  (store, limits): GroupWriter => {
    const writer = createGroupWriter(plant(store), limits)
    return {
      append(batch) {
        const { auctionId, entries, way } = batch
        const inner = createBatch(auctionId, entries, way, (written) => batch.resolve(tell(written, batch)))
        // The lane's deadline looks at its own batch, and calls that one back.
        Object.defineProperty(inner, 'isWithdrawn', { get: () => batch.isWithdrawn })
        Object.defineProperty(inner, 'isSent', {
          get: () => batch.isSent,
          set(isSent: boolean) {
            batch.isSent = isSent
          },
        })
        writer.append(inner)
      },
    }
  }
