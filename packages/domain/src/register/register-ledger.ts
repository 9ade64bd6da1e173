import type { RefusalRow } from '../auction/life-refusals.ts'
import type { LedgerKind } from '../ledger/kind.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { LaneRefusal } from '../ledger/pending-command.ts'
import { canonicalJson } from '../values/canonical-json.ts'
import { defined } from '../values/defined.ts'
import { type AuctionId, type RegisterId, toRegisterId, type UserId } from '../values/ids.ts'
import { type Currency, type Decimal, notInCurrency, toDecimal, toMinor } from '../values/money.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { type ValidationFailed, validationFailed } from '../values/validation.ts'
import type { Bidder, BidderList } from './bidder-list.ts'
import {
  type BiddersSet,
  type ChangedBidder,
  evolve,
  initialState,
  type RegisterCreated,
  type RegisterEntry,
  type RegisterFields,
  type RegisterState,
} from './events.ts'
import type { BidderChange, BidderChanges } from './fields.ts'

/** The refusals that only commands on registers get. A new one has a row here and a type below. */
export const registerRefusals = {
  'register-not-found': { kind: 'not-found', meaning: 'The register does not exist.' },
  'paddle-taken': { kind: 'conflict', meaning: 'Another bidder of the register has the paddle, or had it.' },
  'too-many-bidders': { kind: 'conflict', meaning: 'The register would have more than 20,000 bidders.' },
  'same-bidders': { kind: 'conflict', meaning: 'The register lists the bidders so already.', isInternal: true },
} as const satisfies Readonly<Record<string, RefusalRow>>

export type RegisterNotFound = { readonly code: 'register-not-found'; readonly registerId: RegisterId }

type SetBiddersRefusal =
  | ValidationFailed
  | { readonly code: 'paddle-taken'; readonly bidderId: UserId; readonly paddle: string }
  | { readonly code: 'too-many-bidders'; readonly most: number }
  | { readonly code: 'precondition-failed' }
/** The use case returns it as a success: an entry is recorded only for a key. */
type SameBidders = { readonly code: 'same-bidders'; readonly recordedForKey: BiddersSet }

type CreateCommand = { readonly type: 'create'; readonly register: RegisterFields; readonly editor: string }

export type SetBiddersCommand = BidderChanges & {
  readonly type: 'set-bidders'
  /** That of the register. */
  readonly currency: Currency
  readonly editor: string
  /** The bidders of exactly the state in which it is decided. */
  readonly list?: Pick<BidderList, 'bidders' | 'find' | 'holderOf'>
}

export type RegisterTypes = {
  readonly terms: { readonly id: AuctionId }
  readonly state: RegisterState
  readonly command: CreateCommand | SetBiddersCommand
  readonly decisions: {
    readonly create: { readonly event: RegisterCreated; readonly refusal: never }
    readonly 'set-bidders': { readonly event: BiddersSet; readonly refusal: SetBiddersRefusal | SameBidders }
  }
  readonly notFound: RegisterNotFound
  readonly entry: RegisterEntry
}

export type RegisterLanes = Lanes<RegisterTypes>
export type RegisterRefusal = SetBiddersRefusal | RegisterNotFound | LaneRefusal

const kind = 'register' as const

/** The ledgers of registers. */
export const registerLedger: LedgerKind<RegisterTypes> = {
  initialState: () => initialState,
  async load(store, id) {
    const [first] = await store.listEntries(id, { before: 2, limit: 1 })
    return first?.kind === 'register' ? { id } : undefined
  },
  notFound: (id) => ({ code: 'register-not-found', registerId: toRegisterId(id) }),
  decide(_, __, command) {
    if (command.type === 'set-bidders') return decideBidders(command)
    const { register, editor } = command
    return accepted({ type: 'register-created', ...register, editor })
  },
  entryOf: ({ id: auctionId }, before, { id, sequence, atMs, requestKey, event }) =>
    defined({ id, auctionId, kind, sequence, atMs, requestKey, event, state: evolve(before, event, atMs) }),
  timeOf: (_, { atMs }, __, arrivedAtMs) => Math.max(arrivedAtMs, atMs),
  eventForKey: (refusal) => (refusal.code === 'same-bidders' ? refusal.recordedForKey : undefined),
  isFinal: () => false,
  isOver: () => false,
  idsOf: () => 1,
  // The ids of bids would show when a register was changed.
  hasScatteredIds: () => true,
  isResultOf: ({ event }, command) =>
    event.type === 'bidders-set' &&
    command.type === 'set-bidders' &&
    canonicalJson(sentIn(event, command.currency)) === canonicalJson(changesIn(command)),
  bytesOf: () => 1_000,
}

/** The most bidders of a register. A process keeps their lists in memory. */
const maxBidders = 20_000

function decideBidders(command: SetBiddersCommand): Result<BiddersSet, SetBiddersRefusal | SameBidders> {
  const { bidders, currency, editor, list, withdrawal } = command
  if (list === undefined) throw new Error('bidders are set on the list of the register')
  const errors = bidders.flatMap(({ limit }, index) =>
    limit === undefined || toMinor(limit, currency) !== undefined
      ? []
      : { pointer: `/bidders/${index}/limit`, message: notInCurrency(limit, currency) },
  )
  if (errors.length > 0) return refused(validationFailed(...errors))
  for (const { bidderId, paddle } of bidders) {
    const holder = paddle === undefined ? bidderId : (list.holderOf(paddle) ?? bidderId)
    if (paddle !== undefined && holder !== bidderId) return refused({ code: 'paddle-taken', bidderId, paddle })
  }
  const changed = biddersOf(command).map((bidder) => defined({ ...bidder, was: list.find(bidder.bidderId)?.status }))
  const added = changed.filter(({ was }) => was === undefined).length
  if (list.bidders.length + added > maxBidders) return refused({ code: 'too-many-bidders', most: maxBidders })
  const event: BiddersSet = defined({ type: 'bidders-set' as const, bidders: changed, withdrawal, editor })
  if (changed.every((bidder) => isListedAs(list.find(bidder.bidderId), bidder)))
    return refused({ code: 'same-bidders', recordedForKey: event })
  return accepted(event)
}

/** The whole entries of a command. */
export const biddersOf = ({ bidders, currency }: SetBiddersCommand): readonly Bidder[] =>
  bidders.map(({ bidderId, status, limit, paddle }) =>
    defined({ bidderId, status, limitMinor: limit === undefined ? undefined : toMinor(limit, currency), paddle }),
  )

/** What a client sent for an event. */
export const sentIn = ({ bidders, withdrawal }: BiddersSet, currency: Currency): BidderChanges =>
  changesIn({ bidders: bidders.map((bidder) => sentOf(bidder, currency)), ...defined({ withdrawal }) })

const changesIn = ({ bidders, withdrawal }: BidderChanges): BidderChanges => ({ bidders, ...defined({ withdrawal }) })

/** The cast: the amount converts back. */
const sentOf = ({ bidderId, status, limitMinor, paddle }: ChangedBidder, currency: Currency): BidderChange => {
  const limit = limitMinor === undefined ? undefined : (toDecimal(limitMinor, currency) as Decimal)
  return defined({ bidderId, status, limit, paddle })
}

const isListedAs = (listed: Bidder | undefined, { status, limitMinor, paddle }: ChangedBidder): boolean =>
  listed?.status === status && listed.limitMinor === limitMinor && listed.paddle === paddle
