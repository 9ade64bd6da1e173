import { toPositiveDecimal } from '../../src/amount.ts'
import { toUserId } from '../../src/ids.ts'
import type { Batch } from '../../src/ledger/batch.ts'
import type { PendingCommand } from '../../src/ledger/pending-command.ts'
import { auctionIdOf } from './service.ts'

type PendingParts = { readonly underWay?: number; readonly arrivedInTick?: number; readonly batch?: Batch }

/** A bid on its way, one of so many, and what its caller is told. */
export function createPending({ underWay = 1, arrivedInTick = 0, batch }: PendingParts = {}) {
  const told: unknown[] = []
  const pending: PendingCommand = {
    auctionId: auctionIdOf(1),
    command: { type: 'place-bid', bidderId: toUserId(2), amount: toPositiveDecimal(100) },
    requestKey: undefined,
    arrivedInTick,
    load: { commands: underWay },
    resolve: (result) => told.push(result),
    reject: (error) => told.push(error),
    conflicts: 0,
    batch,
    isTwin: false,
    isSettled: false,
  }
  return { pending, told }
}
