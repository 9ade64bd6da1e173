import type { Auction, ListedAuction, NewAuction } from '../auction/auction.ts'
import type { AuctionNotFound } from '../auction/auction-ledger.ts'
import type { AuctionEntry } from '../auction/entry.ts'
import type { AuctionResult } from '../auction/life-events.ts'
import { viewOf } from '../auction/view.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { AuctionId } from '../values/ids.ts'
import { type RequestKey, requestKeyOf } from '../values/request-key.ts'
import { accepted, type Result, refused, repeated } from '../values/result.ts'
import type { ValidationFailed } from '../values/validation.ts'
import type { InsertAuction } from './insert-auction.ts'
import { describedAuction } from './read-auction.ts'
import type { Progress } from './within-deadline.ts'

// An auction that is made of another one, its source, takes the key with the next number of its source. So all that were
// made before are known, and of two that are made at once, one finds the key taken and is decided again.

export type DerivingParts = {
  readonly store: Pick<Store, 'findAuction' | 'findAuctions' | 'findHeads' | 'findEntries'>
  readonly insertAuction: InsertAuction
}

/** An auction with a result. */
export type Source = {
  /** As it is now. */
  readonly auction: Auction
  readonly created: Auction
  readonly head: AuctionEntry
  readonly result: AuctionResult
}

export type SourceRefusal =
  | AuctionNotFound
  | Overloaded
  | { readonly code: 'auction-not-over' }
  | { readonly code: 'auction-is-offer'; readonly offerOf: AuctionId }

/** Reads an auction of which others may be made. */
export async function readSource(
  { store }: Pick<DerivingParts, 'store'>,
  auctionId: AuctionId,
): Promise<Result<Source, SourceRefusal>> {
  const [created, [head]] = await Promise.all([store.findAuction(auctionId), store.findHeads([auctionId])])
  if (created === undefined) return refused({ code: 'auction-not-found', auctionId })
  const { offerOf } = created
  if (offerOf !== undefined) return refused({ code: 'auction-is-offer', offerOf })
  if (head?.state.phase !== 'closed') return refused({ code: 'auction-not-over' })
  const { state } = head
  const { auction } = viewOf(await describedAuction(store, created, state, head), state, state.atMs)
  return accepted({ auction, created, head, result: state.result })
}

/** An auction that was made of another one. */
export type Derived = { readonly auction: ListedAuction; readonly result: AuctionResult | undefined }

/** The outcome of a request: the auction of an earlier one, or a new auction. */
export type Deriving<Refusal> = Result<{ readonly made: AuctionId } | { readonly fields: NewAuction }, Refusal>

/** Further ones are made only if the earlier ones have ended meanwhile. */
const maxTries = 5

/**
 * Makes an auction of another one, as `decide` decides after all that were made before.
 * @throws StoreUnavailableError whose `outcome` states whether the auction may be stored
 */
export async function derive<Refusal>(
  { store, insertAuction }: DerivingParts,
  sourceId: AuctionId,
  progress: Progress,
  decide: (derived: readonly Derived[]) => Promise<Deriving<Refusal>>,
): Promise<Result<Auction, Refusal | ValidationFailed>> {
  for (let tries = 0; tries < maxTries; tries++) {
    const derived = await readDerived(store, sourceId)
    const decision = await decide(derived)
    if (!decision.ok) return decision
    if ('made' in decision.value) {
      const made = await store.findAuction(decision.value.made)
      if (made === undefined) throw new StoreUnavailableError(`auction ${decision.value.made} could not be read`)
      return repeated(made)
    }
    const inserted = await insertAuction(decision.value.fields, keyOf(sourceId, derived.length + 1), progress)
    if (inserted !== undefined) return inserted
    progress.outcome = 'nothing-changed'
  }
  throw new StoreUnavailableError(`other requests made auctions of auction ${sourceId} first`)
}

const keyOf = (sourceId: AuctionId, number: number): RequestKey =>
  requestKeyOf('derived-auction', { caller: String(sourceId), key: String(number) })

const keysPerRead = 20

/** All that were made of an auction, the first one first. */
async function readDerived(store: DerivingParts['store'], sourceId: AuctionId): Promise<readonly Derived[]> {
  const auctions: ListedAuction[] = []
  for (let isLast = false; !isLast; ) {
    const keys = Array.from({ length: keysPerRead }, (_, index) => keyOf(sourceId, auctions.length + index + 1))
    const found = await store.findAuctions({ keys })
    const byKey = new Map(found.map(({ auction, requestKey }) => [requestKey, auction]))
    const next = keys.map((key) => byKey.get(key))
    // One after a gap was stored during the read, as that in the gap was.
    const end = next.indexOf(undefined)
    isLast = end !== -1
    auctions.push(...next.slice(0, isLast ? end : keysPerRead).filter((auction) => auction !== undefined))
  }
  const heads = auctions.length === 0 ? [] : await store.findHeads(auctions.map(({ id }) => id))
  const resultOf = new Map(
    heads.map(({ auctionId, state }) => [auctionId, state.phase === 'closed' ? state.result : undefined]),
  )
  return auctions.map((auction) => ({ auction, result: resultOf.get(auction.id) }))
}

export type DerivedRefusal =
  | { readonly code: 'auction-relisted'; readonly relistedAs: AuctionId }
  | { readonly code: 'auction-has-offer'; readonly offerId: AuctionId }

/** The repetition among the auctions that were made of one. There is at most one. */
export const relistingIn = (derived: readonly Derived[]): ListedAuction | undefined =>
  derived.find(({ auction }) => auction.relistOf !== undefined)?.auction

/** The refusal while an offer has no result. */
export function refusalIfOffered(derived: readonly Derived[]): DerivedRefusal | undefined {
  const open = derived.find(({ auction, result }) => auction.offerOf !== undefined && result === undefined)
  return open && { code: 'auction-has-offer', offerId: open.auction.id }
}
