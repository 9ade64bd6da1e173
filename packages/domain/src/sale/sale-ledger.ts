import type { RefusalRow } from '../auction/life-refusals.ts'
import type { LedgerKind } from '../ledger/kind.ts'
import type { Lanes } from '../ledger/lanes.ts'
import type { LaneRefusal } from '../ledger/pending-command.ts'
import { canonicalJson } from '../values/canonical-json.ts'
import { defined } from '../values/defined.ts'
import { type AuctionId, type SaleId, toSaleId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import {
  type AddedLot,
  evolve,
  initialState,
  isNew,
  type LotsAdded,
  type SaleCreated,
  type SaleEntry,
  type SaleExtended,
  type SaleFields,
  type SaleState,
} from './events.ts'
import type { LotList } from './lot-list.ts'

/** The refusals that only commands on sales get. A new one has a row here and a type below. */
export const saleRefusals = {
  'sale-not-found': { kind: 'not-found', meaning: 'The sale does not exist.' },
  'lot-taken': { kind: 'conflict', meaning: 'The sale has lots with these numbers and other content.' },
  'too-many-lots': { kind: 'conflict', meaning: 'The sale would have more than 3,000 lots.' },
  'too-many-extensions': { kind: 'conflict', meaning: 'The sale was extended 50 times.' },
  'same-lots': { kind: 'conflict', meaning: 'The sale has these lots already.', isInternal: true },
} as const satisfies Readonly<Record<string, RefusalRow>>

export type SaleNotFound = { readonly code: 'sale-not-found'; readonly saleId: SaleId }

type AddLotsRefusal =
  | { readonly code: 'lot-taken'; readonly lots: readonly string[] }
  | { readonly code: 'too-many-lots'; readonly most: number }
/** The use case returns it as a success: an entry is recorded only for a key. */
type SameLots = { readonly code: 'same-lots'; readonly recordedForKey: LotsAdded }
type ExtendRefusal = { readonly code: 'too-many-extensions' }

type CreateCommand = { readonly type: 'create'; readonly sale: SaleFields; readonly editor: string }
export type AddLotsCommand = {
  readonly type: 'add-lots'
  readonly lots: readonly Omit<AddedLot, 'isKnown'>[]
  readonly editor: string
  /** False if the editor may not read the reserves that others have set. */
  readonly mayReadReserve: boolean
  /** The lots of exactly the state in which it is decided. */
  readonly list?: Pick<LotList, 'find'>
}
type ExtendCommand = Omit<SaleExtended, 'type'> & { readonly type: 'extend-sale' }

export type SaleTypes = {
  readonly terms: { readonly id: AuctionId }
  readonly state: SaleState
  readonly command: CreateCommand | AddLotsCommand | ExtendCommand
  readonly decisions: {
    readonly create: { readonly event: SaleCreated; readonly refusal: never }
    readonly 'add-lots': { readonly event: LotsAdded; readonly refusal: AddLotsRefusal | SameLots }
    readonly 'extend-sale': { readonly event: SaleExtended; readonly refusal: ExtendRefusal }
  }
  readonly notFound: SaleNotFound
  readonly entry: SaleEntry
}

export type SaleLanes = Lanes<SaleTypes>
/** The refusals of a use case that adds lots, or extends a sale. */
export type LotsRefusal = AddLotsRefusal | SaleNotFound | LaneRefusal
export type ExtensionRefusal = ExtendRefusal | SaleNotFound | LaneRefusal

const kind = 'sale' as const

/** The ledgers of sales. */
export const saleLedger: LedgerKind<SaleTypes> = {
  initialState: () => initialState,
  async load(store, id) {
    const [first] = await store.listEntries(id, { before: 2, limit: 1 })
    return first?.kind === kind ? { id } : undefined
  },
  notFound: (id) => ({ code: 'sale-not-found', saleId: toSaleId(id) }),
  decide(_, state, command) {
    switch (command.type) {
      case 'create':
        return accepted({ type: 'sale-created', ...command.sale, editor: command.editor })
      case 'add-lots':
        return decideLots(state, command)
      case 'extend-sale':
        return decideExtension(state, command)
      default:
        return command satisfies never
    }
  },
  entryOf: ({ id: auctionId }, before, { id, sequence, atMs, requestKey, event }) =>
    defined({ id, auctionId, kind, sequence, atMs, requestKey, event, state: evolve(before, event, atMs) }),
  timeOf: (_, { atMs }, __, arrivedAtMs) => Math.max(arrivedAtMs, atMs),
  eventForKey: (refusal) => (refusal.code === 'same-lots' ? refusal.recordedForKey : undefined),
  isFinal: () => false,
  isOver: () => false,
  idsOf: () => 1,
  // The ids of bids would show when a sale was changed.
  hasScatteredIds: () => true,
  isResultOf({ event }, command) {
    if (event.type === 'lots-added' && command.type === 'add-lots')
      return canonicalJson(event.lots.map(sentOf)) === canonicalJson(command.lots.map(sentOf))
    if (event.type !== 'sale-extended' || command.type !== 'extend-sale') return false
    return event.seconds === command.seconds && event.reason === command.reason
  },
  bytesOf: () => 1_000,
}

/** What a client sent of a lot. */
const sentOf = ({ lot, digest }: Pick<AddedLot, 'lot' | 'digest'>) => ({ lot, digest })

/** The most lots of a sale. A process keeps their lists in memory. */
const maxLots = 3_000

/** Decides whether lots can be added, which needs only the number of lots of the state. */
export function decideLots(
  { lotCount }: Pick<SaleState, 'lotCount'>,
  { lots, editor, mayReadReserve, list }: AddLotsCommand,
): Result<LotsAdded, AddLotsRefusal | SameLots> {
  if (list === undefined) throw new Error('lots are added to the list of the sale')
  const known = lots.map(({ lot }) => list.find(lot))
  const taken = lots.filter((lot, index) => {
    const earlier = known[index]
    // The same content would show a reserve that the editor guesses.
    const isSecret = !mayReadReserve && (lot.hasReserve ?? earlier?.hasReserve) && earlier?.editor !== editor
    return earlier !== undefined && (earlier.digest !== lot.digest || isSecret)
  })
  if (taken.length > 0) return refused({ code: 'lot-taken', lots: taken.map(({ lot }) => lot) })
  const added = lots.map(({ lot, auctionId, digest, hasReserve }, index): AddedLot => {
    const earlier = known[index]
    const sent = { lot, auctionId: earlier?.auctionId ?? auctionId, digest, ...(hasReserve && { hasReserve }) }
    return earlier === undefined ? sent : { ...sent, isKnown: true }
  })
  const count = added.filter(isNew).length
  if (lotCount + count > maxLots) return refused({ code: 'too-many-lots', most: maxLots })
  const event: LotsAdded = { type: 'lots-added', lots: added, editor }
  return count === 0 ? refused({ code: 'same-lots', recordedForKey: event }) : accepted(event)
}

/** A sale has as many extensions as a lot may have repairs. */
const maxExtensions = 50

function decideExtension(
  { extensionCount }: SaleState,
  { type: _, ...fields }: ExtendCommand,
): Result<SaleExtended, ExtendRefusal> {
  if (extensionCount >= maxExtensions) return refused({ code: 'too-many-extensions' })
  return accepted({ type: 'sale-extended', ...fields })
}
