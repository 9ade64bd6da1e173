import type { Guard, LedgerKind } from '../ledger/kind.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { LaneRefusal } from '../ledger/pending-command.ts'
import { SealedBidsUnavailableError, type Sealer } from '../sealer.ts'
import type { AuctionId } from '../values/ids.ts'
import { type Result, refused } from '../values/result.ts'
import { type Terms, termsOf } from './auction.ts'
import type { Command } from './commands.ts'
import { type Decisions, decide, eventForKey, isFinal, ledgerTimeMs } from './decide.ts'
import type { AuctionEntry } from './entry.ts'
import { formatOf } from './formats/formats.ts'
import type { Metadata } from './metadata.ts'
import { isHiddenFromBidder } from './privacy.ts'
import { isResultOf } from './recorded-command.ts'
import type { Refusal } from './refusals.ts'
import { openedForRequest, sealedEntry } from './sealed-entry.ts'
import { type AuctionState, evolve, initialStateOf } from './state.ts'

export type AuctionNotFound = { readonly code: 'auction-not-found'; readonly auctionId: AuctionId }

/** The refusals that any command may get, in addition to those of the rules. */
export type CommonRefusal = AuctionNotFound | LaneRefusal

/** The reasons why a command has no entry. */
export type CommandRefusal = Refusal | CommonRefusal

type AuctionTypes = {
  readonly terms: Terms
  readonly state: AuctionState
  readonly command: Command
  readonly decisions: {
    readonly [Type in keyof Decisions]: {
      readonly event: Decisions[Type]['event']
      readonly refusal: Decisions[Type]['refusal'] | AuctionNotFound
    }
  }
  readonly notFound: AuctionNotFound
  readonly entry: AuctionEntry
}

export type AuctionLanes = Lanes<AuctionTypes>

/** What the lanes return for a command. */
export type RecordedCommand<Type extends Command['type']> = Promise<
  Result<AuctionEntry & { readonly event: Decisions[Type]['event'] }, Decisions[Type]['refusal'] | CommonRefusal>
>

export type AuctionGuard<Guarded extends Command> = Guard<AuctionTypes, Guarded>

export const notFound = (auctionId: AuctionId): AuctionNotFound => ({ code: 'auction-not-found', auctionId })

/** The ledgers of auctions, with all that events tell. */
export const auctionLedger: LedgerKind<AuctionTypes> = {
  initialState: initialStateOf,
  async load(store, id) {
    const auction = await store.findAuction(id)
    return auction && termsOf(auction)
  },
  notFound,
  decide: (terms, state, command, atMs) =>
    isHiddenFromBidder(terms, command) ? refused(notFound(terms.id)) : decide(terms, state, command, atMs),
  entryOf({ id: auctionId, currency }, before, recording) {
    const { id, sequence, atMs, requestKey, event } = recording
    const entry = { id, auctionId, sequence, atMs, currency, event, state: evolve(before, recording) }
    return requestKey === undefined ? entry : { ...entry, requestKey }
  },
  timeOf: ledgerTimeMs,
  eventForKey,
  isFinal,
  // An incorrect store may have returned no state; then the decisions must fail, not this function, nor `bytesOf`.
  isOver: (state) => state?.phase === 'closed',
  idsOf: (event, { format }) => formatOf({ format }).idsOf?.(event) ?? 1,
  isResultOf,
  bytesOf,
}

/** The ledgers of auctions as they are stored: a sealer seals their bids. */
export const createAuctionLedger = (sealer: Sealer): LedgerKind<AuctionTypes> => ({
  ...auctionLedger,
  decide(terms, state, command, atMs) {
    const key = command.type === 'place-bid' ? formatOf(terms).keyOf?.(terms) : undefined
    if (key !== undefined && !sealer.has(key))
      throw new SealedBidsUnavailableError(`this process lacks the key of the bids of auction ${terms.id}`)
    return auctionLedger.decide(terms, state, command, atMs)
  },
  hasScatteredIds: (terms) => formatOf(terms).keepsBidsApart === true,
  entryOf: (terms, before, recording) => sealedEntry(auctionLedger.entryOf(terms, before, recording), sealer),
  isResultOf: (entry, command) => isResultOf(openedForRequest(entry, sealer), command),
})

/**
 * The bytes of one auction without its texts and lists, including the overhead of the cache; measured, and rounded up.
 */
const objectBytes = 1_000
const bytesPerCharacter = 2
const bytesPerItem = 100
/** A repair has its id, and may have that of a withdrawn bidder. */
const bytesPerRepair = 150

function bytesOf(terms: Terms, state: AuctionState | undefined): number {
  const result = state?.phase === 'closed' ? state.result : undefined
  const reason = result?.outcome === 'cancelled' ? result.reason : undefined
  const corrections = state?.corrections
  const texts = (reason?.length ?? 0) + (corrections?.title?.length ?? 0)
  const characters = texts + charactersOf(terms.metadata) + charactersOf(corrections?.metadata)
  const { itemsIn = () => 0 } = formatOf(terms)
  const items = itemsIn(terms) + (corrections?.terms === undefined ? 0 : itemsIn(corrections.terms))
  const repairs = state?.repairs?.entryIds.length ?? 0
  return objectBytes + bytesPerCharacter * characters + bytesPerItem * items + bytesPerRepair * repairs
}

function charactersOf(metadata: Metadata | null | undefined): number {
  let characters = 0
  for (const name in metadata) characters += name.length + (metadata[name]?.length ?? 0)
  return characters
}
