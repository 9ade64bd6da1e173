import { expect, test } from 'vitest'
import { type Answer, anonymousOf, type Client, clientOf, openAuction, problem } from './support/client.ts'
import { serverOfFile, startServer, type TestServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const environment = { ANONYMOUS_READS: 'on' }
const server = await serverOfFile({ environment })

/** The path of each public operation, for an auction with bids. */
async function publicPaths(on: TestServer = server): Promise<readonly string[]> {
  const auction = await openAuction(on)
  const placed = await auction.placeBid({ maximumAmount: 300 })
  await auction.placeBid({ bidderId: 3, amount: 200 })
  const path = `/api/Auctions/${auction.id}`
  return [path, placed.headers.get('location') ?? '', '/api/Auctions', `${path}/Bids`]
}

const send = (client: Client, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  client.send(method, path, { headers })

test('anyone can read auctions and bids, and shared caches may answer for a second', async () => {
  for (const path of await publicPaths()) {
    const anonymous = anonymousOf(server)
    const answer = await anonymous.get(path)
    expect(answer.status, path).toBe(200)
    expect(answer.body.data).toEqual((await clientOf(server).get(path)).body.data)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=1')
    expect(answer.headers.get('vary')).toBe('Authorization')
    expect(answer.headers.get('ratelimit')).toContain('"public"')

    const tag = answer.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^"]+"$/)
    for (const method of ['GET', 'HEAD']) {
      const again = await send(anonymous, path, { 'if-none-match': tag }, method)
      expect(again).toMatchObject({ status: 304, text: '' })
      expect(again.headers.get('etag')).toBe(tag)
      expect(again.headers.get('cache-control')).toBe('public, max-age=1')
      expect(again.headers.get('vary')).toBe('Authorization')
    }
    const head = await send(anonymous, path, {}, 'HEAD')
    expect(head.status).toBe(200)
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'vary']) {
      expect(head.headers.get(name), name).toBe(answer.headers.get(name))
    }
  }
})

test('a bid changes the entity tags of its auction and of both lists', async () => {
  const auction = await openAuction(server)
  const path = `/api/Auctions/${auction.id}`
  for (const changed of [path, `${path}/Bids`, '/api/Auctions?limit=1']) {
    const tag = (await anonymousOf(server).get(changed)).headers.get('etag') ?? ''
    const { minimumNextBid } = await auction.read()
    await auction.placeBid({ amount: minimumNextBid })
    expect((await send(anonymousOf(server), changed, { 'if-none-match': tag })).status).toBe(200)
  }
})

test('Origin is in Vary where scripts of some origins may call', async () => {
  const shop = 'https://shop.example'
  const other = await startServer({ environment: { ...environment, CORS_ORIGINS: `${shop},https://other.example` } })
  const answer = await send(anonymousOf(other), '/api/Auctions', { origin: shop })
  expect(answer.headers.get('access-control-allow-origin')).toBe(shop)
  expect(answer.headers.get('vary')).toBe('Origin, Authorization')
})

