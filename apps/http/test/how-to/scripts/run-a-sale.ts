import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { parseLotsCancellation, parseNewLots, parseNewSale, parseSaleExtension } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })
const editor = 'clerk'

const fields = {
  ...{ title: 'Estate of a clockmaker', currency: 'USD', startTime: '2030-01-31T12:00:00Z' },
  ...{ firstEndTime: '2030-02-09T18:00:00Z', intervalSeconds: 60 },
  lotDefaults: { productId: 1, ownerId: 1, startingPrice: 10, minimumBidIncrement: 5 },
}
const { id: saleId } = unwrap(await service.createSale({ sale: unwrap(parseNewSale(fields)), editor }))

const lots = [
  { lot: '1', title: 'Mantel clock' },
  { lot: '31', title: 'Tool chest', startingPrice: 50 },
]
unwrap(await service.addLots({ saleId, lots: unwrap(parseNewLots({ lots })), editor }))

const extension = unwrap(parseSaleExtension({ seconds: 600, reason: 'The site could not be reached.' }))
const key = { caller: editor, key: 'outage-1' }
for (const { lot, outcome, endTime } of unwrap(await service.extendSale({ saleId, extension, editor }, key)).lots)
  console.log(lot, outcome, endTime?.iso)

const cancellation = unwrap(parseLotsCancellation({ lots: ['1'], reason: 'Withdrawn by the family.' }))
unwrap(await service.cancelLots({ saleId, cancellation }))
const { status, counts } = unwrap(await service.readSale(saleId))
console.log(status, counts)

// Prints:
// 1 extended 2030-02-09T18:10:00.000Z
// 31 extended 2030-02-09T18:40:00.000Z
// Active { lots: 2, open: 1, sold: 0, bought: 0, unsold: 0, cancelled: 1 }
