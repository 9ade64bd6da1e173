import type { AuctionService } from '@auction/domain'
import type { UseCaseName } from './responses/refusals.ts'

/** The methods of the service that the server calls. */
export type ServedService = Pick<AuctionService, UseCaseName | 'watchAuction' | 'watchSale' | 'closeDue'>
