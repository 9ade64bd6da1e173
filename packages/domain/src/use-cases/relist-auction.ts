import { type Auction, termsOf } from '../auction/auction.ts'
import { type Relisting, repetitionOf } from '../auction/relisting.ts'
import { pastEndError } from '../auction/rules.ts'
import { type AuctionState, termsIn } from '../auction/state.ts'
import type { Clock } from '../clock.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import type { AuctionId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import { requireId, requireObject } from './check-arguments.ts'
import {
  type Derived,
  type DerivedRefusal,
  type Deriving,
  type DerivingParts,
  derive,
  readSource,
  refusalIfOffered,
  relistingIn,
  type SourceRefusal,
} from './derived-auctions.ts'
import { isSameRequest } from './insert-auction.ts'
import { withinDeadline } from './within-deadline.ts'

export type RelistAuctionRequest = {
  readonly auctionId: AuctionId
  readonly relisting: Checked<Relisting>
  /** False if the caller may not read the reserve: then errors do not depend on it. */
  readonly mayReadReserve?: boolean
}
export type RelistAuctionRefusal = SourceRefusal | DerivedRefusal | ValidationFailed
/**
 * Returns the repetition. The same request returns it again, without a key. `arrivedAtMs` is as for `CreateAuction`.
 */
export type RelistAuction = (
  request: RelistAuctionRequest,
  arrivedAtMs?: number,
) => Promise<Result<Auction, RelistAuctionRefusal>>

type RelistAuctionParts = DerivingParts & { readonly clock: Clock; readonly limit: TimeLimit }

/**
 * Creates a repetition of an auction with a result: the auction as it is now, with other times. Each auction has at most
 * one, and none while an offer of it is open. Only staff may do so, which the caller checks.
 * @throws InvalidValueError that names an invalid arrival, id or relisting; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the repetition may be stored
 */
export function relistAuctionUseCase(parts: RelistAuctionParts): RelistAuction {
  const { store, clock, limit } = parts
  return async (request, arrivedAtMs) => {
    requireObject(request, 'a relisting')
    const { auctionId, relisting, mayReadReserve = true } = request
    requireId(auctionId, 'auctionId of a relisting')
    requireChecked(relisting, 'a relisting', 'parseRelisting')
    const atMs = arrivalOf(arrivedAtMs, clock)
    return withinDeadline(limit, async (progress) => {
      const source = await readSource(parts, auctionId)
      if (!source.ok) return source
      const { auction, created, head } = source.value
      const fields = repetitionOf(auction, termsIn(termsOf(created), unrepaired(head.state)), relisting, mayReadReserve)
      if (!fields.ok) return fields
      return derive(parts, auctionId, progress, async (derived): Promise<Deriving<RelistAuctionRefusal>> => {
        const id = relistingIn(derived)?.id
        const made = id && (await store.findAuction(id))
        if (made !== undefined && isSameRequest(made, fields.value)) return accepted({ made: made.id })
        const refusal = refusalIfNot(id, derived)
        if (refusal !== undefined) return refused(refusal)
        const late = pastEndError(relisting.endTime, atMs)
        return late === undefined ? accepted({ fields: fields.value }) : refused(validationFailed(late))
      })
    })
  }
}

const refusalIfNot = (relistedAs: AuctionId | undefined, derived: readonly Derived[]): DerivedRefusal | undefined =>
  relistedAs === undefined ? refusalIfOffered(derived) : { code: 'auction-relisted', relistedAs }

/** The cast: repairs are optional. */
function unrepaired({ repairs: _, ...state }: AuctionState): AuctionState {
  return state as AuctionState
}
