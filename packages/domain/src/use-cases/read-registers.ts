import type { Admission } from '../auction/admission.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import { admissionOf, type Bidder, type BidderLists, type Claims } from '../register/bidder-list.ts'
import {
  type BidderStatus,
  type Register,
  type RegisterListed,
  type RegisterState,
  registerIn,
} from '../register/events.ts'
import type { RegisterNotFound } from '../register/register-ledger.ts'
import type { DirectoryEntry, Store } from '../store/store.ts'
import type { RegisterId, UserId } from '../values/ids.ts'
import { type Page, pageOf, requirePageSize } from '../values/page.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ListingQuery, listLines } from './listed.ts'

type ListsParts = { readonly lists: Pick<BidderLists, 'current'> }

/** A register with the number of its bidders with each status. */
export type RegisterView = { readonly register: Register; readonly counts: RegisterState['counts'] }

export type ReadRegister = (id: RegisterId) => Promise<Result<RegisterView, RegisterNotFound | Overloaded>>

export function readRegisterUseCase({ lists }: ListsParts): ReadRegister {
  return async (registerId) => {
    const { register, counts } = (await lists.current(registerId)) ?? {}
    if (register === undefined || counts === undefined) return refused({ code: 'register-not-found', registerId })
    return accepted({ register, counts })
  }
}

/** What a register says of a user, listed or not. */
export type BidderView = {
  readonly register: Register
  /** Undefined for a user who is not listed. */
  readonly bidder: Bidder | undefined
  /** Whether the user may bid now, by the list or the claims. */
  readonly admission: Admission
}

export type ReadBidder = (
  registerId: RegisterId,
  bidderId: UserId,
  /** What the token of the user says of them. */
  claims?: Claims,
) => Promise<Result<BidderView, RegisterNotFound | Overloaded>>

export function readBidderUseCase({ lists }: ListsParts): ReadBidder {
  return async (registerId, bidderId, claims) => {
    const list = await lists.current(registerId)
    const { register } = list ?? {}
    if (list === undefined || register === undefined) return refused({ code: 'register-not-found', registerId })
    const bidder = list.find(bidderId)
    const admission = admissionOf(register, bidder, list.sequence, claims?.get(registerId))
    return accepted({ register, bidder, admission })
  }
}

export type ListBiddersQuery = {
  /** 1 to `maxPageSize`. */
  readonly limit: number
  /** The `next` of the previous page. */
  readonly after?: number | undefined
  readonly status?: BidderStatus | undefined
  readonly paddle?: string | undefined
}

/** Lists the bidders of a register in the order in which they were listed first, which never changes. */
export type ListBidders = (
  registerId: RegisterId,
  query: ListBiddersQuery,
) => Promise<Result<BidderPage, RegisterNotFound | Overloaded>>

type BidderPage = Page<Bidder, number> & { readonly register: Register }

export function listBiddersUseCase({ lists }: ListsParts): ListBidders {
  return async (registerId, query) => {
    requirePageSize(query)
    const { limit, after = 0, status, paddle } = query
    const list = await lists.current(registerId)
    const { register } = list ?? {}
    if (list === undefined || register === undefined) return refused({ code: 'register-not-found', registerId })
    const found: { readonly bidder: Bidder; readonly position: number }[] = []
    for (let index = after; index < list.bidders.length && found.length <= limit; index++) {
      const bidderId = list.bidders[index]
      const bidder = bidderId && list.find(bidderId)
      const isWanted =
        (status === undefined || bidder?.status === status) && (paddle ?? bidder?.paddle) === bidder?.paddle
      if (bidder !== undefined && isWanted) found.push({ bidder, position: index + 1 })
    }
    const { items, next } = pageOf(found, limit, ({ position }) => position)
    return accepted({ register, items: items.map(({ bidder }) => bidder), next })
  }
}

/** Lists registers, newest first, without their counts. */
export type ListRegisters = (query: ListingQuery) => Promise<Result<Page<Register, number>, Overloaded>>

type ListRegistersParts = { readonly store: Pick<Store<DirectoryEntry<RegisterListed>>, 'listEntries'> }

export function listRegistersUseCase({ store }: ListRegistersParts): ListRegisters {
  return async (query) => {
    const { items, next } = await listLines(store, 'registers', query)
    return accepted({ items: items.map(registerIn), next })
  }
}
