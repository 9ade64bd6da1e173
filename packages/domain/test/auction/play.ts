// Plays commands in plain numbers, one after another. All money is in yen, which has no decimals.
import {
  type AuctionSample,
  sampleAuction,
  sampleCorrection,
  sampleEndTime,
  sampleStartTime,
} from '@auction/testing/samples'
import { expect } from 'vitest'
import { type Terms, termsOf } from '../../src/auction/auction.ts'
import type { CancelCommand, Command } from '../../src/auction/commands.ts'
import type { CorrectCommand, CorrectionJson } from '../../src/auction/correction.ts'
import { decide, ledgerTimeMs } from '../../src/auction/decide.ts'
import type { AuctionEvent } from '../../src/auction/events.ts'
import type { OfFormat } from '../../src/auction/formats/formats.ts'
import type { Role } from '../../src/auction/life-events.ts'
import type { BuyNowCommand, LowerReserveCommand, PlaceBidCommand } from '../../src/auction/offers.ts'
import type { Refusal } from '../../src/auction/refusals.ts'
import type { EndAuctionCommand, ExtendCommand, WithdrawCommand } from '../../src/auction/repair.ts'
import { type AuctionState, evolve, initialStateOf } from '../../src/auction/state.ts'
import { toPositiveDecimal } from '../../src/values/amount.ts'
import { toEntryId, toUserId } from '../../src/values/ids.ts'
import type { Decimal } from '../../src/values/money.ts'

export const startMs = Date.parse(sampleStartTime)
export const endMs = Date.parse(sampleEndTime)
export const marginMs = 2_000
export const owner = 1

/** The terms of an auction by user 1, from 100 yen in increments of 5, unless the sample changes them. */
export const termsWith = (sample: AuctionSample = {}): OfFormat<'english', Terms> =>
  termsOf(
    sampleAuction({
      ownerId: owner,
      currency: 'JPY',
      startingPriceMinor: 100,
      minimumBidIncrementMinor: 5,
      ...sample,
    }),
  )

/**
 * The terms of an auction that late bids extend: those in the last minute, by two minutes, up to ten minutes past its
 * end.
 */
export const softCloseTerms = (sample: AuctionSample = {}): OfFormat<'english', Terms> =>
  termsWith({
    softClose: { windowSeconds: 60, extensionSeconds: 120, latestEndTime: new Date(endMs + 600_000).toISOString() },
    ...sample,
  })

export const bid = (bidderId: number, amount: number, maximumAmount?: number): PlaceBidCommand => ({
  type: 'place-bid',
  bidderId: toUserId(bidderId),
  amount: toPositiveDecimal(amount),
  ...(maximumAmount !== undefined && { maximumAmount: toPositiveDecimal(maximumAmount) }),
})

export const buy = (buyerId: number): BuyNowCommand => ({ type: 'buy-now', buyerId: toUserId(buyerId) })

export const cancel = (reason?: string): CancelCommand => ({
  type: 'cancel',
  ...(reason !== undefined && { reason }),
})

/** A cancellation with a reason by staff. */
export const force: CancelCommand = { ...cancel('A fake.'), isForced: true }

export const correct = (fields?: CorrectionJson, by: Role = 'staff'): CorrectCommand => ({
  type: 'correct',
  correction: sampleCorrection(fields),
  editor: 'staff',
  by,
})

const byStaff = { reason: 'Outage.', editor: 'staff' } as const

/** An extension to a time in milliseconds since 1970. */
export const extend = (toMs: number): ExtendCommand => ({
  type: 'extend',
  endMs: toMs,
  ...byStaff,
})

export const endAuction: EndAuctionCommand = { type: 'end-auction', ...byStaff }

/** The repair is by staff, unless it is by the owner, who gives no reason. */
export const lower = (reserve: number, by: Role = 'staff'): LowerReserveCommand => ({
  type: 'lower-reserve',
  reservePrice: reserve as Decimal, // Exact in yen.
  editor: byStaff.editor,
  ...(by === 'staff' && { reason: byStaff.reason }),
  by,
})

