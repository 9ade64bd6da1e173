import { describe, expect, test } from 'vitest'
import { type Client, clientOf, pointersOf, problem } from './support/client.ts'
import { rawConnection, requestBytes, statusesIn } from './support/raw-connection.ts'
import { startServer, type TestServer, type TestServerOptions } from './support/server.ts'
import { unchanged } from './support/stored.ts'
import { tokenOf } from './support/tokens.ts'

type Started = TestServer & { readonly anna: Client }

async function serverWithAuction(fields: object = {}, options: TestServerOptions = {}): Promise<Started> {
  const server = await startServer(options)
  const anna = clientOf(server)
  await anna.createAuction(fields)
  return { ...server, anna }
}

const resultOf = async ({ anna }: Started) => (await anna.get('/api/Auctions/1')).body.data.result
const cancelled = (reason?: string) => ({ outcome: 'cancelled', ...(reason !== undefined && { reason }) })

describe('an auction without bids', () => {
  test('is cancelled, with its reason, and stays so', async () => {
    const server = await serverWithAuction()
    const { anna } = server
    const answer = await anna.cancelAuction({ reason: 'Broken in transport' })
    expect(answer).toMatchObject({ status: 201, body: { success: true, message: 'Auction 1 is cancelled.' } })
    expect(answer.headers.get('location')).toBe('/api/Auctions/1')
    expect(answer.body.data).toEqual((await anna.get('/api/Auctions/1')).body.data)
    expect(answer.body.data).toMatchObject({
      status: 'Cancelled',
      bidCount: 0,
      result: cancelled('Broken in transport'),
    })
    server.clock.set('2030-02-08T00:00:00Z')
    await server.service.closeDue()
    expect((await anna.get('/api/Auctions/1')).body.data).toEqual(answer.body.data)
  })

  test.each([
    ['no body at all', undefined],
    ['an empty object', {}],
    ['no reason', { reason: null }],
  ])('is cancelled with %s', async (_what, fields) => {
    const server = await serverWithAuction()
    const answer = await server.anna.cancelAuction(fields)
    expect([answer.status, await resultOf(server)]).toEqual([201, cancelled()])
  })

  test('is cancelled with no bytes of the type JSON, and of no other', async () => {
    const server = await serverWithAuction()
    const send = (type: string) => server.anna.post('/api/Auctions/1/Cancellation', '', { 'content-type': type })
    expect(await send('text/plain')).toMatchObject(problem(415, 'unsupported-media-type'))
    expect(await resultOf(server)).toBeNull()
    expect([(await send('application/json')).status, await resultOf(server)]).toEqual([201, cancelled()])
  })

  test('is cancelled with no bytes in chunks', async () => {
    const server = await serverWithAuction()
    const connection = await rawConnection(server.port)
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked', connection: 'close' }
    const authorization = `Bearer ${tokenOf('anna')}`
    connection.write(requestBytes('POST', '/api/Auctions/1/Cancellation', { ...headers, authorization }))
    connection.write('0\r\n\r\n')
    expect(statusesIn(await connection.ended())).toEqual([201])
    expect(await resultOf(server)).toEqual(cancelled())
  })

  test('is cancelled before its start, and never begins', async () => {
    const server = await serverWithAuction({ startTime: '2030-02-01T00:00:00Z' })
    expect((await server.anna.cancelAuction()).body.data.status).toBe('Cancelled')
    expect(await server.anna.placeBid()).toMatchObject(problem(409, 'auction-cancelled'))
    server.clock.set('2030-02-02T00:00:00Z')
    expect(await server.anna.placeBid()).toMatchObject(problem(409, 'auction-cancelled'))
  })

  test('that is cancelled once more is so again, with the reason that it has', async () => {
    const server = await serverWithAuction()
    const first = await server.anna.cancelAuction({ reason: 'Lost' })
    for (const fields of [undefined, { reason: 'Found' }, { reason: 'Lost' }]) {
      expect(await server.anna.cancelAuction(fields)).toMatchObject({ status: 201, body: first.body })
    }
    server.clock.set('2030-03-01T00:00:00Z')
    expect(await server.anna.cancelAuction({ reason: 'Late' })).toMatchObject({ status: 201, body: first.body })
    expect(await server.store.listEntries(first.body.data.id, { limit: 10 })).toHaveLength(1)
  })
})

