import { expect, test } from 'vitest'
import { type ApiResponse, anonymousOf, type Client, clientOf, openAuction, problem } from './support/client.ts'
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

test('anyone can read auctions and bids, and shared caches may serve them for a second', async () => {
  for (const path of await publicPaths()) {
    const anonymous = anonymousOf(server)
    const response = await anonymous.get(path)
    expect(response.status, path).toBe(200)
    expect(response.body.data).toEqual((await clientOf(server).get(path)).body.data)
    expect(response.headers.get('cache-control')).toBe('public, max-age=1')
    expect(response.headers.get('vary')).toBe('Authorization')
    expect(response.headers.get('ratelimit')).toContain('"public"')

    const tag = response.headers.get('etag') ?? ''
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
      expect(head.headers.get(name), name).toBe(response.headers.get(name))
    }
  }
})

test('responses to requests with a token are the same as without the setting', async () => {
  const off = await startServer()
  const compared = ({ headers, ...response }: ApiResponse) => ({
    ...response,
    headers: Object.fromEntries([...headers].filter(([name]) => !/^(x-request-id|date|ratelimit.*)$/.test(name))),
  })
  const on = await startServer({ environment })
  await publicPaths(off)
  for (const path of await publicPaths(on)) {
    const [token, ...others] = [tokenOf('anna'), 'x.y.z', tokenOf('anna', { exp: 1 })]
    expect(compared(await clientOf(on, token).get(path)), path).toEqual(compared(await clientOf(off, token).get(path)))
    for (const bad of others) expect(await clientOf(on, bad).get(path)).toMatchObject(problem(401, 'unauthenticated'))
    for (const authorization of ['Basic YTpi', 'Bearer', '']) {
      const response = await send(anonymousOf(on), path, { authorization })
      expect(response, authorization).toMatchObject(problem(401, 'unauthenticated'))
      expect(response.headers.get('cache-control')).toBe('no-store')
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
    const response = await anonymousOf(server).get(path)
    expect([response.status, response.headers.get('cache-control'), response.headers.get('etag')]).toEqual([
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
    const responses = [await client.get(path), await client.get(path), await client.get(path)]
    return responses.map(({ status }) => status)
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
