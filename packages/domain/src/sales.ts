import type { AuctionLanes } from './auction/auction-ledger.ts'
import { createTurns } from './clock.ts'
import { directoryLedger } from './ledger/directory.ts'
import { createFoldedLedgers } from './ledger/folded-ledgers.ts'
import { createLanes, type LaneParts } from './ledger/lanes.ts'
import type { Lifetime } from './lifetime.ts'
import type { createReadLimit } from './limits.ts'
import type { Register } from './register/events.ts'
import type { SaleListed } from './sale/events.ts'
import { createLotList, type LotLists } from './sale/lot-list.ts'
import { type SaleTypes, saleLedger } from './sale/sale-ledger.ts'
import type { Sealer } from './sealer.ts'
import type { IdSource } from './store/ids-from-blocks.ts'
import type { DirectoryEntry, SaleEntry, Store } from './store/store.ts'
import { addLotsUseCase } from './use-cases/add-lots.ts'
import type { AuctionViews } from './use-cases/auction-views.ts'
import type { CancelAuction } from './use-cases/cancel-auction.ts'
import { cancelLotsUseCase } from './use-cases/cancel-lots.ts'
import { createSaleUseCase } from './use-cases/create-sale.ts'
import { createExtendLots } from './use-cases/extend-lots.ts'
import { extendSaleUseCase } from './use-cases/extend-sale.ts'
import type { InsertAuction } from './use-cases/insert-auction.ts'
import { listLotIdsUseCase, listLotsUseCase, listSalesUseCase, readSaleUseCase } from './use-cases/read-sales.ts'
import type { Watching } from './use-cases/watch-auctions.ts'
import type { AuctionId, RegisterId } from './values/ids.ts'

type SalesParts = Omit<LaneParts<SaleTypes>, 'kind' | 'store' | 'onWritten'> & {
  readonly store: Store
  readonly auctionIds: IdSource<AuctionId>
  readonly auctionLanes: Pick<AuctionLanes, 'submit'>
  readonly findRegister: (id: RegisterId) => Promise<Register | undefined>
  readonly insertAuction: InsertAuction
  readonly cancelAuction: CancelAuction
  readonly sealer: Pick<Sealer, 'fingerprint'>
  readonly views: AuctionViews
  readonly watching: Pick<Watching, 'onSaleWritten' | 'watchSale'>
  readonly whileOpen: Lifetime['whileOpen']
  readonly limited: ReturnType<typeof createReadLimit>
  readonly limitedLedgers: ReturnType<typeof createReadLimit>
}

/** The bytes of the cached heads of sales. Their lists of lots have their own limit. */
const maxCachedBytes = 1024 * 1024
/** The lots in memory, and what is known of their auctions. */
const maxLots = 100_000

/** The sales of a service: the lanes of their ledgers and of the directory, the lists in memory, and the use cases. */
export function createSales({ store, auctionIds: ids, auctionLanes, whileOpen, limited, ...parts }: SalesParts) {
  const { clock, limit, views, watching, findRegister, insertAuction, cancelAuction, sealer, limitedLedgers } = parts
  // The casts: the ledgers of sales and the directory have entries of their kind, which readers check.
  const saleStore = store as Store<never> as Store<SaleEntry>
  const directoryStore = store as Store<never> as Store<DirectoryEntry<SaleListed>>
  const lists: LotLists = createFoldedLedgers({
    store: saleStore,
    kind: 'sale',
    createFold: createLotList,
    maxSize: maxLots,
  })
  const limits = { ...parts.limits, maxCachedBytes }
  const lanes = createLanes({
    ...parts,
    limits,
    kind: saleLedger,
    store: saleStore,
    onWritten(written, entries) {
      const stored = entries.slice(0, written.stored)
      lists.note(stored)
      watching.onSaleWritten(stored)
    },
  })
  const onWritten = () => undefined
  const kind = directoryLedger<SaleListed>()
  const directory = createLanes({ ...parts, limits, kind, store: directoryStore, onWritten })
  const timed = { clock, limit, observer: parts.observer }
  const creating = { name: 'sales', ids, lanes, directory, store: directoryStore, findRegister, ...timed } as const
  const extendLots = createExtendLots({ lanes: auctionLanes, store, clock })
  const takeTurn = createTurns(clock)
  const adding = { lanes, lists, ids, store, sealer, insertAuction, extendLots, findRegister, takeTurn, ...timed }
  return {
    createSale: whileOpen(limited(createSaleUseCase(creating))),
    // These work on many auctions, so few run at the same time.
    addLots: whileOpen(limitedLedgers(addLotsUseCase(adding))),
    extendSale: whileOpen(limitedLedgers(extendSaleUseCase({ lanes, lists, store, extendLots, ...timed }))),
    cancelLots: whileOpen(limitedLedgers(cancelLotsUseCase({ lists, cancelAuction, ...timed }))),
    readSale: whileOpen(limited(readSaleUseCase({ lists, store, clock }))),
    listSales: whileOpen(limited(listSalesUseCase({ store: directoryStore }))),
    listLots: whileOpen(limited(listLotsUseCase({ lists, views, clock }))),
    listLotIds: whileOpen(limited(listLotIdsUseCase({ lists }))),
    watchSale: watching.watchSale,
  }
}
