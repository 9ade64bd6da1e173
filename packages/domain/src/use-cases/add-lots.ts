import type { NewAuction } from '../auction/auction.ts'
import type { Clock } from '../clock.ts'
import type { Guard } from '../ledger/kind.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import type { SafeObserver } from '../observer.ts'
import type { Register } from '../register/events.ts'
import type { Sale } from '../sale/events.ts'
import type { NewLots } from '../sale/fields.ts'
import type { ListedLot, LotList, LotLists } from '../sale/lot-list.ts'
import {
  type AddLotsCommand,
  decideLots,
  type LotsRefusal,
  type SaleLanes,
  type SaleTypes,
} from '../sale/sale-ledger.ts'
import type { Sealer } from '../sealer.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { IdSource } from '../store/ids-from-blocks.ts'
import type { Store } from '../store/store.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { inGroups } from '../values/groups.ts'
import { type AuctionId, ledgerIdOf, type RegisterId, type SaleId } from '../values/ids.ts'
import type { Moment } from '../values/moment.ts'
import { type RequestKey, type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import type { ValidationFailed } from '../values/validation.ts'
import { requireEditor, requireId, requireObject } from './check-arguments.ts'
import { type CheckedLot, checkLots, moved, movedMsOf } from './check-lots.ts'
import { type ExtendLots, withThrough } from './extend-lots.ts'
import type { InsertAuction } from './insert-auction.ts'
import { type Progress, withinDeadline } from './within-deadline.ts'

export type AddLotsRequest = {
  readonly saleId: SaleId
  readonly lots: Checked<NewLots>
  /** Who adds them: 1 to 100 characters, stored with them. */
  readonly editor: string
  /** Set if nothing is to be changed: the result is the one that the request would have now. */
  readonly isTrial?: boolean
  /** False if the caller may not read reserves: then errors do not depend on that of the defaults. */
  readonly mayReadReserve?: boolean
}
/** A lot of a request. */
export type LotAdded = {
  readonly lot: string
  /** Undefined for a new lot of a trial. */
  readonly auctionId: AuctionId | undefined
  /** The end at its creation, with the extensions of the sale so far. */
  readonly endTime: Moment
}
export type LotsAdded = { readonly sale: Sale; readonly lots: readonly LotAdded[] }
/** Adds lots, all or none. A lot that the sale has with the same content stays, which is a success. */
export type AddLots = (
  request: AddLotsRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<LotsAdded, LotsRefusal | ValidationFailed | Overloaded>>

type AddLotsParts = {
  readonly lanes: Pick<SaleLanes, 'submit'>
  readonly lists: LotLists
  readonly ids: Pick<IdSource<AuctionId>, 'next'>
  readonly store: Pick<Store, 'findAuction' | 'findAuctions' | 'listBidderEntries'>
  readonly sealer: Pick<Sealer, 'fingerprint'>
  readonly insertAuction: InsertAuction
  readonly extendLots: ExtendLots
  readonly findRegister: (id: RegisterId) => Promise<Register | undefined>
  readonly takeTurn: () => Promise<void>
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
  readonly observer?: SafeObserver | undefined
}

/**
 * Adds lots to a sale: they are checked whole, committed by one entry, and completed by their auctions. If the process
 * ends in between, the same request again, with or without a key, creates what is missing.
 * @throws InvalidValueError that names an invalid arrival, id, list or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the lots may be committed
 * @throws UnsupportedByStoreError for a sealed lot if the store has no `listBidderEntries`
 */
export function addLotsUseCase(parts: AddLotsParts): AddLots {
  const { clock, limit, observer } = parts
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'an addition of lots')
    const { saleId, lots, editor } = request
    requireId(saleId, 'saleId of an addition of lots')
    requireChecked(lots, 'an addition of lots', 'parseNewLots')
    requireEditor(editor, 'an addition of lots')
    const key = retry === undefined ? undefined : requestKeyOf('add-lots', retry)
    const atMs = arrivalOf(arrivedAtMs, clock)
    return withinDeadline(limit, (progress) => add(parts, request, key, atMs, progress), observer?.onDeadline)
  }
}

async function add(
  parts: AddLotsParts,
  { saleId, lots: { lots }, editor, isTrial, mayReadReserve = true }: AddLotsRequest,
  key: RequestKey | undefined,
  atMs: number,
  progress: Progress,
): Promise<Result<LotsAdded, LotsRefusal | ValidationFailed>> {
  const { lists, lanes, ids } = parts
  const list = await lists.current(saleId)
  const { sale } = list ?? {}
  if (list === undefined || sale === undefined) return refused({ code: 'sale-not-found', saleId })
  const checked = await checkLots(parts, sale, list, lots, atMs, mayReadReserve)
  if (!checked.ok) return checked
  const numbered =
    isTrial === true
      ? lots.map(() => noId)
      : await Promise.all(lots.map(({ lot }) => (list.find(lot) === undefined ? ids.next() : noId)))
  const command: AddLotsCommand = {
    type: 'add-lots',
    lots: lots.map(({ fields: _, ...lot }, index) => ({ ...lot, auctionId: numbered[index] ?? noId })),
    editor,
    mayReadReserve,
  }
  if (isTrial === true) return tried(sale, list, command, checked.value)
  progress.submitting()
  const decided = await lanes.submit(ledgerIdOf(saleId), command, key, atMs, guardFor(lists, saleId, command))
  if (!decided.ok && decided.refusal.code !== 'same-lots') return refused(decided.refusal)
  const completed = await complete(parts, sale, checked.value, progress)
  return { ...(decided.ok ? decided : accepted(undefined)), value: { sale, lots: completed } }
}

