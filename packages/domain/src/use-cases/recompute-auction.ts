import { type Terms, termsOf } from '../auction/auction.ts'
import { errorsOfFields } from '../auction/auction-rules.ts'
import type { Command } from '../auction/commands.ts'
import type { Correction } from '../auction/correction.ts'
import { decide } from '../auction/decide.ts'
import { type Entry, isBidEntry } from '../auction/entry.ts'
import type { AuctionEvent } from '../auction/events.ts'
import type { Fields } from '../auction/new-auction-fields.ts'
import { recordedCommand, sent } from '../auction/recorded-command.ts'
import type { RefusalCode } from '../auction/refusals.ts'
import {
  type AuctionResult,
  type AuctionState,
  currentPriceMinor,
  evolve,
  initialState,
  termsIn,
} from '../auction/state.ts'
import { effectiveEndMs } from '../auction/status.ts'
import { fieldsOf, storedFieldsOf } from '../auction/stored-fields.ts'
import type { AuctionNotFound } from '../ledger/pending-command.ts'
import type { Store } from '../store/store.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { defined } from '../values/defined.ts'
import type { AuctionId, UserId } from '../values/ids.ts'
import type { AmountMinor } from '../values/money.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import { requireId } from './check-arguments.ts'
import { readLedger } from './read-ledger.ts'

/** What is assumed to have been different. */
export type Assumption = {
  /** Other terms, which hold from the first request on. Title, description and metadata have no effect. */
  readonly terms?: Checked<Correction>
  /** A bidder whose requests are left out. */
  readonly withoutBidderId?: UserId
}

/** A price, and the bidder who leads at it, if any. */
export type Price = { readonly priceMinor: AmountMinor; readonly leaderId: UserId | undefined }

/** An entry, with the prices after it. */
export type PriceStep = {
  readonly sequence: number
  readonly atMs: number
  readonly type: AuctionEvent['type']
  readonly recorded: Price
  readonly recomputed: Price
  /** Why the request has no effect under the assumption: it is refused, or its bidder is left out. */
  readonly without?: RefusalCode | 'left-out'
}

export type Recomputation = {
  /** The recorded result; undefined if the auction has none yet. */
  readonly recorded: AuctionResult | undefined
  /** The result under the assumption. Undefined if the ledger does not have what would have ended the auction. */
  readonly recomputed: AuctionResult | undefined
}

type RecomputedStore = Pick<Store, 'findAuctions' | 'findHeads' | 'listEntries'>

/**
 * Decides the recorded requests of an auction again under an assumption, at the same times and in the same order, and reports the
 * prices after each. Reads a page of entries at a time, and writes nothing. The result is for operators: it shows who leads.
 *
 * Only accepted requests are recorded, and people would have bid differently, so the result is not what would have happened. The
 * auction ends when it did, unless the assumption has another end or soft close. A `maximumBidIncrement` is ignored, and so is a
 * buy-now price as a limit of bids: a recorded bid is known to be meant.
 * @throws InvalidValueError for invalid ids or terms
 * @throws StoreUnavailableError, and UnreadableStoredError if this version cannot read an entry
 */
export async function recomputeAuction(
  store: RecomputedStore,
  auctionId: AuctionId,
  assumption: Assumption,
  onStep: (step: PriceStep) => void | Promise<void>,
): Promise<Result<Recomputation, AuctionNotFound | ValidationFailed>> {
  const { terms: changes, withoutBidderId } = assumption
  requireId(auctionId, 'id of a recomputed auction')
  if (withoutBidderId !== undefined) requireId(withoutBidderId, 'withoutBidderId of a recomputed auction')
  if (changes !== undefined) requireChecked(changes, 'other terms', 'parseCorrection')
  const [[found], [head]] = await Promise.all([store.findAuctions({ ids: [auctionId] }), store.findHeads([auctionId])])
  if (found === undefined) return refused({ code: 'auction-not-found', auctionId })
  const created = termsOf(found.auction)
  // Repairs may have broken the rules of terms.
  const { repairs: _, ...unrepaired } = head?.state ?? initialState
  const errors = changes === undefined ? [] : errorsOfFields(assumedFields(termsIn(created, unrepaired), changes))
  if (errors.length > 0) return refused(validationFailed(...errors))

  const world: World = { store, created, assumption, leftOut: leftOutBy(assumption) }
  let states: States = { recorded: initialState, recomputed: initialState }
  for await (const entry of readLedger(store, auctionId, head?.sequence ?? 0)) {
    const next = await nextStates(world, states, entry)
    await onStep(stepOf(world, entry, next))
    states = next
  }
  const { recorded, recomputed } = states
  return accepted({ recorded: resultOf(recorded), recomputed: resultOf(recomputed) })
}

/** A bidder whose requests up to a sequence are left out. */
type LeftOut = { readonly bidderId: UserId; readonly throughSequence: number }

const leftOutBy = ({ withoutBidderId }: Assumption): LeftOut[] =>
  withoutBidderId === undefined ? [] : [{ bidderId: withoutBidderId, throughSequence: Number.POSITIVE_INFINITY }]

type World = {
  readonly store: RecomputedStore
  /** The terms as they were created. */
  readonly created: Terms
  readonly assumption: Assumption
  /** Who is left out so far. Withdrawals add to it. */
  readonly leftOut: LeftOut[]
}

