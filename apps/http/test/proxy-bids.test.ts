import { describe, expect, test } from 'vitest'
import { type Client, clientOf, pointersOf, problem } from './support/client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { tokenOf } from './support/tokens.ts'

async function serverWithAuction(fields: object = {}): Promise<TestServer & { readonly anna: Client }> {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction(fields)
  return { ...server, anna }
}

type Shown = { readonly id: number; readonly bidderId: number; readonly amount: number; readonly automatic?: true }

const bidsOf = async (anna: Client) => (await anna.get('/api/Auctions/1/Bids?limit=100')).body.data.items as Shown[]
const read = async (anna: Client) => (await anna.get('/api/Auctions/1')).body.data

test('a bid with a maximum is bid as sent, and raised by no more than it takes when others bid', async () => {
  const { anna } = await serverWithAuction()
  const first = await anna.placeBid({ maximumAmount: 200 })
  expect(first.body).toMatchObject({ message: 'Bid 1 is placed.', data: { id: 1, amount: 100 } })
  expect(await read(anna)).toMatchObject({ currentPrice: 100, bidCount: 1 })
  const second = await anna.placeBid({ bidderId: 3, amount: 120 })
  expect(second.status).toBe(201)
  expect(second.headers.get('location')).toBe('/api/Bids/2')
  expect(second.body.message).toBe(
    "Bid 2 is placed, and outbid at once: the leader's maximum answers it, and leads at 125 USD.",
  )
  expect(second.body.data).toEqual({ ...second.body.data, id: 2, bidderId: 3, amount: 120 })
  expect(await read(anna)).toMatchObject({ currentPrice: 125, minimumNextBid: 130, bidCount: 3 })
  const { timestamp } = second.body.data
  expect(await bidsOf(anna)).toEqual([
    { id: 3, auctionId: 1, bidderId: 2, amount: 125, timestamp, automatic: true },
    { id: 2, auctionId: 1, bidderId: 3, amount: 120, timestamp },
    { id: 1, auctionId: 1, bidderId: 2, amount: 100, timestamp },
  ])
})

test('the bid that is made in reply resolves under its own id', async () => {
  const { anna } = await serverWithAuction()
  await anna.placeBid({ maximumAmount: 200 })
  await anna.placeBid({ bidderId: 3, amount: 120 })
  const reply = await anna.get('/api/Bids/3')
  expect(reply.body).toMatchObject({
    message: 'Bid 3 is placed.',
    data: { id: 3, bidderId: 2, amount: 125, automatic: true },
  })
  expect(await anna.get('/api/Bids/4')).toMatchObject(problem(404, 'bid-not-found'))
})

type Duel = readonly [what: string, challenger: object, leaderId: number, price: number, bidCount: number]

// Bidder 2 leads at 100, with a maximum of 200; the increment is 5.
test.each<Duel>([
  ['a bid below the maximum', { amount: 120 }, 2, 125, 3],
  ['a bid less than an increment below it', { amount: 198 }, 2, 200, 3],
  ['a bid that is equal to it: the leader came first', { amount: 200 }, 2, 200, 3],
  ['a bid above it, by less than an increment', { amount: 201 }, 3, 201, 2],
  ['a bid above it', { amount: 300 }, 3, 300, 2],
  ['a lower maximum', { amount: 110, maximumAmount: 150 }, 2, 155, 3],
  ['an equal maximum', { amount: 110, maximumAmount: 200 }, 2, 200, 3],
  ['a higher maximum, by less than an increment', { amount: 110, maximumAmount: 203 }, 3, 203, 3],
  ['a higher maximum', { amount: 110, maximumAmount: 400 }, 3, 205, 3],
  ['a higher maximum, with an amount that beats it already', { amount: 250, maximumAmount: 400 }, 3, 250, 2],
])('against a maximum of 200, %s', async (_what, challenger, leaderId, price, bidCount) => {
  const { anna } = await serverWithAuction()
  await anna.placeBid({ maximumAmount: 200 })
  expect((await anna.placeBid({ bidderId: 3, ...challenger })).status).toBe(201)
  expect(await read(anna)).toMatchObject({ currentPrice: price, bidCount })
  const bids = await bidsOf(anna)
  expect(bids[0]).toMatchObject({ bidderId: leaderId, amount: price })
  const amounts = bids.map(({ amount }) => amount)
  // Of two who go as far, the one who came first leads at the same price.
  expect(amounts).toEqual(amounts.toSorted((a, b) => b - a))
  expect(bids).toHaveLength(bidCount)
})

