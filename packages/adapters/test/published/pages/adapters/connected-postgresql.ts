import { connectPostgresqlStore } from '@auction/adapters/postgresql'
import { systemClock } from '@auction/adapters/system'
import { createAuctionService } from '@auction/domain'
import { unwrap } from '@auction/domain/result'

const store = await connectPostgresqlStore(process.env['POSTGRESQL_URI'] ?? 'postgresql://127.0.0.1/auctions')
const service = createAuctionService({ store, clock: systemClock })
console.log(store.description, unwrap(await service.listAuctions({ limit: 10, order: 'newest' })))
await service.close()
await store.close()