describe('an auction with bids', () => {
  test('is not cancelled, and goes on', async () => {
    const server = await serverWithAuction()
    await server.anna.placeBid()
    const refused = await unchanged(server, () => server.anna.cancelAuction())
    expect(refused).toMatchObject(problem(409, 'auction-has-bids'))
    expect(refused.body.message).toMatch(/cancellableUntilEnd/)
    expect((await server.anna.placeBid({ amount: 105 })).status).toBe(201)
  })

  test('is cancelled until its end where it was created so, and its bids stay readable', async () => {
    const server = await serverWithAuction({ cancellableUntilEnd: true })
    const { anna } = server
    const bid = await anna.placeBid()
    server.clock.set('2030-02-07T11:59:59.999Z')
    const answer = await anna.cancelAuction()
    expect(answer.body.data).toMatchObject({ status: 'Cancelled', bidCount: 1, currentPrice: 100, result: cancelled() })
    expect((await anna.get('/api/Bids/1')).body.data).toEqual(bid.body.data)
    expect((await anna.get('/api/Auctions/1/Bids')).body.data.items).toEqual([bid.body.data])
  })

  test.each([true, false])(
    'is not cancelled at its end, whether it could be before: %s',
    async (cancellableUntilEnd) => {
      const server = await serverWithAuction({ cancellableUntilEnd })
      await server.anna.placeBid()
      server.clock.set('2030-02-07T12:00:00Z')
      expect(await unchanged(server, () => server.anna.cancelAuction())).toMatchObject(
        problem(409, 'auction-ended', { endTime: '2030-02-07T12:00:00Z' }),
      )
    },
  )
})

test('a cancelled auction takes no bid and no purchase', async () => {
  const server = await serverWithAuction({ buyNowPrice: 500 })
  await server.anna.cancelAuction()
  for (const send of [() => server.anna.placeBid(), () => server.anna.buyNow()]) {
    const refused = await unchanged(server, send)
    expect(refused).toMatchObject(problem(409, 'auction-cancelled'))
    expect(refused.body.message).toBe(
      'The auction is cancelled; only another auction of the product can be bid on or bought.',
    )
  }
  expect((await server.anna.get('/api/Auctions/1')).body.data.buyNowOffered).toBe(false)
})

test('lists tell a cancelled auction from those that run and those that are over', async () => {
  const server = await serverWithAuction()
  const { anna } = server
  await anna.createAuction({ title: 'Runs' })
  await anna.cancelAuction()
  const titles = async (query: string) =>
    (await anna.get(`/api/Auctions?${query}`)).body.data.items.map(({ id }: { readonly id: number }) => id)
  expect(await titles('status=Cancelled')).toEqual([1])
  expect(await titles('status=Active')).toEqual([2])
  expect(await titles('status=Active&sort=endTime')).toEqual([2])
  expect(await titles('')).toEqual([2, 1])
  server.clock.set('2030-02-07T12:00:00Z')
  expect([await titles('status=Ended'), await titles('status=Cancelled')]).toEqual([[2], [1]])
})

test('an auction that is not there is 404', async () => {
  const server = await serverWithAuction()
  const send = () => server.anna.post('/api/Auctions/2/Cancellation', {})
  expect(await unchanged(server, send)).toMatchObject(problem(404, 'auction-not-found'))
})

