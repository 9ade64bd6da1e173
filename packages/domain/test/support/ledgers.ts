import { createMemoryStore } from '@auction/adapters/memory'
import { sampleAuction } from '@auction/testing/samples'
import fc from 'fast-check'
import type { Auction, Terms } from '../../src/auction/auction.ts'
import type { Command } from '../../src/auction/commands.ts'
import { decide, ledgerTimeMs } from '../../src/auction/decide.ts'
import { evolve, initialStateOf } from '../../src/auction/state.ts'
import { continued, withoutBidder } from '../../src/auction/without-bidder.ts'
import type { Entry, Store } from '../../src/store/store.ts'
import { toEntryId, type UserId } from '../../src/values/ids.ts'
import { anyClockMs, anyCommand } from '../auction/any-history.ts'
import { type Step, startMs, withdraw } from '../auction/play.ts'

const anyBlock = fc.constantFrom(undefined, true, false)
const withdrawal = ([bidderId, isBlocked]: readonly [number, boolean | undefined]) => ({
  ...withdraw(bidderId),
  ...(isBlocked !== undefined && { isBlocked }),
})

/** Any commands in the order of their clocks, with withdrawals. */
export const anyRepairedSteps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 8, arbitrary: anyCommand },
        { weight: 1, arbitrary: fc.tuple(fc.integer({ min: 2, max: 4 }), anyBlock).map(withdrawal) },
      ),
      fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: startMs, max: startMs + 2_500 }) },
        { weight: 1, arbitrary: anyClockMs },
      ),
    ),
    { maxLength: 40 },
  )
  .map((steps) => steps.toSorted(([, a], [, b]) => a - b))

/** The ledger of commands, of which it has the accepted ones. Withdrawals are prepared like those of a service. */
export function ledgerOf(terms: Terms, ...steps: readonly Step[]): readonly Entry[] {
  const ledger: Entry[] = []
  for (const step of steps) {
    const { state: before = initialStateOf(terms) } = ledger.at(-1) ?? {}
    const [command, clockMs] = 'type' in step ? [step, Math.max(startMs, before.atMs)] : step
    const atMs = ledgerTimeMs(terms, before, command, clockMs)
    const decision = decide(terms, before, prepared(terms, ledger, command), atMs)
    if (!decision.ok) continue
    const sequence = ledger.length + 1
    const recorded = { id: toEntryId(sequence * 10), sequence, atMs, event: decision.value }
    ledger.push({ ...recorded, auctionId: terms.id, currency: terms.currency, state: evolve(before, recorded) })
  }
  return ledger
}

function prepared(terms: Terms, ledger: readonly Entry[], command: Command): Command {
  if (command.type !== 'withdraw') return command
  const { hasBids, standing } = ledgerWithout(terms, ledger, command.bidderId)
  return { ...command, without: hasBids ? standing : undefined }
}

const ledgerWithout = (terms: Terms, ledger: readonly Entry[], bidderId: UserId) =>
  continued(withoutBidder(terms, bidderId, ledger.at(-1)?.state ?? initialStateOf(terms)), ledger)

export async function storeHolding(terms: Terms, ledger: readonly Entry[]): Promise<Store> {
  const store = createMemoryStore()
  await store.insertAuction({ ...sampleAuction(), ...terms } as Auction) // The terms of its format.
  if (ledger.length > 0) await store.append(ledger)
  return store
}
