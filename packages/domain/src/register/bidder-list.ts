import type { Admission, Registration } from '../auction/admission.ts'
import type { FoldedLedgers } from '../ledger/folded-ledgers.ts'
import { type RegisterId, toRegisterId, type UserId } from '../values/ids.ts'
import { type AmountMinor, type Decimal, toMinor } from '../values/money.ts'
import { type ChangedBidder, initialState, type Register, type RegisterEntry, type RegisterState } from './events.ts'

/** What a register says of a bidder. */
export type Bidder = Omit<ChangedBidder, 'was'>

/**
 * The bidders of a register, folded from its entries. It changes as entries are added, because a copy for each entry
 * would take as long as the square of their number.
 */
export type BidderList = {
  /** The sequence of the last entry that was added; 0 without one. */
  readonly sequence: number
  /** Undefined without an entry. */
  readonly register: Register | undefined
  /** The number of bidders with each status. */
  readonly counts: RegisterState['counts']
  /** In the order in which they were listed first, which never changes. */
  readonly bidders: readonly UserId[]
  find(bidderId: UserId): Bidder | undefined
  /** Who has a paddle, or had it. */
  holderOf(paddle: string): UserId | undefined
  /** The number of bidders, and of paddles that they have or had. */
  readonly size: number
  /** Adds the next entry. @throws Error if it does not follow */
  add(entry: RegisterEntry): void
}

/** The lists of the registers that a process keeps. */
export type BidderLists = FoldedLedgers<RegisterId, RegisterEntry, BidderList>

export function createBidderList(): BidderList {
  const byId = new Map<UserId, Bidder>()
  const holders = new Map<string, UserId>()
  const bidders: UserId[] = []
  let through = 0
  let counts = initialState.counts
  let register: Register | undefined
  return {
    bidders,
    get sequence() {
      return through
    },
    get counts() {
      return counts
    },
    get register() {
      return register
    },
    get size() {
      return byId.size + holders.size
    },
    find: (bidderId) => byId.get(bidderId),
    holderOf: (paddle) => holders.get(paddle),
    add({ auctionId, sequence, atMs, event, state }) {
      if (sequence !== through + 1) throw new Error(`entry ${sequence} does not follow entry ${through}`)
      through = sequence
      counts = state.counts
      if (event.type === 'register-created') {
        const { type: _, editor: __, ...fields } = event
        register = { ...fields, id: toRegisterId(auctionId), createdAtMs: atMs }
        return
      }
      for (const { was: _, ...bidder } of event.bidders) {
        const { bidderId, paddle } = bidder
        if (!byId.has(bidderId)) bidders.push(bidderId)
        byId.set(bidderId, bidder)
        if (paddle !== undefined) holders.set(paddle, bidderId)
      }
    },
  }
}

/**
 * What a claim of a token says of its user. One that cannot be read as such is `invalid`: its limit is not known, so its
 * user is admitted by the list only.
 */
export type Claim = { readonly limit?: Decimal } | 'invalid'

/** The claims of a token, by register. */
export type Claims = Pick<ReadonlyMap<RegisterId, Claim>, 'get'>

/**
 * The entry of a bidder decides. If the register allows claims, a claim may admit a bidder whom it neither admits nor
 * refuses, and limits a bidder whom it admits by default.
 */
export function admissionOf(
  { admits, claims, currency }: Pick<Register, 'admits' | 'claims' | 'currency'>,
  bidder: Bidder | undefined,
  registerSequence: number,
  claim: Claim | undefined,
): Admission {
  if (bidder?.status === 'admitted') {
    const { limitMinor, paddle } = bidder
    return { registerSequence, ...limited(limitMinor), ...(paddle !== undefined && { paddle }) }
  }
  const registration: Registration = bidder?.status ?? 'none'
  if (claims === true && claim !== undefined && registration !== 'refused') {
    if (claim === 'invalid') return { registerSequence, registration }
    if (claim.limit === undefined) return { registerSequence, byClaim: true }
    const limitMinor = toMinor(claim.limit, currency)
    return { registerSequence, ...(limitMinor === undefined ? { registration } : { byClaim: true, limitMinor }) }
  }
  return bidder === undefined && admits === 'everyone' ? { registerSequence } : { registerSequence, registration }
}

const limited = (limitMinor: AmountMinor | undefined) => (limitMinor === undefined ? {} : { limitMinor })