describe('a body', () => {
  test.each<[what: string, body: unknown, pointers: readonly string[]]>([
    ['an empty reason', { reason: '' }, ['/reason']],
    ['a reason of 501 characters', { reason: 'x'.repeat(501) }, ['/reason']],
    ['a lone surrogate', '{"reason":"\\ud800"}', ['/reason']],
    ['a reason that is no text', { reason: 1 }, ['/reason']],
    ['a field that nobody knows', { reson: 'Lost', because: 1 }, ['/reson', '/because']],
    ['an id, which is in the path', { id: 1 }, ['/id']],
    ['null', null, ['']],
    ['an array', [], ['']],
  ])('with %s is 400', async (_what, body, pointers) => {
    const server = await serverWithAuction()
    const refused = await unchanged(server, () => server.anna.post('/api/Auctions/1/Cancellation', body))
    expect(refused).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(refused)).toEqual(pointers)
    expect(await resultOf(server)).toBeNull()
  })

  test('that is no JSON is malformed, though it might have been left out', async () => {
    const server = await serverWithAuction()
    for (const text of ['{', ' ', '{"reason":"a","reason":"b"}']) {
      expect(await server.anna.post('/api/Auctions/1/Cancellation', text)).toMatchObject(problem(400, 'malformed-json'))
    }
    expect(await server.anna.send('POST', '/api/Auctions/1/Cancellation', { body: 'x' })).toMatchObject(
      problem(415, 'unsupported-media-type'),
    )
  })

  test('has a reason of up to 500 characters, as they were sent', async () => {
    const server = await serverWithAuction()
    const reason = '😀'.repeat(500)
    await server.anna.cancelAuction({ reason })
    expect(await resultOf(server)).toEqual(cancelled(reason))
  })
})

describe('who may', () => {
  test('is whoever has the permission, where callers are not bound', async () => {
    const server = await serverWithAuction()
    const without = clientOf(server, tokenOf('bert', { permissions: ['auction-service:Auctions:Create'] }))
    const refused = await without.cancelAuction()
    expect(refused).toMatchObject(problem(403, 'forbidden'))
    expect(refused.headers.get('www-authenticate')).toContain('scope="auction-service:Auctions:Cancel"')
    const only = clientOf(server, tokenOf('bert', { permissions: ['auction-service:Auctions:Cancel'] }))
    expect((await only.cancelAuction()).status).toBe(201)
  })

  test('follows the name of the service and the setting', async () => {
    const environment = { PERMISSIONS_AUCTIONS_CANCEL: 'call-off' }
    const server = await startServer({ environment })
    await clientOf(server).createAuction()
    expect(await clientOf(server).cancelAuction()).toMatchObject(problem(403, 'forbidden'))
    expect((await clientOf(server, tokenOf('anna', { scope: 'call-off' })).cancelAuction()).status).toBe(201)
  })

  const bound = { environment: { JWT_SUBJECT_CLAIM: 'uid' } }
  const by = (server: TestServer, uid: unknown) => clientOf(server, tokenOf('anna', { uid }))

  test('is the owner alone, where callers are bound', async () => {
    const server = await startServer(bound)
    await by(server, 1).createAuction()
    const refused = await unchanged(server, () => by(server, 2).cancelAuction())
    expect(refused).toMatchObject(problem(403, 'forbidden'))
    expect(refused.body.message).toBe('This token acts for another user; only the owner of the auction can cancel it.')
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="auction-service:Auctions:Cancel"',
    )
    expect((await by(server, '1').cancelAuction()).status).toBe(201)
    // Not even of one that is cancelled.
    expect(await by(server, 2).cancelAuction()).toMatchObject(problem(403, 'forbidden'))
  })

  test.each([['no id'], ['1 '], ['01'], [0], [-1], [1.5], [[1]], [null], [undefined], ['9007199254740993']])(
    'is nobody whose claim is no user id: %j',
    async (uid) => {
      const server = await startServer(bound)
      await by(server, 1).createAuction()
      const refused = await unchanged(server, () => by(server, uid).cancelAuction())
      // A number that is no integer makes no good token.
      if (uid === 1.5) expect(refused).toMatchObject(problem(401, 'unauthenticated'))
      else expect(refused).toMatchObject(problem(403, 'forbidden'))
    },
  )
})

