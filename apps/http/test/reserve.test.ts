import { describe, expect, test } from 'vitest'
import { type Client, clientOf, pointersOf, problem } from './support/client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { permissions, reserveReader, tokenOf } from './support/tokens.ts'

async function serverWithAuction(fields: object = {}): Promise<TestServer & { readonly anna: Client }> {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction({ reservePrice: 300, ...fields })
  return { ...server, anna }
}

const read = async ({ anna }: { readonly anna: Client }) => (await anna.get('/api/Auctions/1')).body.data

/** Lets the auction end, and its result come. */
async function end({ clock, service }: TestServer): Promise<void> {
  clock.set('2030-02-07T12:00:02Z')
  await service.closeDue()
}

describe('the highest bid', () => {
  test('buys nothing below the reserve, and stays readable', async () => {
    const server = await serverWithAuction()
    const bid = await server.anna.placeBid({ amount: 299.99 })
    expect(await read(server)).toMatchObject({ reserveMet: false, currentPrice: 299.99 })
    await end(server)
    expect(await read(server)).toMatchObject({
      status: 'Ended',
      reserveMet: false,
      currentPrice: 299.99,
      bidCount: 1,
      result: { outcome: 'unsold', reason: 'reserve-not-met' },
    })
    expect((await server.anna.get('/api/Bids/1')).body.data).toEqual(bid.body.data)
    expect((await server.anna.get('/api/Auctions/1/Bids')).body.data.items).toEqual([bid.body.data])
  })

  test('buys at the reserve', async () => {
    const server = await serverWithAuction()
    await server.anna.placeBid({ amount: 300 })
    expect(await read(server)).toMatchObject({ reserveMet: true })
    await end(server)
    expect((await read(server)).result).toEqual({ outcome: 'sold', bidId: 1, winnerId: 2, price: 300 })
  })

  test('is none where nobody has bid', async () => {
    const server = await serverWithAuction()
    await end(server)
    expect(await read(server)).toMatchObject({ reserveMet: false, result: { outcome: 'unsold', reason: 'no-bids' } })
  })

  test('is lifted to the reserve by a maximum that covers it', async () => {
    const server = await serverWithAuction()
    await server.anna.placeBid({ amount: 100, maximumAmount: 400 })
    expect(await read(server)).toMatchObject({ reserveMet: true, currentPrice: 300, bidCount: 2 })
    expect((await server.anna.get('/api/Auctions/1/Bids')).body.data.items).toMatchObject([
      { bidderId: 2, amount: 300, automatic: true },
      { bidderId: 2, amount: 100 },
    ])
  })

  test('is not lifted by a maximum below it, until that is raised', async () => {
    const server = await serverWithAuction()
    await server.anna.placeBid({ amount: 100, maximumAmount: 299.99 })
    expect(await read(server)).toMatchObject({ reserveMet: false, currentPrice: 100, bidCount: 1 })
    const raised = await server.anna.placeBid({ amount: 100, maximumAmount: 300 })
    expect(raised.body.data).toMatchObject({ amount: 300, raisesMaximum: true })
    expect(await read(server)).toMatchObject({ reserveMet: true, currentPrice: 300, bidCount: 2 })
  })
})

test('a reserve that is the starting price is met by the first bid', async () => {
  const server = await serverWithAuction({ reservePrice: 100 })
  expect((await read(server)).reserveMet).toBe(false)
  await server.anna.placeBid()
  expect((await read(server)).reserveMet).toBe(true)
})

test('an auction without a reserve says nothing of one', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction()
  const { data } = (await anna.get('/api/Auctions/1')).body
  for (const name of ['reservePrice', 'reserveMet']) expect(data).not.toHaveProperty(name)
})

test.each<[what: string, fields: object, pointers: readonly string[]]>([
  ['below the starting price', { reservePrice: 99.99 }, ['/reservePrice']],
  ['of more decimals than the currency has', { reservePrice: 300.001 }, ['/reservePrice']],
  ['as a text', { reservePrice: '300' }, ['/reservePrice']],
  ['below 0', { reservePrice: -1, startingPrice: 0 }, ['/reservePrice']],
])('a reserve %s is 400, and is not repeated', async (_what, fields, pointers) => {
  const server = await startServer()
  const refused = await unchanged(server, () => clientOf(server).createAuction(fields))
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(refused)).toEqual(pointers)
  expect(refused.text).not.toMatch(/300|99\.99/)
})