/** A withdrawal with what is left without the bids; by default none. */
export const withdraw = (
  bidderId: number,
  without: WithdrawCommand['without'] = { leader: null, bidCount: 0 },
): WithdrawCommand => ({ type: 'withdraw', bidderId: toUserId(bidderId), without, ...byStaff })

export const close = { type: 'close', marginMs } as const

/** A command, with the clock of the process that decides it; by default the time of the last entry, or of the start. */
export type Step = Command | readonly [command: Command, clockMs: number]

/** A decided command: the states before and after it, the time, and the decision. */
export type Played<State = OfFormat<'english', AuctionState>> = {
  readonly command: Command
  readonly nowMs: number
  readonly before: State
  readonly state: State
} & ({ readonly ok: true; readonly event: AuctionEvent } | { readonly ok: false; readonly refusal: Refusal })

/** The states of auctions with these terms. */
type StateOf<Of extends Terms> = Extract<AuctionState, { readonly format?: Of['format'] }>

/** Decides one command after another, and records accepted ones: the entries have the ids 10, 20, 30 … */
export function play<Of extends Terms>(terms: Of, ...steps: readonly Step[]): readonly Played<StateOf<Of>>[] {
  const played: Played<StateOf<Of>>[] = []
  // The casts here: a state keeps its format.
  let state = initialStateOf(terms) as StateOf<Of>
  let entries = 0
  for (const step of steps) {
    const before = state
    const [command, clockMs] = 'type' in step ? [step, Math.max(startMs, before.atMs)] : step
    const nowMs = ledgerTimeMs(terms, before, command, clockMs)
    const decision = decide(terms, before, command, nowMs)
    if (decision.ok) {
      entries += 1
      const recorded = { id: toEntryId(entries * 10), sequence: entries, atMs: nowMs, event: decision.value }
      state = evolve<AuctionState>(before, recorded) as StateOf<Of>
      played.push({ command, nowMs, before, state, ok: true, event: decision.value })
    } else played.push({ command, nowMs, before, state, ok: false, refusal: decision.refusal })
  }
  return played
}

/** The state after the commands, each of which must be accepted. */
export function after<Of extends Terms>(terms: Of, ...steps: readonly Step[]): StateOf<Of> {
  const played = play(terms, ...steps)
  for (const one of played) {
    if (!one.ok) throw new Error(`${JSON.stringify(one.command)} was refused: ${JSON.stringify(one.refusal)}`)
  }
  return played.at(-1)?.state ?? (initialStateOf(terms) as StateOf<Of>) // As in `play`.
}

/** The event of the last command, which must be accepted like those before it. */
export function eventOf(terms: Terms, ...steps: readonly Step[]): AuctionEvent | undefined {
  after(terms, ...steps)
  const last = play(terms, ...steps).at(-1)
  return last?.ok ? last.event : undefined
}

/** The refusal of a command, by default at the time of the last entry or of the start; undefined if it is accepted. */
export function refusalOf(
  terms: Terms,
  state: AuctionState,
  command: Command,
  clockMs = Math.max(startMs, state.atMs),
): Refusal | undefined {
  const decision = decide(terms, state, command, ledgerTimeMs(terms, state, command, clockMs))
  return decision.ok ? undefined : decision.refusal
}

/** The code of the refusal of a command, or `accepted`. */
export const codeOf = (...args: Parameters<typeof refusalOf>): string => refusalOf(...args)?.code ?? 'accepted'

/** A row of a table of rules: the outcome of a command after the others. */
export type Rule = {
  readonly title: string
  /** From 100 yen in increments of 5, by default. */
  readonly terms?: Terms
  readonly after?: readonly Step[]
  readonly command: Command
  /** By default the time of the last entry, or of the start. */
  readonly clockMs?: number
  /** The code of the refusal, or `accepted`. */
  readonly code: string
}

export function expectRule({ terms = termsWith(), after: steps = [], command, clockMs, code }: Rule): void {
  expect(codeOf(terms, after(terms, ...steps), command, clockMs)).toBe(code)
}