describe('a key', () => {
  const key = (value: string) => ({ 'idempotency-key': value })

  test('answers the first 201 again, whatever became of the clock', async () => {
    const server = await serverWithAuction()
    const first = await server.anna.cancelAuction({ reason: 'Lost' }, key('one'))
    server.clock.set('2030-03-01T00:00:00Z')
    const again = await server.anna.cancelAuction({ reason: 'Lost' }, key('one'))
    expect([again.status, again.text]).toEqual([201, first.text])
  })

  test('of another reason, or of another auction, is 422', async () => {
    const server = await serverWithAuction()
    await server.anna.createAuction()
    await server.anna.cancelAuction({ reason: 'Lost' }, key('one'))
    const reused = problem(422, 'idempotency-key-reused')
    expect(await server.anna.cancelAuction({ reason: 'Found' }, key('one'))).toMatchObject(reused)
    expect(await server.anna.cancelAuction(undefined, key('one'))).toMatchObject(reused)
    expect(await server.anna.post('/api/Auctions/2/Cancellation', { reason: 'Lost' }, key('one'))).toMatchObject(reused)
  })

  test('of a refusal is free', async () => {
    const server = await serverWithAuction()
    await server.anna.createAuction()
    await server.anna.placeBid()
    expect(await server.anna.cancelAuction({}, key('one'))).toMatchObject(problem(409, 'auction-has-bids'))
    expect((await server.anna.post('/api/Auctions/2/Cancellation', {}, key('one'))).status).toBe(201)
  })

  test('that is none is told beside other faults', async () => {
    const server = await serverWithAuction()
    const refused = await server.anna.post('/api/Auctions/x/Cancellation', { reason: 1 }, key('two words'))
    expect(pointersOf(refused)).toEqual(['/Idempotency-Key', '/id', '/reason'])
  })
})

test('of a first bid and a cancellation at one moment, one is first, again and again', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '10000' } })
  const anna = clientOf(server)
  const outcomes = new Set<string>()
  for (let id = 1; id <= 40; id++) {
    await anna.createAuction()
    const cancel = () => anna.post(`/api/Auctions/${id}/Cancellation`, {})
    const bid = () => anna.placeBid({ auctionId: id })
    const [first, second] = id % 2 === 0 ? [cancel, bid] : [bid, cancel]
    const answers = await Promise.all([first(), second()])
    const codes = answers.map(({ status, body }) => (status === 201 ? 'done' : body.code)).toSorted()
    const { status, bidCount } = (await anna.get(`/api/Auctions/${id}`)).body.data
    outcomes.add(`${codes}: ${status}, ${bidCount}`)
  }
  const right = ['auction-cancelled,done: Cancelled, 0', 'auction-has-bids,done: Active, 1']
  expect([...outcomes].filter((outcome) => !right.includes(outcome))).toEqual([])
})

test('where bids leave it free, bids that come with a cancellation are placed before it, or refused', async () => {
  const server = await startServer({ environment: { RATE_LIMIT_MAX: '10000' } })
  const anna = clientOf(server)
  for (let id = 1; id <= 10; id++) {
    await anna.createAuction({ cancellableUntilEnd: true })
    const bids = Array.from({ length: 10 }, (_, index) => anna.placeBid({ auctionId: id, amount: 100 + index * 5 }))
    const [cancellation, ...placed] = await Promise.all([anna.post(`/api/Auctions/${id}/Cancellation`, {}), ...bids])
    expect(cancellation?.status).toBe(201)
    const accepted = placed.filter(({ status }) => status === 201).length
    const codes = placed.filter(({ status }) => status !== 201).map(({ body }) => body.code)
    expect(codes.filter((code) => code !== 'auction-cancelled' && code !== 'bid-too-low')).toEqual([])
    const read = (await anna.get(`/api/Auctions/${id}`)).body.data
    expect(read).toMatchObject({ status: 'Cancelled', bidCount: accepted, result: cancelled() })
  }
})
