import { expect, test } from 'vitest'
import type { AuctionService } from '../../src/service.ts'
import { toUserId } from '../../src/values/ids.ts'
import { maxPageSize } from '../../src/values/page.ts'
import { isInvalidValue } from '../../src/values/validation.ts'
import { auctionIdOf, createAuction, createTestService } from '../support/service.ts'

const lists: Readonly<Record<string, (service: AuctionService, limit: number) => Promise<{ readonly ok: boolean }>>> = {
  listAuctions: (service, limit) => service.listAuctions({ order: 'newest', limit }),
  listBids: (service, limit) => service.listBids(auctionIdOf(1), { limit }),
  listBidsOfBidder: (service, limit) => service.listBidsOfBidder(toUserId(2), { limit }),
  listEvents: (service, limit) => service.listEvents(auctionIdOf(1), { after: 0, limit }),
}

test.each(Object.entries(lists))('%s requires a page size from 1 to the maximum', async (_name, list) => {
  const service = createTestService()
  await createAuction(service)
  for (const limit of [1, maxPageSize]) expect(await list(service, limit)).toMatchObject({ ok: true })
  const invalid: readonly unknown[] = [0, -1, 1.5, maxPageSize + 1, Number.NaN, '5', undefined]
  for (const limit of invalid) {
    // The cast: programs in JavaScript can pass anything.
    const error = await list(service, limit as number).catch((thrown: unknown) => thrown)
    expect([limit, isInvalidValue(error), String(error)]).toEqual([
      limit,
      true,
      'InvalidValueError: the limit of a list must be an integer from 1 to 100',
    ])
  }
})
