import type { Admission, Registration } from '../auction/admission.ts'
import { type RegisterId, toRegisterId, type UserId } from '../values/ids.ts'
import { type AmountMinor, type Decimal, toMinor } from '../values/money.ts'
import {
  type ChangedBidder,
  initialState,
  type RegisterEntry,
  type RegisterFields,
  type RegisterState,
} from './events.ts'

/** A register, which never changes, but for its bidders. */
export type Register = RegisterFields & { readonly id: RegisterId; readonly createdAtMs: number }

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
  /** Adds the next entry. @throws Error if it does not follow */
  add(entry: RegisterEntry): void
}

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

/** What a claim of a token says of its user. */
export type Claim = { readonly limit?: Decimal }

/** The claims of a token, by register. */
export type Claims = ReadonlyMap<RegisterId, Claim>

/** The entry of a bidder decides. A claim may admit a bidder whom the register neither admits nor refuses. */
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
  const byClaim = claims === true && claim !== undefined && bidder?.status !== 'refused'
  const limitMinor = claim?.limit === undefined ? undefined : toMinor(claim.limit, currency)
  // A limit that is not an amount of the currency admits to no auction.
  if (byClaim && (claim.limit === undefined || limitMinor !== undefined))
    return { registerSequence, byClaim: true, ...limited(limitMinor) }
  if (bidder === undefined && admits === 'everyone') return { registerSequence }
  const registration: Registration = bidder?.status ?? 'none'
  return { registerSequence, registration }
}

const limited = (limitMinor: AmountMinor | undefined) => (limitMinor === undefined ? {} : { limitMinor })
