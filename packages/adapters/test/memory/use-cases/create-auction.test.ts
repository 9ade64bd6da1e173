import { unwrap } from '@auction/domain/result'
import { describe, expect, test } from 'vitest'
import { endTime, newAuction, startTime, testService, wordFor } from './service.ts'

describe('creating an auction', () => {
  test('stores it, under an id of its own', async () => {
    const service = testService()
    const first = unwrap(await service.createAuction(newAuction({ title: 'A vase' })))
    const second = unwrap(await service.createAuction(newAuction()))
    expect(first).toStrictEqual({ ...newAuction({ title: 'A vase' }), id: 1, createdAtMs: service.clock.nowMs() })
    expect(second).toStrictEqual({ ...newAuction(), id: 2, createdAtMs: service.clock.nowMs() })
    expect(await service.store.auctions.find(first.id)).toStrictEqual(first)
    expect(await service.store.auctions.find(second.id)).toStrictEqual(second)
  })

  test('gives each of many at once an id of its own', async () => {
    const service = testService()
    const results = await Promise.all(Array.from({ length: 50 }, () => service.createAuction(newAuction())))
    expect(new Set(results.map((result) => unwrap(result).id)).size).toBe(50)
  })

  test.each([
    ['2029-01-01T00:00:00Z', 'accepted'],
    [startTime, 'accepted'],
    ['2030-02-07T11:59:59.999Z', 'accepted'],
    [endTime, 'validation-failed'],
    ['2040-01-01T00:00:00Z', 'validation-failed'],
  ])('is judged at %s: %s', async (now, word) => {
    const service = testService()
    service.clock.set(now)
    const result = await service.createAuction(newAuction())
    expect(wordFor(result)).toBe(word)
    expect((await service.store.auctions.list({ limit: 1 })).length).toBe(word === 'accepted' ? 1 : 0)
  })

  test('tells where an end in the past stands', async () => {
    const service = testService()
    service.clock.set(endTime)
    expect(await service.createAuction(newAuction())).toEqual({
      ok: false,
      refusal: {
        code: 'validation-failed',
        faults: [{ pointer: '/endTime', message: 'must be in the future; it is now 2030-02-07T12:00:00.000Z' }],
        moreFaults: 0,
      },
    })
  })
})