const noId = 0 as AuctionId // It is never stored: a trial has no entry, and a known lot has an id.

/** The result that the request would have. */
function tried(
  sale: Sale,
  list: LotList,
  command: AddLotsCommand,
  checked: readonly CheckedLot[],
): Result<LotsAdded, LotsRefusal> {
  const decided = decideLots({ lotCount: list.lots.length }, { ...command, list })
  if (!decided.ok && decided.refusal.code !== 'same-lots') return refused(decided.refusal)
  const lots = checked.map(({ lot, auction, isEndOwn }) => {
    const known = list.find(lot)
    const { endTime } = moved(auction, movedMsOf(list, isEndOwn, known?.sequence))
    return { lot, auctionId: known?.auctionId, endTime }
  })
  return accepted({ sale, lots })
}

/** Decides on the lots of exactly the head before, of which the lane reads what it lacks. */
const guardFor = (lists: LotLists, saleId: SaleId, command: AddLotsCommand): Guard<SaleTypes, AddLotsCommand> => ({
  decide({ sequence }, byRules) {
    const list = lists.knownAt(saleId, sequence)
    return list && byRules({ ...command, list })
  },
  prepare: (sequence) => (lists.knownAt(saleId, sequence) === undefined ? lists.readTo(saleId, sequence) : undefined),
})

/** The auctions that are stored at the same time. */
const maxAtOnce = 25

/**
 * Stores the auctions that committed lots lack. An extension that was recorded since their ends were computed may have
 * passed them, so each gets those that its end lacks.
 */
async function complete(
  parts: AddLotsParts,
  sale: Sale,
  checked: readonly CheckedLot[],
  progress: Progress,
): Promise<readonly LotAdded[]> {
  const { lists, store, insertAuction, extendLots } = parts
  const list = await listOf(lists, sale.id)
  const listed = checked.map((lot) => ({ ...lot, listed: committed(list, lot.lot) }))
  const found = await store.findAuctions({ ids: listed.map(({ listed: { auctionId } }) => auctionId) }, progress.signal)
  const stored = new Map(found.map(({ auction }) => [auction.id, auction]))
  const missing = listed.filter(({ listed: { auctionId } }) => !stored.has(auctionId))
  for (const group of inGroups(missing, maxAtOnce)) {
    const inserted = group.map(async ({ listed: lot, ...checkedLot }) => {
      const result = await insertAuction(lotOf(sale, list, lot, checkedLot), undefined, progress, lot.auctionId)
      // The same request at the same time may have stored it. It cannot be refused: the lots were checked.
      const auction = result?.ok === true ? result.value : await store.findAuction(lot.auctionId)
      if (auction === undefined) throw new StoreUnavailableError(`lot ${lot.lot} of sale ${sale.id} is not stored`)
      return auction
    })
    for (const auction of await Promise.all(inserted)) stored.set(auction.id, auction)
  }
  const now = await listOf(lists, sale.id)
  const ofLots = withThrough(
    listed.map(({ listed: lot }) => lot),
    stored,
  )
  for (const extension of now.extensions)
    for (const { lot, outcome } of await extendLots(sale.id, extension, ofLots, progress, true))
      if (outcome === 'store-unavailable' || outcome === 'overloaded')
        throw new StoreUnavailableError(`lot ${lot} of sale ${sale.id} could not be extended`)
  return listed.map(({ lot, auction, listed: { auctionId } }) => {
    return { lot, auctionId, endTime: stored.get(auctionId)?.endTime ?? auction.endTime }
  })
}

async function listOf(lists: LotLists, saleId: SaleId): Promise<LotList> {
  const list = await lists.current(saleId)
  if (list === undefined) throw new StoreUnavailableError(`the store no longer lists sale ${saleId}`)
  return list
}

function committed(list: LotList, lot: string): ListedLot {
  const listed = list.find(lot)
  if (listed === undefined) throw new StoreUnavailableError(`the store did not list lot ${lot} after its addition`)
  return listed
}

/** The auction of a lot, whose end includes all extensions that are known. */
const lotOf = (
  sale: Sale,
  list: LotList,
  { lot, sequence }: ListedLot,
  { auction, isEndOwn }: CheckedLot,
): NewAuction => ({
  ...moved(auction, movedMsOf(list, isEndOwn, sequence)),
  saleId: sale.id,
  lot,
  saleSequence: list.sequence,
})