test('responses to requests with a token are the same as without the setting', async () => {
  const off = await startServer()
  const compared = ({ headers, ...answer }: Answer) => ({
    ...answer,
    headers: Object.fromEntries([...headers].filter(([name]) => !/^(x-request-id|date|ratelimit.*)$/.test(name))),
  })
  const on = await startServer({ environment })
  await publicPaths(off)
  for (const path of await publicPaths(on)) {
    const [token, ...others] = [tokenOf('anna'), 'x.y.z', tokenOf('anna', { exp: 1 })]
    expect(compared(await clientOf(on, token).get(path)), path).toEqual(compared(await clientOf(off, token).get(path)))
    for (const bad of others) expect(await clientOf(on, bad).get(path)).toMatchObject(problem(401, 'unauthenticated'))
    for (const authorization of ['Basic YTpi', 'Bearer', '']) {
      const answer = await send(anonymousOf(on), path, { authorization })
      expect(answer, authorization).toMatchObject(problem(401, 'unauthenticated'))
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  }
})

test('without a token nothing can be changed', async () => {
  const { id } = await openAuction(server)
  const client = clientOf(server, '', id)
  for (const attempt of [client.createAuction(), client.placeBid(), client.buyNow(), client.cancelAuction()]) {
    expect(await attempt).toMatchObject(problem(401, 'unauthenticated'))
  }
})

test('failures are not cached', async () => {
  for (const [path, status] of [
    ['/api/Auctions/9007199254740991', 404],
    ['/api/Auctions?limit=0', 400],
  ] as const) {
    const answer = await anonymousOf(server).get(path)
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual([
      status,
      'no-store',
      null,
    ])
  }
})

test('the limits of reads without a token, of requests without a valid one and of callers are separate', async () => {
  const limits = { RATE_LIMIT_MAX: '2', RATE_LIMIT_ANONYMOUS_MAX: '1', RATE_LIMIT_WINDOW_SECONDS: '1000' }
  const limited = await startServer({ environment: { ...environment, ...limits } })
  const statusesOf = async (client: Client, path = '/api/Auctions') => {
    const answers = [await client.get(path), await client.get(path), await client.get(path)]
    return answers.map(({ status }) => status)
  }
  const anonymous = anonymousOf(limited)
  expect(await statusesOf(anonymous)).toEqual([200, 200, 429])
  const exceeded = await anonymous.get('/api/Auctions/1')
  expect(exceeded).toMatchObject(problem(429, 'rate-limited'))
  expect(exceeded.body.message).toMatch(/\b2 reads without a token from this address in 1000 s/)
  expect(exceeded.headers.get('ratelimit-policy')).toBe('"public";q=2;w=1000')
  expect(exceeded.headers.has('retry-after')).toBe(true)
  expect(await statusesOf(clientOf(limited, 'x.y.z'))).toEqual([401, 429, 429])
  expect(await statusesOf(clientOf(limited))).toEqual([200, 200, 429])
})

/** The same run with other secrets, as anonymous readers see it: all responses, with their entity tags. */
async function seenOf(secrets: { readonly reserves: readonly number[]; readonly maximums: readonly number[] }) {
  const run = await startServer({ environment: { ...environment, JWT_SUBJECT_CLAIM: 'uid', RATE_LIMIT_MAX: '10000' } })
  const as = (uid: number) => clientOf(run, tokenOf(`user ${uid}`, { uid }))
  const [owner, anna, bert] = [as(1), as(2), as(3)]
  const seen: string[] = []
  const look = async () => {
    const ended = '/api/Auctions?status=Ended'
    const lists = ['/api/Auctions', '/api/Auctions?status=Active&sort=endTime', ended, '/api/Auctions/1/Bids']
    const single = Array.from({ length: 6 }, (_, index) => `/api/Bids/${index + 1}`)
    for (const path of [...lists, ...single, '/api/Auctions/1', '/api/Auctions/2', '/api/Auctions/3']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, text, headers } = await send(anonymousOf(run), path, {}, method)
        seen.push([method, path, status, text, headers.get('etag'), headers.get('content-length')].join(' '))
      }
    }
  }
  for (const reservePrice of secrets.reserves) await owner.createAuction({ reservePrice, buyNowPrice: 9_000 })
  await look()
  await anna.placeBid({ amount: 100, maximumAmount: secrets.maximums[0] })
  await look()
  await bert.placeBid({ bidderId: 3, amount: 200 })
  await anna.placeBid({ amount: 205, maximumAmount: secrets.maximums[1] })
  await bert.placeBid({ auctionId: 2, bidderId: 3, amount: 150, maximumAmount: secrets.maximums[2] })
  await bert.buyNow({ buyerId: 3 })
  await owner.post('/api/Auctions/3/Cancellation', {})
  await look()
  run.clock.set('2030-02-07T12:01:00Z')
  await run.service.closeDue()
  await look()
  return seen
}

test('two runs that differ in their secrets only look the same to anonymous readers', async () => {
  const first = await seenOf({ reserves: [5_000, 3_000, 2_000], maximums: [300, 400, 250] })
  const second = await seenOf({ reserves: [6_500.5, 3_333, 2_001], maximums: [1_357.9, 2_468, 999.99] })
  expect(first).toEqual(second)
  expect(first.filter((line) => line.includes('"automatic":true'))).not.toEqual([])
  expect(first.filter((line) => line.includes('"reason":"reserve-not-met"'))).not.toEqual([])
})

test('the OpenAPI document follows the setting', async () => {
  const documents = await Promise.all(
    [server, await startServer()].map((each) => anonymousOf(each).get('/openapi.json')),
  )
  const [on, off] = documents.map(({ body }) => body.paths)
  for (const [path, method] of [
    ['/api/Auctions', 'get'],
    ['/api/Auctions/{id}', 'get'],
    ['/api/Auctions/{id}/Bids', 'get'],
    ['/api/Bids/{id}', 'get'],
  ] as const) {
    expect(on[path][method].security).toEqual([{}, { bearer: [] }])
    expect(on[path][method].responses).toHaveProperty('304')
    expect(on[path][method].description).toMatch(/A request without a token needs no permission\.$/)
    expect(off[path][method]).not.toHaveProperty('security')
    expect(off[path][method].description).not.toContain('without a token')
  }
  expect(on['/api/Bids'].post).toEqual(off['/api/Bids'].post)
  expect(off['/api/Auctions'].get.responses).not.toHaveProperty('304')
})
