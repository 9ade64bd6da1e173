import { connectMongoStore } from '@auction/adapters/mongodb'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain'
import { unwrap } from '@auction/domain/result'

const store = await connectMongoStore(process.env['MONGODB_URI'] ?? 'mongodb://127.0.0.1:27017/auctions')
const service = createAuctionService({ store, clock: systemClock })
console.log(store.description, unwrap(await service.listAuctions({ limit: 10, order: 'newest' })))
await service.close()
await store.close()