test('a bid at the maximum is placed and outbid at its own price, by whoever came first', async () => {
  const { anna } = await serverWithAuction()
  await anna.placeBid({ maximumAmount: 200 })
  const equal = await anna.placeBid({ bidderId: 3, amount: 200 })
  expect(equal.body.message).toBe(
    "Bid 2 is placed, and outbid at once: the leader's maximum answers it, and leads at 200 USD.",
  )
  expect((await bidsOf(anna)).slice(0, 2)).toMatchObject([
    { id: 3, bidderId: 2, amount: 200, automatic: true },
    { id: 2, bidderId: 3, amount: 200 },
  ])
})

describe('raising one’s own maximum', () => {
  test('moves no price, is no bid, and resolves', async () => {
    const { anna } = await serverWithAuction()
    await anna.placeBid({ maximumAmount: 200 })
    const raised = await anna.placeBid({ amount: 100, maximumAmount: 300 })
    expect(raised).toMatchObject({ status: 201, body: { data: { id: 2, amount: 100, raisesMaximum: true } } })
    expect(raised.headers.get('location')).toBe('/api/Bids/2')
    expect(raised.body.message).toBe(
      'Maximum raised, under the id 2: the bidder leads, and goes further if others bid.',
    )
    expect((await anna.get('/api/Bids/2')).body).toEqual({
      ...raised.body,
      message: 'Under the id 2, the leader has raised its maximum.',
    })
    expect(await read(anna)).toMatchObject({ currentPrice: 100, minimumNextBid: 105, bidCount: 1 })
    expect(await bidsOf(anna)).toHaveLength(1)
    await anna.placeBid({ bidderId: 3, amount: 250 })
    expect((await bidsOf(anna))[0]).toMatchObject({ bidderId: 2, amount: 255 })
  })

  test.each([[200], [199]])('to %i, which is no more than 200, is refused without a figure', async (maximumAmount) => {
    const server = await serverWithAuction()
    await server.anna.placeBid({ maximumAmount: 200 })
    const refused = await unchanged(server, () => server.anna.placeBid({ amount: 150, maximumAmount }))
    expect(refused).toMatchObject(problem(409, 'maximum-not-raised'))
    expect(refused.body.message).not.toMatch(/\d/)
    expect(Object.keys(refused.body).toSorted()).toEqual(['code', 'message', 'status', 'success', 'title', 'type'])
  })

  test('to exactly the reserve does not say that the bidder goes further', async () => {
    const { anna } = await serverWithAuction({ reservePrice: 150 })
    await anna.placeBid()
    const raised = await anna.placeBid({ amount: 100, maximumAmount: 150 })
    expect(raised.body.message).toBe('Maximum raised, under the id 2: the bidder leads at 150 USD.')
    await anna.placeBid({ bidderId: 3, amount: 155 })
    expect(await read(anna)).toMatchObject({ currentPrice: 155, bidCount: 3 })
  })

  test('is refused with what the leader can do instead, and both are accepted', async () => {
    const { anna } = await serverWithAuction()
    await anna.placeBid({ maximumAmount: 200 })
    expect((await anna.placeBid({ amount: 150, maximumAmount: 200 })).body.message).toBe(
      'The bidder leads, and its maximum or bid is as high as that already. Send a higher maximumAmount, or leave it out to raise the bid.',
    )
    expect(await anna.placeBid({ amount: 150 })).toMatchObject({ status: 201, body: { data: { amount: 150 } } })
    expect(await anna.placeBid({ amount: 150, maximumAmount: 201 })).toMatchObject({ status: 201 })
  })

  test('is what a leader without one does by naming one', async () => {
    const { anna } = await serverWithAuction()
    await anna.placeBid()
    expect((await anna.placeBid({ amount: 1, maximumAmount: 150 })).body.data).toMatchObject({ raisesMaximum: true })
    expect(await read(anna)).toMatchObject({ currentPrice: 100, bidCount: 1 })
  })

  test('is not what a leader does who bids without one: that moves the price, and keeps the maximum', async () => {
    const { anna } = await serverWithAuction()
    await anna.placeBid({ maximumAmount: 200 })
    expect(await anna.placeBid({ amount: 104 })).toMatchObject(problem(409, 'bid-too-low'))
    expect((await anna.placeBid({ amount: 120 })).body.data).toMatchObject({ amount: 120 })
    await anna.placeBid({ bidderId: 3, amount: 150 })
    expect((await bidsOf(anna))[0]).toMatchObject({ bidderId: 2, amount: 155, automatic: true })
  })
})

