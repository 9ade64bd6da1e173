import type { Terms } from '../auction/auction.ts'
import type { AuctionGuard } from '../auction/auction-ledger.ts'
import { refusalIfNotDue } from '../auction/closing.ts'
import type { CloseCommand } from '../auction/commands.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import type { Tally } from '../auction/formats/format.ts'
import { formatOf } from '../auction/formats/formats.ts'
import { type AuctionState, initialStateOf, termsIn } from '../auction/state.ts'
import type { Clock } from '../clock.ts'
import { KeyMissingError, type Sealer } from '../sealer.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { type TallyParts, tallyTo } from './tally-bids.ts'

type Parts = TallyParts & {
  readonly store: Pick<Store, 'findHeads'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** The fingerprint in the terms of an auction, if this process has no such key: it cannot open the bids. */
export function missingKeyOf(sealer: Pick<Sealer, 'has'>, terms: Terms): string | undefined {
  const key = formatOf(terms).keyOf?.(terms)
  return key === undefined || sealer.has(key) ? undefined : key
}

export const keyMissing = (key: string) => new KeyMissingError(`this process lacks the key ${key} of sealed bids`)

/**
 * The command, with what the result follows from in addition to the state, and what it must not follow from.
 * @throws KeyMissingError if the auction is due, and this process lacks the key in its terms
 */
export async function closingOf(
  parts: Parts,
  terms: Terms,
  marginMs: number,
): Promise<readonly [command: CloseCommand, guard: AuctionGuard<CloseCommand> | undefined]> {
  const { facts, createTally, mayMoveEnd } = formatOf(terms)
  const command: CloseCommand = { type: 'close', marginMs, facts: () => facts?.(terms) }
  if (createTally !== undefined) return [command, await guardByTally(parts, terms, command, createTally())]
  return [command, mayMoveEnd?.(terms) === true ? onConfirmed : undefined]
}

/** A bid of another process may have moved the end. An append that is not necessary would cause a conflict. */
const onConfirmed: AuctionGuard<CloseCommand> = {
  decide: ({ isConfirmed }, byRules) => (isConfirmed ? byRules() : undefined),
}

/** How many entries the lane may wait for: what is recorded while the ledger is read to its end is much less. */
const maxMissed = 2_000

/**
 * Tallies the bids of an auction that may be due, outside its lane, so that bids do not wait. The lane has to read only
 * what was recorded meanwhile: bids that arrived in time, even if they are recorded late.
 */
async function guardByTally(
  parts: Parts,
  terms: Terms,
  command: CloseCommand,
  tally: Tally<AuctionEntry>,
): Promise<AuctionGuard<CloseCommand>> {
  const { store, clock } = parts
  // No earlier time than that of the rules, so that these refuse what is not due here.
  const isDue = (state: AuctionState) =>
    refusalIfNotDue(termsIn(terms, state), state, command.marginMs, Math.max(clock.nowMs(), state.atMs)) === undefined
  const findHead = async () => (await store.findHeads([terms.id]))[0] ?? { sequence: 0, state: initialStateOf(terms) }

  let head = await findHead()
  const missing = missingKeyOf(parts.sealer, terms)
  // No result follows from bids that do not open, so they are not read.
  if (missing !== undefined && isDue(head.state)) throw keyMissing(missing)
  while (isDue(head.state) && tally.sequence < head.sequence) {
    await tallyTo(parts, terms.id, tally, head.sequence)
    head = await findHead()
  }
  async function prepareFor(sequence: number): Promise<void> {
    if (sequence < tally.sequence)
      throw new StoreUnavailableError(`the store returned an earlier head of auction ${terms.id}`)
    if (sequence - tally.sequence > maxMissed)
      throw new StoreUnavailableError(`many bids of auction ${terms.id} were recorded while others were read`)
    await tallyTo(parts, terms.id, tally, sequence)
  }
  return {
    decide({ sequence, state }, byRules) {
      if (sequence === tally.sequence) return byRules({ ...command, tally })
      return isDue(state) ? undefined : byRules()
    },
    prepare: (sequence) => (sequence === tally.sequence ? undefined : prepareFor(sequence)),
  }
}