/** The fields that rules check. A `maximumBidIncrement` has no effect. */
const assumedFields = (terms: Terms, changes: Correction = {}): Fields =>
  // The cast: terms have the fields that rules need.
  ({ ...fieldsOf(terms), ...withoutTexts(changes), maximumBidIncrement: null }) as Fields

const withoutTexts = ({ title: _, description: __, metadata: ___, ...terms }: Correction) => terms

const assumedTerms = (terms: Terms, changes: Correction | undefined): Terms => ({
  ...storedFieldsOf(assumedFields(terms, changes)),
  id: terms.id,
})

/** Two states after an entry. The recomputed one has no corrections, because its terms are given separately. */
type States = { readonly recorded: AuctionState; readonly recomputed: AuctionState }

type NextStates = States & Pick<PriceStep, 'without'>

async function nextStates(world: World, states: States, entry: Entry): Promise<NextStates> {
  const { event, sequence, state: recorded } = entry
  if (event.type !== 'withdrawn') return decidedAgain(world, states, entry)
  world.leftOut.push({ bidderId: event.bidderId, throughSequence: sequence - 1 })
  return { recorded, recomputed: await withoutLeftOut(world, sequence - 1) }
}

/** Decides the ledger up to a sequence again, without those who are left out. */
async function withoutLeftOut(world: World, through: number): Promise<AuctionState> {
  let states: States = { recorded: initialState, recomputed: initialState }
  for await (const entry of readLedger(world.store, world.created.id, through)) {
    const isDone = entry.event.type === 'withdrawn'
    states = isDone ? { ...states, recorded: entry.state } : decidedAgain(world, states, entry)
  }
  return states.recomputed
}

function decidedAgain({ created, assumption, leftOut }: World, states: States, entry: Entry): NextStates {
  const { event, sequence, state: recorded } = entry
  const changes: Partial<Correction> = assumption.terms ?? {}
  const isEndAssumed = changes.endTime !== undefined || changes.softClose !== undefined
  const before = withMovesOf(states, isEndAssumed)
  const unchanged = { recorded, recomputed: before }
  const actor = actorOf(event)
  const isLeftOut = leftOut.some(({ bidderId, throughSequence }) => bidderId === actor && sequence <= throughSequence)
  if (isLeftOut) return { ...unchanged, without: 'left-out' }
  if (event.type === 'corrected' || (event.type === 'reserve-lowered' && changes.reservePrice !== undefined))
    return unchanged
  if (event.type === 'cancelled' || event.type === 'extended' || event.type === 'ended-early') {
    return { recorded, recomputed: evolve(before, entry) }
  }
  const assumed = assumedTerms(termsIn(created, states.recorded), assumption.terms)
  const isEnd = event.type === 'closed'
  const atMs = isEnd ? Math.max(entry.atMs, effectiveEndMs(assumed, before)) : entry.atMs
  const terms = isBidEntry(entry) ? withoutOffer(assumed) : assumed
  const decision = decide(terms, before, requestOf(entry, before), atMs)
  if (!decision.ok) return { ...unchanged, without: decision.refusal.code }
  return { recorded, recomputed: evolve(before, { id: entry.id, sequence, atMs, event: decision.value }) }
}

/** The recomputed state with the recorded end, if it is not assumed, and without what the terms have already. */
function withMovesOf({ recorded, recomputed }: States, isEndAssumed: boolean): AuctionState {
  const { extendedEndMs: ownEndMs, repairs: _, ...others } = recomputed
  const { extendedEndMs: recordedEndMs, repairs } = recorded
  const moves = repairs && defined({ entryIds: repairs.entryIds, isEndedEarly: repairs.isEndedEarly })
  return { ...others, ...defined({ extendedEndMs: isEndAssumed ? ownEndMs : recordedEndMs, repairs: moves }) }
}

/** The command that an entry recorded. A leader who raised the maximum stays at the price, however low that is. */
function requestOf(entry: Entry, { leader }: AuctionState): Command {
  const command = recordedCommand(entry)
  const isRaise = entry.event.type === 'maximum-raised' && entry.event.bidderId === leader?.bidderId
  if (!isRaise || command.type !== 'place-bid') return command
  return { ...command, amount: sent(leader.amountMinor, entry.currency) }
}

/** A bid is not refused for the offer of a purchase. */
function withoutOffer({ buyNowPriceMinor: _, ...terms }: Terms): Terms {
  return terms
}

/** The user whose request an event is, if it is that of a bidder. */
function actorOf(event: AuctionEvent): UserId | undefined {
  if (event.type === 'bought') return event.buyerId
  return event.type === 'bid-placed' || event.type === 'maximum-raised' ? event.bidderId : undefined
}

function stepOf({ created, assumption }: World, entry: Entry, { recomputed, without }: NextStates): PriceStep {
  const { sequence, atMs, event, state } = entry
  const terms = termsIn(created, state)
  const prices = {
    recorded: priceOf(terms, state),
    recomputed: priceOf(assumedTerms(terms, assumption.terms), recomputed),
  }
  return defined({ sequence, atMs, type: event.type, ...prices, without })
}

const priceOf = (terms: Terms, state: AuctionState): Price => ({
  priceMinor: currentPriceMinor(terms, state),
  leaderId: state.leader?.bidderId,
})

const resultOf = (state: AuctionState): AuctionResult | undefined =>
  state.phase === 'closed' ? state.result : undefined
