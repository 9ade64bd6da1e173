import type { AuctionResult } from '../auction/life-events.ts'
import type { FoldedLedgers } from '../ledger/folded-ledgers.ts'
import { type AuctionId, type SaleId, toSaleId } from '../values/ids.ts'
import { numberOfLot, positionOfLot } from '../values/lot.ts'
import type { AmountMinor } from '../values/money.ts'
import { type AddedLot, isNew, type Sale, type SaleEntry, type SaleExtended } from './events.ts'

/** A lot that its sale lists. */
export type ListedLot = Pick<AddedLot, 'lot' | 'auctionId' | 'digest' | 'hasReserve'> & {
  /** The entry that added it. */
  readonly sequence: number
  /** That of its number, see `positionOfLot`. */
  readonly position: number
  /** Who added it. */
  readonly editor: string
}

/** An extension of all lots, with the sequence of its entry. */
export type ListedExtension = Pick<SaleExtended, 'seconds' | 'reason' | 'editor'> & {
  readonly sequence: number
  readonly atMs: number
}

/** What a sale counts of a result. Results have texts, and there are many. */
export type LotResult = { readonly outcome: AuctionResult['outcome']; readonly priceMinor?: AmountMinor }

/** The lots of a sale, folded from its entries. */
export type LotList = {
  /** The sequence of the last entry that was added; 0 without one. */
  readonly sequence: number
  /** Undefined without an entry. */
  readonly sale: Sale | undefined
  readonly extensions: readonly ListedExtension[]
  /** The lots in the order of their numbers. */
  readonly lots: readonly ListedLot[]
  find(lot: string): ListedLot | undefined
  /** What is known of auctions of lots, and stays true: that they are stored, or their results. */
  readonly known: Map<AuctionId, LotResult | 'stored'>
  readonly size: number
  /** Adds the next entry. @throws Error if it does not follow */
  add(entry: SaleEntry): void
}

/** The lists of the sales that a process keeps. */
export type LotLists = FoldedLedgers<SaleId, SaleEntry, LotList>

/** The characters of a text that take as much memory as an item. */
const charactersPerItem = 100

export function createLotList(): LotList {
  const byLot = new Map<string, ListedLot>()
  const extensions: ListedExtension[] = []
  const known: LotList['known'] = new Map()
  let sorted: readonly ListedLot[] | undefined
  let through = 0
  let sale: Sale | undefined
  return {
    extensions,
    known,
    get sequence() {
      return through
    },
    get sale() {
      return sale
    },
    get lots() {
      sorted ??= [...byLot.values()].toSorted((one, other) => one.position - other.position)
      return sorted
    },
    get size() {
      return byLot.size + known.size + (sale?.lotDefaults?.length ?? 0) / charactersPerItem
    },
    find: (lot) => byLot.get(lot),
    add({ auctionId, sequence, atMs, event }) {
      if (sequence !== through + 1) throw new Error(`entry ${sequence} does not follow entry ${through}`)
      through = sequence
      if (event.type === 'sale-created') {
        const { type: _, editor: __, ...fields } = event
        sale = { ...fields, id: toSaleId(auctionId), createdAtMs: atMs }
      } else if (event.type === 'sale-extended') {
        const { seconds, reason, editor } = event
        extensions.push({ seconds, reason, editor, sequence, atMs })
      } else {
        const { editor } = event
        for (const { isKnown: _, ...lot } of event.lots.filter(isNew))
          byLot.set(lot.lot, { ...lot, editor, sequence, position: positionOfLot(lot.lot) })
        sorted = undefined
      }
    },
  }
}

/** The milliseconds of all extensions after an entry, up to another one. */
export function extendedMs({ extensions }: Pick<LotList, 'extensions'>, after: number, through: number): number {
  const counted = extensions.filter(({ sequence }) => sequence > after && sequence <= through)
  return counted.reduce((sum, { seconds }) => sum + seconds * 1000, 0)
}

/** The end of a lot by its number, without extensions, in milliseconds since 1970. */
export const endMsByNumber = (
  {
    firstEndTime,
    intervalSeconds,
    lotsPerInterval,
  }: Pick<Sale, 'firstEndTime' | 'intervalSeconds' | 'lotsPerInterval'>,
  lot: string,
): number => firstEndTime.epochMs + intervalSeconds * 1000 * Math.floor((numberOfLot(lot) - 1) / lotsPerInterval)
