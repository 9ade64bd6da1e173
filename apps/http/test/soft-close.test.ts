import { describe, expect, test } from 'vitest'
import { type Client, clientOf, pointersOf, problem } from './support/client.ts'
import { startServer, type TestServer } from './support/server.ts'
import { unchanged } from './support/stored.ts'

/** A bid of the last minute moves the end to two minutes after it, until a quarter past. */
const softClose = { windowSeconds: 60, extensionSeconds: 120, latestEndTime: '2030-02-07T12:15:00Z' }
const endTime = '2030-02-07T12:00:00Z'

async function serverWithAuction(fields: object = {}): Promise<TestServer & { readonly anna: Client }> {
  const server = await startServer()
  const anna = clientOf(server)
  await anna.createAuction({ softClose, ...fields })
  return { ...server, anna }
}

type Started = Awaited<ReturnType<typeof serverWithAuction>>

const read = async ({ anna }: Started) => (await anna.get('/api/Auctions/1')).body.data

/** Bids at a time of 7 February 2030. */
async function bidAt({ anna, clock }: Started, time: string, amount: number) {
  clock.set(`2030-02-07T${time}Z`)
  return anna.placeBid({ amount })
}

test('an auction with a soft close is echoed as it was sent, and read with the end that holds', async () => {
  const server = await startServer()
  const anna = clientOf(server)
  const created = await anna.createAuction({ softClose })
  expect(created.body.data.softClose).toEqual(softClose)
  expect(created.body.data).not.toHaveProperty('effectiveEndTime')
  expect((await anna.get('/api/Auctions/1')).body.data).toMatchObject({ softClose, endTime, effectiveEndTime: endTime })
})

test('an accepted bid of the last seconds moves the end, and bids go by that', async () => {
  const server = await serverWithAuction()
  await bidAt(server, '11:58:59.999', 100)
  expect((await read(server)).effectiveEndTime).toBe(endTime)
  await bidAt(server, '11:59:30', 105)
  expect(await read(server)).toMatchObject({ endTime, effectiveEndTime: '2030-02-07T12:01:30.000Z' })
  expect((await bidAt(server, '12:01:29.999', 110)).status).toBe(201)
  expect(await read(server)).toMatchObject({ status: 'Active', effectiveEndTime: '2030-02-07T12:03:29.999Z' })
  expect(await bidAt(server, '12:03:29.999', 115)).toMatchObject(
    problem(409, 'auction-ended', { endTime: '2030-02-07T12:03:29.999Z' }),
  )
  expect(await read(server)).toMatchObject({ status: 'Ended', endTime })
})

test('the first millisecond of the window counts, and so does the last before the end', async () => {
  for (const [time, moved] of [
    ['11:59:00', '2030-02-07T12:01:00.000Z'],
    ['11:59:59.999', '2030-02-07T12:01:59.999Z'],
  ] as const) {
    const server = await serverWithAuction()
    await bidAt(server, time, 100)
    expect((await read(server)).effectiveEndTime).toBe(moved)
  }
})

test('nothing moves the end past the latest', async () => {
  const server = await serverWithAuction({ softClose: { ...softClose, latestEndTime: '2030-02-07T12:02:00Z' } })
  await bidAt(server, '11:59:59', 100)
  await bidAt(server, '12:01:30', 105)
  expect((await read(server)).effectiveEndTime).toBe('2030-02-07T12:02:00.000Z')
  await bidAt(server, '12:01:59.999', 110)
  expect((await read(server)).effectiveEndTime).toBe('2030-02-07T12:02:00.000Z')
  expect(await bidAt(server, '12:02:00', 115)).toMatchObject(
    problem(409, 'auction-ended', { endTime: '2030-02-07T12:02:00.000Z' }),
  )
})

test('an extension that ends before the end moves nothing', async () => {
  const server = await serverWithAuction({ softClose: { ...softClose, windowSeconds: 600, extensionSeconds: 60 } })
  await bidAt(server, '11:52:00', 100)
  expect((await read(server)).effectiveEndTime).toBe(endTime)
})

test('refused bids and a raised maximum move nothing', async () => {
  const server = await serverWithAuction({ buyNowPrice: 1_000 })
  const { anna, clock } = server
  await anna.placeBid({ maximumAmount: 200 })
  clock.set('2030-02-07T11:59:30Z')
  const refused = [
    () => anna.placeBid({ bidderId: 3, amount: 104 }),
    () => anna.placeBid({ bidderId: 1, amount: 500 }),
    () => anna.placeBid({ amount: 100, maximumAmount: 200 }),
    () => anna.placeBid({ bidderId: 3, amount: 500.001 }),
    () => anna.buyNow({ buyerId: 3 }),
    () => anna.cancelAuction(),
  ]
  for (const send of refused) expect((await unchanged(server, send)).status).not.toBe(201)
  expect((await anna.placeBid({ amount: 100, maximumAmount: 300 })).status).toBe(201)
  expect((await read(server)).effectiveEndTime).toBe(endTime)
})

test('the result comes when the moved end is over, and the winner is that of overtime', async () => {
  const server = await serverWithAuction()
  await bidAt(server, '11:59:30', 100)
  server.clock.set('2030-02-07T12:00:10Z')
  await server.service.closeDue()
  expect(await read(server)).toMatchObject({ status: 'Active', result: null })
  await bidAt(server, '12:01:00', 105)
  server.clock.set('2030-02-07T12:03:02Z')
  await server.service.closeDue()
  expect(await read(server)).toMatchObject({
    status: 'Ended',
    effectiveEndTime: '2030-02-07T12:03:00.000Z',
    result: { outcome: 'sold', bidId: 2, winnerId: 2, price: 105 },
  })
})

