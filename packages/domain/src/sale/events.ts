import * as v from 'valibot'
import { StoredMetadata } from '../auction/metadata.ts'
import { listedFields } from '../ledger/directory-entry.ts'
import { ledgerEntryFields } from '../ledger/entry.ts'
import { StoredCurrency } from '../values/currency.ts'
import { StoredAuctionId, StoredRegisterId, StoredSaleId } from '../values/ids.ts'
import { StoredMoment } from '../values/moment.ts'
import { StoredCount, StoredInteger } from '../values/primitives.ts'

// The entries of sales as they are stored.

/** What a sale is. It never changes. */
const saleFields = {
  title: v.string(),
  currency: StoredCurrency,
  startTime: StoredMoment,
  /** The end of lot 1. */
  firstEndTime: StoredMoment,
  /** The time between the ends of two groups of lots. */
  intervalSeconds: StoredCount,
  lotsPerInterval: StoredCount,
  registerId: v.exactOptional(StoredRegisterId),
  /** Who may bid by default, a copy of the register's. Set if there is a register. */
  registerAdmits: v.exactOptional(v.picklist(['listed', 'everyone'])),
  /** The JSON of the fields that lots have by default. As a text, every store keeps its decimals exactly. */
  lotDefaults: v.exactOptional(v.string()),
  metadata: v.exactOptional(StoredMetadata),
}
const SaleFields = v.object(saleFields)
export type SaleFields = Readonly<v.InferOutput<typeof SaleFields>>

/** A sale, which never changes, but for its lots and extensions. */
export type Sale = SaleFields & { readonly id: v.InferOutput<typeof StoredSaleId>; readonly createdAtMs: number }

const CreatedFields = v.object({ type: v.literal('sale-created'), ...saleFields, editor: v.string() })
/** The first entry of a sale. */
export type SaleCreated = Readonly<v.InferOutput<typeof CreatedFields>>

const AddedLot = v.object({
  lot: v.string(),
  auctionId: StoredAuctionId,
  /** The digest of the content that was sent. */
  digest: v.string(),
  /** Set if the content has a reserve, of which other editors may not know. */
  hasReserve: v.exactOptional(v.literal(true)),
  /** Set if the sale had the lot before, with the same content. */
  isKnown: v.exactOptional(v.literal(true)),
})
export type AddedLot = Readonly<v.InferOutput<typeof AddedLot>>

const LotsAddedFields = v.object({ type: v.literal('lots-added'), lots: v.array(AddedLot), editor: v.string() })
/** The lots of one request, all of them. Their auctions follow, under these ids. */
export type LotsAdded = Readonly<v.InferOutput<typeof LotsAddedFields>>

const SaleExtendedFields = v.object({
  type: v.literal('sale-extended'),
  seconds: StoredCount,
  reason: v.string(),
  editor: v.string(),
})
/** Every lot without a result ends later. Those entries of the lots follow. */
export type SaleExtended = Readonly<v.InferOutput<typeof SaleExtendedFields>>

export type SaleEvent = SaleCreated | LotsAdded | SaleExtended

const StateFields = v.object({
  lotCount: StoredCount,
  extensionCount: StoredCount,
  /** The sum of all extensions. */
  extendedSeconds: StoredCount,
  /** The time of the last entry; 0 without one. */
  atMs: StoredInteger,
})
/** The lots are read from the entries: no entry could contain all of them. */
export type SaleState = Readonly<v.InferOutput<typeof StateFields>>

export const SaleEntryFields = v.object({
  ...ledgerEntryFields,
  kind: v.literal('sale'),
  event: v.variant('type', [CreatedFields, LotsAddedFields, SaleExtendedFields]),
  state: StateFields,
})
export type SaleEntry = Readonly<v.InferOutput<typeof SaleEntryFields>>

export const initialState: SaleState = { lotCount: 0, extensionCount: 0, extendedSeconds: 0, atMs: 0 }

export function evolve(state: SaleState, event: SaleEvent, atMs: number): SaleState {
  switch (event.type) {
    case 'sale-created':
      return { ...state, atMs }
    case 'lots-added':
      return { ...state, lotCount: state.lotCount + event.lots.filter(isNew).length, atMs }
    case 'sale-extended': {
      const extendedSeconds = state.extendedSeconds + event.seconds
      return { ...state, extensionCount: state.extensionCount + 1, extendedSeconds, atMs }
    }
    default:
      return event satisfies never
  }
}

export const isNew = ({ isKnown }: AddedLot): boolean => isKnown === undefined

export const SaleListed = listedFields('sale-listed', StoredSaleId, saleFields)
/** The line of a sale in the directory of sales. */
export type SaleListed = Readonly<v.InferOutput<typeof SaleListed>>

export const saleIn = ({ id, createdAtMs, fields }: SaleListed): Sale => ({ ...fields, id, createdAtMs })
