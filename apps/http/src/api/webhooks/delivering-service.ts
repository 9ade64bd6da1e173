import { createDelivery, type Delivery, type DeliveryObserver } from '@auction/delivery'
import type { Checkpoints } from '@auction/delivery/checkpoints'
import { type AuctionService, type AuctionServiceParts, createAuctionService } from '@auction/domain'

type DeliveringServiceParts = Omit<AuctionServiceParts, 'hooks' | 'observer'> & {
  readonly checkpoints: Checkpoints
  readonly observer?: AuctionServiceParts['observer'] & DeliveryObserver
  readonly hasWebhooks: boolean
}

/** A service, and its deliveries if it has webhooks. Close the deliveries first. */
export type DeliveringService = { readonly service: AuctionService; readonly delivery: Delivery | undefined }

export function createDeliveringService(options: DeliveringServiceParts): DeliveringService {
  const { checkpoints, hasWebhooks, ...parts } = options
  if (!hasWebhooks) return { service: createAuctionService(parts), delivery: undefined }
  const delivery = createDelivery({ ...parts, checkpoints })
  return { service: createAuctionService({ ...parts, hooks: delivery.hooks }), delivery }
}
