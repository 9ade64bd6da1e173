import * as v from 'valibot'
import { StoredMetadata } from '../auction/metadata.ts'
import { listedFields } from '../ledger/directory-entry.ts'
import { ledgerEntryFields } from '../ledger/entry.ts'
import { StoredAmountMinor } from '../values/amount.ts'
import { StoredCurrency } from '../values/currency.ts'
import { type RegisterId, StoredRegisterId, StoredUserId } from '../values/ids.ts'
import { StoredCount, StoredInteger } from '../values/primitives.ts'

// The entries of registers as they are stored.

export const admits = ['listed', 'everyone'] as const
export const statuses = ['admitted', 'pending', 'refused'] as const
const status = v.picklist(statuses)
export type BidderStatus = (typeof statuses)[number]

/** What a register is. It never changes. */
const registerFields = {
  title: v.exactOptional(v.string()),
  currency: StoredCurrency,
  /** Who may bid by default. */
  admits: v.picklist(admits),
  /** Set if claims of tokens admit their users, too. */
  claims: v.exactOptional(v.literal(true)),
  metadata: v.exactOptional(StoredMetadata),
}
const RegisterFields = v.object(registerFields)
export type RegisterFields = Readonly<v.InferOutput<typeof RegisterFields>>

/** A register, which never changes, but for its bidders. */
export type Register = RegisterFields & { readonly id: RegisterId; readonly createdAtMs: number }

/** The whole entry of a bidder after a change. */
const ChangedBidder = v.object({
  bidderId: StoredUserId,
  status,
  limitMinor: v.exactOptional(StoredAmountMinor),
  paddle: v.exactOptional(v.string()),
  /** The status before it. Absent for a new bidder. */
  was: v.exactOptional(status),
})
export type ChangedBidder = Readonly<v.InferOutput<typeof ChangedBidder>>

const CreatedFields = v.object({ type: v.literal('register-created'), ...registerFields, editor: v.string() })
/** The first entry of a register. */
export type RegisterCreated = Readonly<v.InferOutput<typeof CreatedFields>>

const BiddersSetFields = v.object({
  type: v.literal('bidders-set'),
  bidders: v.array(ChangedBidder),
  /** Set if the bids of the bidder in open auctions are withdrawn after it. */
  withdrawal: v.exactOptional(v.object({ reason: v.string() })),
  editor: v.string(),
})
/** The bidders of one request, all of them. They differ from those before it, unless it is recorded for its key. */
export type BiddersSet = Readonly<v.InferOutput<typeof BiddersSetFields>>

export type RegisterEvent = RegisterCreated | BiddersSet

const StateFields = v.object({
  /** The number of bidders with each status. */
  counts: v.object({ admitted: StoredCount, pending: StoredCount, refused: StoredCount }),
  /** The time of the last entry; 0 without one. */
  atMs: StoredInteger,
})
/** The list of bidders has no limit that every entry could contain, so it is read from the entries. */
export type RegisterState = Readonly<v.InferOutput<typeof StateFields>>

export const RegisterEntryFields = v.object({
  ...ledgerEntryFields,
  kind: v.literal('register'),
  event: v.variant('type', [CreatedFields, BiddersSetFields]),
  state: StateFields,
})
export type RegisterEntry = Readonly<v.InferOutput<typeof RegisterEntryFields>>

export const initialState: RegisterState = { counts: { admitted: 0, pending: 0, refused: 0 }, atMs: 0 }

export function evolve({ counts }: RegisterState, event: RegisterEvent, atMs: number): RegisterState {
  if (event.type === 'register-created') return { counts, atMs }
  const next = { ...counts }
  for (const bidder of event.bidders) {
    if (bidder.was !== undefined) next[bidder.was] -= 1
    next[bidder.status] += 1
  }
  return { counts: next, atMs }
}

export const RegisterListed = listedFields('register-listed', StoredRegisterId, registerFields)
/** The same line in the form of earlier programs, which is only read. */
export const EarlierRegisterListed = v.pipe(
  v.object({
    type: v.literal('register-listed'),
    registerId: StoredRegisterId,
    createdAtMs: StoredInteger,
    register: v.object(registerFields),
    editor: v.string(),
  }),
  v.transform(({ registerId: id, register: fields, ...line }): RegisterListed => ({ ...line, id, fields })),
)

/** The line of a register in the directory of registers. */
export type RegisterListed = Readonly<v.InferOutput<typeof RegisterListed>>

export const registerIn = ({ id, createdAtMs, fields }: RegisterListed): Register => ({ ...fields, id, createdAtMs })
