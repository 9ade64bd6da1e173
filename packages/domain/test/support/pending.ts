import type { Clock } from '../../src/clock.ts'
import { createPending, type InFlight, type PendingCommand, type Write } from '../../src/ledger/pending-command.ts'
import { createTimeLimit } from '../../src/time-limit.ts'
import { toPositiveDecimal } from '../../src/values/amount.ts'
import { toUserId } from '../../src/values/ids.ts'
import { auctionIdOf } from './service.ts'

/** Commands in flight, with a deadline of a second. */
export function createCommands(clock: Clock) {
  const inFlight: InFlight = { commands: 0, limit: createTimeLimit(clock, 1_000), observer: undefined }
  /** A bid that arrives, and the answers that its caller receives. */
  function arrive(write?: Write): { readonly pending: PendingCommand; readonly answers: readonly unknown[] } {
    const answers: unknown[] = []
    const pending = createPending({
      auctionId: auctionIdOf(1),
      command: { type: 'place-bid', bidderId: toUserId(2), amount: toPositiveDecimal(100) },
      requestKey: undefined,
      arrivedAtMs: 0,
      inFlight,
      resolve: (result) => answers.push(result),
      reject: (error) => answers.push(error),
    })
    pending.write = write
    return { pending, answers }
  }
  return { inFlight, arrive }
}
