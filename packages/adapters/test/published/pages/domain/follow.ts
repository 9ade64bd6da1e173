import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { createAuctionService } from '@auction/domain'
import { unwrap } from '@auction/domain/result'
import { desk, offer } from './values.ts'

const clock = createManualClock('2030-01-31T12:00:00Z')
const service = createAuctionService({ store: createMemoryStore(), clock })
const { id } = unwrap(await service.createAuction(desk))

let position = 0
async function printNew() {
  const page = unwrap(await service.listEvents(id, { after: position, limit: 100 }))
  for (const { type, sequence } of page.items) console.log(sequence, type)
  position = page.position
}

let work = printNew()
const stop = service.watchAuction(id, () => {
  work = work.then(printNew)
})
await service.placeBid(offer)
await work
stop()
