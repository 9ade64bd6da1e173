import { directoryIds } from '../../../src/ledger/directory.ts'
import type { SaleCreated, SaleExtended } from '../../../src/sale/events.ts'
import type {
  AnyEntry,
  DirectoryEntry,
  Entry,
  SaleEntry,
  SaleListed,
  Store,
  StoredAuction,
} from '../../../src/store/store.ts'
import { type AuctionId, ledgerIdOf, type SaleId } from '../../../src/values/ids.ts'
import type { Everything } from '../replicated-store.ts'

// What stored data says of sales, by a second implementation, which shares only the types.

/** A lot as its sale lists it, with its auction, if that is stored. */
export type ModelLot = {
  readonly lot: string
  readonly auctionId: AuctionId
  readonly digest: string
  readonly sequence: number
  readonly auction: StoredAuction | undefined
  readonly ledger: readonly Entry[]
}

export type ModelExtension = SaleExtended & { readonly id: number; readonly sequence: number; readonly atMs: number }

export type ModelSale = {
  readonly id: SaleId
  readonly created: SaleCreated
  readonly entries: readonly SaleEntry[]
  /** In the order of their numbers. */
  readonly lots: readonly ModelLot[]
  readonly extensions: readonly ModelExtension[]
}

export type Model = {
  readonly sales: readonly ModelSale[]
  readonly lines: readonly SaleListed[]
  readonly auctions: readonly StoredAuction[]
  /** What is wrong with the entries of sales. */
  readonly problems: readonly string[]
}

const all = Number.MAX_SAFE_INTEGER

/** Reads the sales of a directory, and folds their entries. */
export async function readModel(store: Pick<Store, 'listEntries'>, { auctions, ledger }: Everything): Promise<Model> {
  // The casts: of the directory and of sales, by their ids.
  const entriesOf = async (id: AuctionId) => (await store.listEntries(id, { limit: all })).toReversed() as AnyEntry[]
  const directory = (await entriesOf(directoryIds.sales)) as DirectoryEntry<SaleListed>[]
  const lines = directory.map(({ event }) => event)
  const problems: string[] = []
  const byId = new Map(auctions.map((auction) => [auction.id, auction]))
  const ledgers = Map.groupBy(ledger, ({ auctionId }) => auctionId)
  const sales: ModelSale[] = []
  for (const { id } of lines) {
    const entries = (await entriesOf(ledgerIdOf(id))) as SaleEntry[]
    const sale = fold(id, entries, problems)
    if (sale === undefined) continue
    const lots = sale.lots.map((lot) => {
      const entriesOfLot = ledgers.get(lot.auctionId) ?? []
      const ordered = entriesOfLot.toSorted((a, b) => a.sequence - b.sequence)
      return { ...lot, auction: byId.get(lot.auctionId), ledger: ordered }
    })
    sales.push({ ...sale, lots: lots.toSorted((a, b) => compareLots(a.lot, b.lot)) })
  }
  return { sales, lines, auctions, problems }
}

type Folded = Omit<ModelSale, 'lots'> & { readonly lots: readonly Omit<ModelLot, 'auction' | 'ledger'>[] }

function fold(id: SaleId, entries: readonly SaleEntry[], problems: string[]): Folded | undefined {
  const [first] = entries
  if (first?.event.type !== 'sale-created') {
    problems.push(`sale ${id} is listed, and its first entry is ${first?.event.type}`)
    return undefined
  }
  const lots = new Map<string, Folded['lots'][number]>()
  const extensions: ModelExtension[] = []
  for (const [index, { sequence, event, atMs, id: entryId }] of entries.entries()) {
    if (sequence !== index + 1) problems.push(`sale ${id} has entry ${sequence} at ${index + 1}`)
    if (index > 0 && event.type === 'sale-created') problems.push(`sale ${id} is created again by entry ${sequence}`)
    if (event.type === 'sale-extended') extensions.push({ ...event, id: entryId, sequence, atMs })
    if (event.type !== 'lots-added') continue
    for (const { lot, auctionId, digest, isKnown } of event.lots) {
      const known = lots.get(lot)
      if (isKnown !== (known === undefined ? undefined : true))
        problems.push(`entry ${sequence} of sale ${id} is wrong about whether lot ${lot} is new`)
      if (known !== undefined && (known.auctionId !== auctionId || known.digest !== digest))
        problems.push(`entry ${sequence} of sale ${id} changes lot ${lot}`)
      if (known === undefined) lots.set(lot, { lot, auctionId, digest, sequence })
    }
  }
  return { id, created: first.event, entries, lots: [...lots.values()], extensions }
}

const numberOf = (lot: string): number => Number.parseInt(lot, 10)

/** By number, then by letter, those without one first. */
export const compareLots = (one: string, other: string): number =>
  numberOf(one) - numberOf(other) || (one === other ? 0 : one < other ? -1 : 1)

/** The end of a lot as it must be stored: by its number or its own, with the extensions that it includes. */
export function createdEndMs({ created, extensions }: ModelSale, lot: ModelLot, ownEndMs: number | undefined): number {
  const { firstEndTime, intervalSeconds, lotsPerInterval } = created
  const steps = Math.floor((numberOf(lot.lot) - 1) / lotsPerInterval)
  const through = lot.auction?.saleSequence ?? 0
  const counted = extensions.filter(
    ({ sequence }) => sequence <= through && (ownEndMs === undefined || sequence > lot.sequence),
  )
  const seconds = counted.reduce((sum, extension) => sum + extension.seconds, 0)
  return (ownEndMs ?? firstEndTime.epochMs + steps * intervalSeconds * 1000) + seconds * 1000
}

/** The entries of a lot for an extension, each of which has another reason. */
export const entriesFor = ({ ledger }: ModelLot, { reason }: Pick<ModelExtension, 'reason'>): readonly Entry[] =>
  ledger.filter(({ event }) => event.type === 'extended' && event.reason === reason)

/** Whether the end of a lot has an extension, from its creation or by an entry. */
export const isExtended = (lot: ModelLot, extension: ModelExtension): boolean =>
  (lot.auction?.saleSequence ?? 0) >= extension.sequence || entriesFor(lot, extension).length > 0