test('a bid below the least next bid is too low, whatever its maximum', async () => {
  const server = await serverWithAuction()
  await server.anna.placeBid()
  expect(
    await unchanged(server, () => server.anna.placeBid({ bidderId: 3, amount: 104, maximumAmount: 900 })),
  ).toMatchObject(problem(409, 'bid-too-low', { currentPrice: 100, minimumNextBid: 105, currency: 'USD' }))
})

test.each<[what: string, fields: object, pointers: readonly string[]]>([
  ['below the amount', { maximumAmount: 99.99 }, ['/maximumAmount']],
  ['as a text', { maximumAmount: '200' }, ['/maximumAmount']],
  ['of 0', { maximumAmount: 0 }, ['/maximumAmount']],
  ['of more decimals than any currency has', { maximumAmount: 200.000_01 }, ['/maximumAmount']],
  ['of more decimals than the currency has', { maximumAmount: 200.001 }, ['/maximumAmount']],
  [
    'of more decimals than the currency has, as the amount is,',
    { amount: 100.001, maximumAmount: 200.001 },
    ['/amount', '/maximumAmount'],
  ],
  ['beyond all amounts', { maximumAmount: 1e15 }, ['/maximumAmount']],
  ['by another name', { maximum: 200 }, ['/maximum']],
])('a maximum %s is 400', async (_what, fields, pointers) => {
  const server = await serverWithAuction()
  const refused = await unchanged(server, () => server.anna.placeBid(fields))
  expect(refused).toMatchObject(problem(400, 'validation-failed'))
  expect(pointersOf(refused)).toEqual(pointers)
})

test('a maximum of null is none, and a bid that was read can be sent back', async () => {
  const { anna } = await serverWithAuction()
  const plain = await anna.placeBid({ maximumAmount: null })
  expect(Object.keys(plain.body.data)).toEqual(['id', 'auctionId', 'bidderId', 'amount', 'timestamp'])
  const sent = { ...plain.body.data, bidderId: 3, amount: 200, automatic: true, raisesMaximum: true }
  expect((await anna.placeBid(sent)).status).toBe(201)
})

