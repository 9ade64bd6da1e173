import type { SaleEntry, SaleListed } from '../sale/events.ts'
import { createLotList, type LotList } from '../sale/lot-list.ts'
import { type SaleNotFound, type SaleTypes, saleLedger } from '../sale/sale-ledger.ts'
import type { Store } from '../store/store.ts'
import { inGroups } from '../values/groups.ts'
import { ledgerIdOf, type SaleId } from '../values/ids.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { requireId } from './check-arguments.ts'
import { readLedger } from './read-ledger.ts'
import type { Verification } from './verify-ledger.ts'
import { findLine, storeOf, type VerifiedStore, verifyListed } from './verify-listed.ts'

export type SaleVerification = Verification & {
  /** The lots that are committed and have no auction: sending the same request again creates it. */
  readonly unfinishedLots: readonly string[]
  /** The lots whose id is that of an auction of another sale, or of another lot. */
  readonly foreignLots: readonly string[]
}

/**
 * Verifies the ledger of a sale, as `verifyAuction` does that of an auction, and that its lots have their auctions. Its
 * first entry is that of its line in the directory.
 * @param line the line of the sale, if the caller has it from `listDirectory`
 * @throws as `verifyAuction`
 */
export async function verifySale(
  store: VerifiedStore & Pick<Store, 'findAuctions'>,
  saleId: SaleId,
  line?: SaleListed,
): Promise<Result<SaleVerification, SaleNotFound>> {
  requireId(saleId, 'id of a verified sale')
  const listed = line ?? (await findLine(store, 'sales', saleId))
  if (listed === undefined) return refused({ code: 'sale-not-found', saleId })
  const { fields: sale, editor } = listed
  const list = createLotList()
  const verified = await verifyListed(saleLedger, store, listed, list, (entry, isFirst) =>
    isFirst ? ({ type: 'create', sale, editor } as const) : commandOf(entry, list),
  )
  // A ledger that differs is not folded to its end.
  const whole = verified.difference === undefined ? list : await readLots(store, saleId)
  return accepted({ ...verified, ...(await lotsWithout(store, saleId, whole)) })
}

/** The command that an entry records. A second creation has no lots, of which none is new. */
function commandOf({ event }: SaleEntry, list: LotList): SaleTypes['command'] {
  if (event.type === 'sale-extended') return { ...event, type: 'extend-sale' }
  const lots = event.type === 'lots-added' ? event.lots : []
  return { type: 'add-lots', lots, editor: event.editor, mayReadReserve: true, list }
}

const lotsPerRead = 100

async function lotsWithout(store: Pick<Store, 'findAuctions'>, saleId: SaleId, { lots }: LotList) {
  const unfinishedLots: string[] = []
  const foreignLots: string[] = []
  for (const group of inGroups(lots, lotsPerRead)) {
    const found = await store.findAuctions({ ids: group.map(({ auctionId }) => auctionId) })
    const auctions = new Map(found.map(({ auction }) => [auction.id, auction]))
    for (const { lot, auctionId } of group) {
      const auction = auctions.get(auctionId)
      if (auction === undefined) unfinishedLots.push(lot)
      else if (auction.saleId !== saleId || auction.lot !== lot) foreignLots.push(lot)
    }
  }
  return { unfinishedLots, foreignLots }
}

/** The lots of a sale, read from its ledger. Empty if the sale does not exist. */
export async function readLots(store: VerifiedStore, saleId: SaleId): Promise<LotList> {
  const sales = storeOf<SaleEntry>(store)
  const list = createLotList()
  const [head] = await sales.findHeads([ledgerIdOf(saleId)])
  if (head?.kind !== 'sale') return list
  for await (const entry of readLedger(sales, ledgerIdOf(saleId), head.sequence)) list.add(entry)
  return list
}