describe('the reserve is read', () => {
  const paths = ['/api/Auctions/1', '/api/Auctions', '/api/Auctions?status=Active&sort=endTime']

  /** What each way of reading has for the reserve, the answer to the creation first. */
  async function seenBy(owner: Client, client: Client) {
    const created = await owner.createAuction({ reservePrice: 300 })
    const answers = await Promise.all(paths.map((path) => client.get(path)))
    const auctions = answers.map(({ body: { data } }) => data.items?.[0] ?? data)
    return [created.body.data, ...auctions].map(({ reservePrice }) => reservePrice)
  }

  const [none, all] = [
    [undefined, undefined, undefined, undefined],
    [300, 300, 300, 300],
  ]
  const reader = (claims: object = {}) => tokenOf('carl', { permissions: [...permissions, reserveReader], ...claims })

  test('by nobody, where callers are not bound and have no permission for it', async () => {
    const server = await startServer()
    expect(await seenBy(clientOf(server), clientOf(server, tokenOf('1')))).toEqual(none)
  })

  test('by whoever has the permission, where callers are not bound', async () => {
    const server = await startServer()
    expect(await seenBy(clientOf(server, reader()), clientOf(server, reader()))).toEqual(all)
  })

  const bound = { environment: { JWT_SUBJECT_CLAIM: 'uid' } }

  test('by the owner, where callers are bound, and in every answer', async () => {
    const server = await startServer(bound)
    const owner = clientOf(server, tokenOf('anna', { uid: 1 }))
    expect(await seenBy(owner, owner)).toEqual(all)
    const other = await owner.createAuction({ reservePrice: 300, buyNowPrice: 500 })
    const { id } = other.body.data
    const bought = await clientOf(server, tokenOf('bert', { uid: 2 })).post(`/api/Auctions/${id}/Purchase`, {
      buyerId: 2,
    })
    expect([bought.status, bought.body.data.reservePrice]).toEqual([201, undefined])
    expect((await owner.cancelAuction()).body.data.reservePrice).toBe(300)
  })

  test.each([
    ['another user', { uid: 2 }],
    ['a token that names no user', { uid: null }],
    ['a token whose subject is the owner, which is not the claim', { sub: '1', uid: 3 }],
  ])('not by %s, where callers are bound', async (_what, claims) => {
    const server = await startServer(bound)
    const owner = clientOf(server, tokenOf('anna', { uid: 1 }))
    expect(await seenBy(owner, clientOf(server, tokenOf('bert', claims)))).toEqual([300, ...none.slice(1)])
  })

  test('by whoever has the permission, bound to whichever user', async () => {
    const server = await startServer(bound)
    const owner = clientOf(server, tokenOf('anna', { uid: 1 }))
    expect(await seenBy(owner, clientOf(server, reader({ uid: 9 })))).toEqual(all)
  })

  test('by the value that is configured, and never by any valid token', async () => {
    const server = await startServer({ environment: { PERMISSIONS_AUCTIONS_RESERVE_READ: 'see-reserves' } })
    const withValue = clientOf(server, tokenOf('carl', { scope: 'see-reserves' }))
    expect(await seenBy(withValue, withValue)).toEqual(all)
    expect((await clientOf(server, reader()).get('/api/Auctions/1')).body.data).not.toHaveProperty('reservePrice')
  })

  test('under an entity tag of its own, so that nobody is told that the other answer holds', async () => {
    const server = await startServer(bound)
    const owner = clientOf(server, tokenOf('anna', { uid: 1 }))
    const other = clientOf(server, tokenOf('bert', { uid: 2 }))
    await owner.createAuction({ reservePrice: 300 })
    const seen = [await owner.get('/api/Auctions/1'), await other.get('/api/Auctions/1')]
    const tags = seen.map(({ headers }) => headers.get('etag') ?? '')
    expect(tags[0]).not.toBe(tags[1])
    const again = { headers: { 'if-none-match': tags[0] ?? '' } }
    expect((await other.send('GET', '/api/Auctions/1', again)).status).toBe(200)
    expect((await owner.send('GET', '/api/Auctions/1', again)).status).toBe(304)
    for (const { headers } of seen) expect(headers.get('vary')).toBe('Authorization')
  })
})
