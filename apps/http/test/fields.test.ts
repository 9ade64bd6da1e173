import { isPlainObject } from '@auction/domain/parsing'
import { describe, expect, test } from 'vitest'
import { clientOf, newAuction, newBid, openAuction, pointersOf, problem } from './support/client.ts'
import { serverOfFile } from './support/server.ts'
import { unchanged } from './support/stored.ts'

// The tests of the domain have every invalid value of every field. These tests have the pointers of their errors.

const server = await serverOfFile()

const softClose = { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T12:15:00Z' }

type Refused = readonly [changes: unknown, pointers: readonly string[]]

const operations: readonly (readonly [path: string, valid: object, refused: readonly Refused[]])[] = [
  [
    '/api/Auctions',
    newAuction,
    [
      [{ title: 'x'.repeat(201), description: 'x'.repeat(10_001) }, ['/title', '/description']],
      [{ startingPrice: 100.005, minimumBidIncrement: 0 }, ['/minimumBidIncrement', '/startingPrice']],
      [{ currency: 'DEM', titel: 'Walnut desk' }, ['/currency', '/titel']],
      [{ startTime: '2030-01-31 12:00:00Z', endTime: '2030-02-30T12:00:00Z' }, ['/startTime', '/endTime']],
      [{ reservePrice: 99.99, buyNowPrice: 100 }, ['/reservePrice', '/buyNowPrice']],
      [{ softClose: {} }, ['windowSeconds', 'extensionSeconds', 'latestEndTime'].map((name) => `/softClose/${name}`)],
      [{ softClose: { ...softClose, windowSeconds: 0, x: 1 } }, ['/softClose/windowSeconds', '/softClose/x']],
      [{ softClose: { ...softClose, latestEndTime: newAuction.endTime } }, ['/softClose/latestEndTime']],
    ],
  ],
  [
    '/api/Bids',
    newBid,
    [
      [{ amount: 100.001, maximumAmount: 200.001 }, ['/amount', '/maximumAmount']],
      [{ currency: 'USD', maximum: 200 }, ['/currency', '/maximum']],
    ],
  ],
  [
    '/api/Auctions/1/Purchase',
    {},
    [
      [{}, ['/buyerId']],
      [{ buyerId: '2', price: 500 }, ['/buyerId', '/price']],
      [[2], ['']],
    ],
  ],
  [
    '/api/Auctions/1/Cancellation',
    {},
    [
      ['{"reason":"\\ud800"}', ['/reason']],
      [{ id: 1, reson: 'Lost' }, ['/id', '/reson']],
      [null, ['']],
      [[], ['']],
    ],
  ],
  ['/api/Auctions/x/Purchase', {}, [[{ buyerId: 0 }, ['/id', '/buyerId']]]],
]

describe.each(operations)('POST %s', (path, valid, refused) => {
  test.each(refused)('with %j is 400 at %j', async (changes, pointers) => {
    const body = isPlainObject(changes) ? { ...valid, ...changes } : changes
    const { post } = await openAuction(server)
    const response = await unchanged(server, () => post(path, body))
    expect(response).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(response)).toEqual(pointers)
  })
})

const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`)
const bodyOf = (unknown: readonly string[]) => JSON.stringify(Object.fromEntries(unknown.map((name) => [name, 0])))
const { post } = clientOf(server)

test('the first 20 errors are listed, those of known fields first, and the others are counted', async () => {
  const refused = await post('/api/Bids', bodyOf(names(34)))
  expect(refused).toMatchObject(problem(400, 'validation-failed', { moreErrors: 17 }))
  expect(refused.body.message).toBe('37 fields are missing or invalid; the first 20 are listed.')
  expect(pointersOf(refused)).toEqual(['/auctionId', '/bidderId', '/amount', ...names(17).map((name) => `/${name}`)])
})

test('20 errors are all listed', async () => {
  const refused = await post('/api/Bids', bodyOf(names(17)))
  expect(refused.body.message).toBe('20 fields are missing or invalid.')
  expect(refused.body.errors).toHaveLength(20)
  expect(refused.body).not.toHaveProperty('moreErrors')
})

test('an invalid key is listed before all other errors', async () => {
  const refused = await post('/api/Bids', bodyOf(names(40)), { 'idempotency-key': 'two words' })
  expect(pointersOf(refused).slice(0, 2)).toEqual(['/Idempotency-Key', '/auctionId'])
  expect(refused.body).toMatchObject({ moreErrors: 24 })
})

test.each([
  ['thousands of fields', bodyOf(names(6_000))],
  ['long names', bodyOf(names(30).map((name) => name.padEnd(2_000, 'x')))],
  ['one very long name', bodyOf(['x'.repeat(65_000)])],
  ['names that are longer when escaped', bodyOf(names(90).map((name) => name.padEnd(120, '\u0001')))],
])('the response to %s is small', async (_, body) => {
  const refused = await post('/api/Auctions', body)
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(refused.text.length).toBeLessThan(16_000)
})