describe('the list of bids', () => {
  test('has the cursors that it ever had, where all bids are their bidders’ own', async () => {
    const { anna } = await serverWithAuction()
    for (const amount of [100, 105, 110]) await anna.placeBid({ amount })
    const page = (await anna.get('/api/Auctions/1/Bids?limit=2')).body.data
    expect(Buffer.from(page.nextCursor, 'base64url').toString()).toBe('bids/1 2')
    const next = (await anna.get(`/api/Auctions/1/Bids?cursor=${page.nextCursor}`)).body.data
    expect([next.items.map(({ amount }: Shown) => amount), next.nextCursor]).toEqual([[100], null])
  })

  test.each([1, 2, 3, 100])('in pages of %i has each bid once, while others bid', async (limit) => {
    const { anna } = await serverWithAuction()
    await anna.placeBid({ maximumAmount: 200 })
    await anna.placeBid({ bidderId: 3, amount: 120 })
    for (const maximumAmount of [210, 220, 230]) await anna.placeBid({ maximumAmount })
    await anna.placeBid({ bidderId: 4, amount: 130, maximumAmount: 400 })
    const all = (await bidsOf(anna)).map(({ id }) => id)
    expect(all).toHaveLength(5)
    const listed: number[] = []
    let cursor: string | null = null
    do {
      const page: { items: Shown[]; nextCursor: string | null } = (
        await anna.get(`/api/Auctions/1/Bids?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
      ).body.data
      expect(page.items.length).toBeLessThanOrEqual(limit)
      listed.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
      await anna.placeBid({ bidderId: 5, amount: 500 + 10 * listed.length })
    } while (cursor !== null)
    expect(listed).toEqual(all)
  })
})

describe('a key', () => {
  const key = { 'idempotency-key': 'one' }

  test('answers the first 201 again, told as it was', async () => {
    const { anna } = await serverWithAuction()
    await anna.placeBid({ maximumAmount: 200 })
    const first = await anna.placeBid({ bidderId: 3, amount: 120, maximumAmount: 150 }, key)
    await anna.placeBid({ bidderId: 4, amount: 400 })
    expect((await anna.placeBid({ bidderId: 3, amount: 120, maximumAmount: 150 }, key)).text).toBe(first.text)
  })

  test.each([
    ['another maximum', { maximumAmount: 151 }],
    ['no maximum', { maximumAmount: null }],
  ])('with %s is 422', async (_what, other) => {
    const { anna } = await serverWithAuction()
    const bid = { amount: 100, maximumAmount: 150 }
    await anna.placeBid(bid, key)
    expect(await anna.placeBid({ ...bid, ...other }, key)).toMatchObject(problem(422, 'idempotency-key-reused'))
  })

  test('of a raised maximum answers that again, and makes one of twins', async () => {
    const { anna } = await serverWithAuction()
    await anna.placeBid({ maximumAmount: 150 })
    const raise = () => anna.placeBid({ amount: 100, maximumAmount: 300 }, key)
    const twins = await Promise.all([raise(), raise(), raise()])
    expect(new Set(twins.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(twins[0]).toMatchObject({ status: 201, body: { data: { raisesMaximum: true } } })
  })
})

describe('a maximum is read', () => {
  const bound = { environment: { JWT_SUBJECT_CLAIM: 'uid' } }
  const by = (server: TestServer, uid: number) => clientOf(server, tokenOf(`user-${uid}`, { uid }))

  test('by its bidder alone, where callers are bound', async () => {
    const server = await startServer(bound)
    await by(server, 1).createAuction()
    const placed = await by(server, 2).placeBid({ maximumAmount: 200 })
    expect(placed.body.data).toEqual({ ...placed.body.data, amount: 100, maximumAmount: 200 })
    const own = await by(server, 2).get('/api/Bids/1')
    const others = await by(server, 3).get('/api/Bids/1')
    expect(own.body.data).toEqual(placed.body.data)
    expect(others.body.data).toEqual({ ...placed.body.data, maximumAmount: undefined })
    expect(own.headers.get('etag')).not.toBe(others.headers.get('etag'))
    const [shown] = await bidsOf(by(server, 2))
    expect(shown).toEqual(placed.body.data)
    expect(await bidsOf(by(server, 1))).toEqual([others.body.data])
  })

  test('as each bid said it, and not on bids that the service made', async () => {
    const server = await startServer(bound)
    await by(server, 1).createAuction()
    await by(server, 2).placeBid({ maximumAmount: 200 })
    const raised = await by(server, 2).placeBid({ amount: 100, maximumAmount: 300 })
    expect(raised.body.data).toMatchObject({ raisesMaximum: true, maximumAmount: 300 })
    await by(server, 3).placeBid({ bidderId: 3, amount: 120 })
    expect((await bidsOf(by(server, 2))).map((bid) => 'maximumAmount' in bid)).toEqual([false, false, true])
    const seenByOthers = await by(server, 3).get('/api/Bids/2')
    expect(seenByOthers.body.data).toMatchObject({ amount: 100, raisesMaximum: true })
    expect(seenByOthers.body.data).not.toHaveProperty('maximumAmount')
  })

  test('by nobody, where callers are not bound', async () => {
    const { anna } = await serverWithAuction()
    const placed = await anna.placeBid({ maximumAmount: 200 })
    for (const { body } of [placed, await anna.get('/api/Bids/1')])
      expect(body.data).not.toHaveProperty('maximumAmount')
    expect((await bidsOf(anna))[0]).not.toHaveProperty('maximumAmount')
  })
})

test('two maxima that meet many others at one moment leave prices that rise, and the higher one leading', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '10000' } })
  const anna = clientOf(server)
  await anna.createAuction()
  const bids = Array.from({ length: 60 }, (_, index) =>
    anna.placeBid({ bidderId: 10 + index, amount: 100 + 5 * index, maximumAmount: 1_000 + 7 * ((index * 37) % 60) }),
  )
  const accepted = (await Promise.all(bids)).filter(({ status }) => status === 201)
  expect(accepted.length).toBeGreaterThan(0)
  const all = await bidsOf(anna)
  const { currentPrice, bidCount } = await read(anna)
  expect([all.length, all[0]?.amount]).toEqual([Math.min(bidCount, 100), currentPrice])
  const amounts = all.map(({ amount }) => amount)
  expect(amounts).toEqual(amounts.toSorted((a, b) => b - a))
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
})
