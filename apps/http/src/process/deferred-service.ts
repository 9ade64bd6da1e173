import type { AuctionService } from '@auction/domain'
import type { ServedService } from '../api/operations/operation.ts'

export type DeferredService = {
  /** Each of its operations waits for the service that `open` is given. */
  readonly service: ServedService
  open(service: AuctionService): void
}

/** A service for a server that is built before the store is open. */
export function deferService(): DeferredService {
  const { promise: opened, resolve: open } = Promise.withResolvers<AuctionService>()
  const waiting = (name: keyof ServedService) => {
    // The cast: callers pass what the method takes.
    const call = (service: AuctionService) => service[name] as (...given: unknown[]) => unknown
    return async (...given: unknown[]) => call(await opened)(...given)
  }
  // The cast: its only properties are the methods.
  return { service: new Proxy({} as ServedService, { get: (_, name) => waiting(name as keyof ServedService) }), open }
}