test('lists have those in overtime as active; pages go by the end as sent, and within one by the end that holds', async () => {
  const server = await serverWithAuction()
  const { anna } = server
  await anna.createAuction({ endTime: '2030-02-07T12:00:30Z' })
  await anna.createAuction()
  await bidAt(server, '11:59:30', 100)
  server.clock.set('2030-02-07T12:00:10Z')
  const ids = async (query: string) =>
    (await anna.get(`/api/Auctions?${query}`)).body.data.items.map(({ id }: { readonly id: number }) => id)
  expect(await ids('status=Active&sort=endTime')).toEqual([2, 1])
  expect(await ids('status=Active')).toEqual([2, 1])
  expect(await ids('status=Ended')).toEqual([3])
  const page = (await anna.get('/api/Auctions?status=Active&sort=endTime&limit=1')).body.data
  expect(page.items[0]).toMatchObject({ id: 1, effectiveEndTime: '2030-02-07T12:01:30.000Z' })
  expect(await ids(`status=Active&sort=endTime&limit=1&cursor=${page.nextCursor}`)).toEqual([2])
})

test('many bids of the last second all count, and the end is that of the last', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '10000' } })
  const anna = clientOf(server)
  await anna.createAuction({ softClose })
  server.clock.set('2030-02-07T11:59:59Z')
  const bids = Array.from({ length: 50 }, (_, index) => anna.placeBid({ bidderId: 2 + index, amount: 100 + index * 5 }))
  const accepted = (await Promise.all(bids)).filter(({ status }) => status === 201)
  expect((await anna.get('/api/Auctions/1')).body.data).toMatchObject({
    bidCount: accepted.length,
    effectiveEndTime: '2030-02-07T12:01:59.000Z',
  })
})

describe('what is not right', () => {
  test.each<[what: string, softClose: unknown, pointers: readonly string[]]>([
    ['no fields', {}, ['windowSeconds', 'extensionSeconds', 'latestEndTime']],
    ['a number as a text', { ...softClose, windowSeconds: '60' }, ['windowSeconds']],
    ['a fraction', { ...softClose, extensionSeconds: 1.5 }, ['extensionSeconds']],
    ['nothing', { ...softClose, windowSeconds: 0, extensionSeconds: 0 }, ['windowSeconds', 'extensionSeconds']],
    ['more than a week', { ...softClose, windowSeconds: 604_801 }, ['windowSeconds']],
    ['a latest end that is the end', { ...softClose, latestEndTime: endTime }, ['latestEndTime']],
    ['one after a week', { ...softClose, latestEndTime: '2030-02-14T12:00:00.001Z' }, ['latestEndTime']],
    ['one that is no time', { ...softClose, latestEndTime: '2030-02-30T12:00:00Z' }, ['latestEndTime']],
    ['null within', { ...softClose, latestEndTime: null }, ['latestEndTime']],
    ['a name that nobody knows', { ...softClose, windowSecond: 60, __proto: 1 }, ['windowSecond', '__proto']],
    ['a name that a read has', { ...softClose, effectiveEndTime: endTime }, ['effectiveEndTime']],
  ])('%s is 400, with where it is', async (_what, given, names) => {
    const server = await startServer()
    const refused = await unchanged(server, () => clientOf(server).createAuction({ softClose: given }))
    expect(refused).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(refused)).toEqual(names.map((name) => `/softClose/${name}`))
  })

  test.each([[true], ['60'], [[]], [60]])('%j is no soft close', async (given) => {
    const refused = await clientOf(await startServer()).createAuction({ softClose: given })
    expect(pointersOf(refused)).toEqual(['/softClose'])
  })
})

test('a latest end of a week, and windows of a week, are right', async () => {
  const anna = clientOf(await startServer())
  const widest = { windowSeconds: 604_800, extensionSeconds: 604_800, latestEndTime: '2030-02-14T12:00:00Z' }
  const created = await anna.createAuction({ softClose: widest })
  expect(created.body.data.softClose).toEqual(widest)
})

test('null is not given, and what was read can be sent back', async () => {
  const anna = clientOf(await startServer())
  const plain = await anna.createAuction({
    softClose: null,
    reservePrice: null,
    buyNowPrice: null,
    cancellableUntilEnd: null,
  })
  expect(plain.text).toBe((await anna.createAuction()).text.replaceAll(/(Auction |"id":)2/g, '$11'))
  await anna.createAuction({ softClose, buyNowPrice: 500, cancellableUntilEnd: false })
  const { data } = (await anna.get('/api/Auctions/3')).body
  expect(data).toMatchObject({ effectiveEndTime: endTime, buyNowOffered: true, cancellableUntilEnd: false })
  const again = await anna.post('/api/Auctions', { ...data, reserveMet: false })
  expect(again.body.data).toEqual({ ...created(data), id: 4 })
})

/** An auction that was read, as its creation was answered. */
const created = ({
  currentPrice,
  minimumNextBid,
  bidCount,
  result,
  effectiveEndTime,
  buyNowOffered,
  ...auction
}: Record<string, unknown>) => ({
  ...auction,
  status: 'Pending',
})
