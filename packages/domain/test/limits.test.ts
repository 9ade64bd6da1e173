import { describe, expect, test } from 'vitest'
import { type Limits, limitsWith } from '../src/limits.ts'
import type { AuctionService } from '../src/service.ts'
import { toUserId } from '../src/values/ids.ts'
import { maxPageSize } from '../src/values/page.ts'
import { InvalidValueError, isInvalidValue } from '../src/values/validation.ts'
import { auctionIdOf, codeOf, createAuction, createTestService, storeWith } from './support/service.ts'

const defaults = limitsWith()
const least: Limits = {
  ...{ deadlineMs: 20, clockSkewMs: 0, maxWaitingPerAuction: 1, maxWaiting: 1, maxReads: 0, maxEntriesPerAppend: 1 },
  ...{ maxCachedBytes: 1, maxConflicts: 1, maxTries: 1, auctionIdsPerBlock: 1, entryIdsPerBlock: 2 },
}
const names = Object.keys(defaults) as (keyof Limits)[] // `Object.keys` returns strings.

describe('limits', () => {
  test.each(names)('accept another %s, and keep the others', (name) => {
    expect(limitsWith({ [name]: 123 })).toStrictEqual({ ...defaults, [name]: 123 })
    expect(limitsWith({})).toStrictEqual(defaults)
  })

  test('accept the minimum and the maximum of each', () => {
    const largest = Object.fromEntries(names.map((name) => [name, 2 ** 31 - 1]))
    for (const limits of [least, largest]) expect(limitsWith(limits)).toStrictEqual(limits)
  })

  test.each(names)('refuse a %s below its minimum, with both in the error', (name) => {
    const below = least[name] - 1
    expect(() => limitsWith({ [name]: below })).toThrow(
      new InvalidValueError(`the limit ${name} must be an integer from ${least[name]} to 2147483647; got ${below}`),
    )
  })

  test.each([2 ** 31, 50.5, Number.NaN, Number.POSITIVE_INFINITY, '50', null, undefined])('refuse %j', (value) => {
    // The cast: programs in JavaScript can pass anything.
    expect(() => limitsWith({ deadlineMs: value as number })).toThrow('the limit deadlineMs')
  })

  test.each(['deadline', 'toString', '__proto__x'])('refuse the unknown name %s', (name) => {
    const given = { [name]: 50 } as Partial<Limits>
    expect(() => limitsWith(given)).toThrow(new InvalidValueError(`unknown limit ${name}`))
  })
})

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

test('reads past the limit are refused as overloaded until others end; commands are not', async () => {
  const held = Promise.withResolvers<void>()
  const store = storeWith((right) => ({
    listAuctions: (query) => held.promise.then(() => right.listAuctions(query)),
    findAuction: (id) => held.promise.then(() => right.findAuction(id)),
  }))
  const service = createTestService({ store, limits: { maxReads: 2 } })
  const id = auctionIdOf(1)
  const list = () => service.listAuctions({ order: 'newest', limit: 1 })
  const underWay = [list(), service.listBids(id, { limit: 1 })]
  const refused = [await list(), await service.readAuction(id), await service.listBids(id, { limit: 1 })]
  expect(refused.map(codeOf)).toEqual(['overloaded', 'overloaded', 'overloaded'])
  held.resolve()
  expect((await Promise.all(underWay)).map(codeOf)).toEqual(['accepted', 'auction-not-found'])
  expect(codeOf(await list())).toBe('accepted')
})

test('a failed read frees its capacity', async () => {
  const store = storeWith(() => ({ listAuctions: () => Promise.reject(new TypeError('a bug')) }))
  const service = createTestService({ store, limits: { maxReads: 1 } })
  for (let times = 0; times < 3; times++) {
    await expect(service.listAuctions({ order: 'newest', limit: 1 })).rejects.toThrow('a bug')
  }
})
