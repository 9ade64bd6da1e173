import { StoreUnavailableError } from '@auction/domain/errors'
import { expect, test } from 'vitest'
import { createMetrics } from '../../src/api/observability/metrics.ts'
import { anonymousOf, clientOf } from '../support/client.ts'
import { exchange, rawConnection, requestBytes } from '../support/raw-connection.ts'
import { samplesIn, valuesOf } from '../support/samples.ts'
import { startServer, type TestServerOptions } from '../support/server.ts'
import { tokenOf } from '../support/tokens.ts'

async function startMeasured(options: TestServerOptions = {}) {
  const metrics = createMetrics()
  const server = await startServer({ ...options, metrics })
  const read = async () => samplesIn(await metrics.registry.metrics())
  const values = async (metric: string) => valuesOf(await read(), metric)
  return { server, anna: clientOf(server), read, values }
}

const token = { authorization: `Bearer ${tokenOf('anna')}` }

test('every request counts once, by operation and status', async () => {
  const { server, anna, values } = await startMeasured()
  await anna.createAuction()
  await anna.createAuction({ title: '' })
  await anna.placeBid()
  await anna.placeBid()
  await anonymousOf(server).placeBid()
  await anna.post('/api/Bids', '{')
  for (const path of ['/api/Auctions', '/API/auctions', '/api/Auctions/1', '/api/Auctions/2']) await anna.get(path)
  for (const path of ['/api/Bids/1', '/api/Auctions/1/Bids?limit=1']) await anna.get(path)
  await anna.send('HEAD', '/api/Auctions/1')
  await anna.send('DELETE', '/api/Auctions/1')
  await anna.send('PROPFIND', '/api/Bids')
  await anna.send('PATCH', '/api/Auctions/Events')
  await anna.send('OPTIONS', '/api/Bids')
  await anna.get('/livez')
  await anna.get('/nowhere')
  await anna.get('/api/Bids/%zz')
  expect(await values('auction_http_requests_total')).toEqual({
    '{operation="createAuction",status="201"}': 1,
    '{operation="createAuction",status="400"}': 1,
    '{operation="placeBid",status="201"}': 1,
    '{operation="placeBid",status="409"}': 1,
    '{operation="placeBid",status="401"}': 1,
    '{operation="placeBid",status="400"}': 1,
    '{operation="listAuctions",status="200"}': 2,
    '{operation="readAuction",status="404"}': 1,
    '{operation="readBid",status="200"}': 1,
    '{operation="listBids",status="200"}': 1,
    '{operation="readAuction",status="200"}': 2,
    '{operation="unknown",status="405"}': 3,
    '{operation="unknown",status="404"}': 1,
    '{operation="unknown",status="400"}': 1,
    '{operation="options",status="204"}': 1,
    '{operation="readLiveness",status="200"}': 1,
  })
  expect(await values('auction_http_refusals_total')).toEqual({
    '{operation="createAuction",code="validation-failed"}': 1,
    '{operation="placeBid",code="bid-too-low"}': 1,
    '{operation="placeBid",code="unauthenticated"}': 1,
    '{operation="placeBid",code="malformed-json"}': 1,
    '{operation="readAuction",code="auction-not-found"}': 1,
    '{operation="unknown",code="method-not-allowed"}': 3,
    '{operation="unknown",code="not-found"}': 1,
    '{operation="unknown",code="bad-request"}': 1,
  })
  expect(await values('auction_http_request_duration_seconds_count')).toMatchObject({
    '{operation="placeBid"}': 4,
    '{operation="unknown"}': 5,
  })
  expect(await values('auction_http_requests_in_progress')).toEqual({})
})

test('different paths, methods, ids, queries and headers make no new series', async () => {
  const { server, anna, read } = await startMeasured({ environment: { RATE_LIMIT_MAX: '100000' } })
  await anna.get('/flood')
  await anna.get('/api/Auctions/0')
  await anna.send('PURGE', '/api/Bids')
  const ownSeries = async () => [...(await read()).keys()].filter((name) => name.startsWith('auction_'))
  const before = await ownSeries()
  for (let count = 0; count < 60; count++) {
    await anna.get(`/flood/${count}?q=${count}`)
    await anna.get(`/api/Auctions/x${count}`)
    await anna.send(['LOCK', 'MKCOL', 'SEARCH', 'PATCH'][count % 4] ?? '', '/api/Bids')
    await clientOf(server, `no token ${count}`).get('/flood')
  }
  expect(await ownSeries()).toEqual(before)
})

test('a request whose client disconnects before the response counts as unseen, without a status', async () => {
  const begun = Promise.withResolvers<void>()
  const found = Promise.withResolvers<undefined>()
  const { server, values } = await startMeasured({
    replaceInStore: () => ({
      findAuction: () => {
        begun.resolve()
        return found.promise
      },
    }),
  })
  const connection = await rawConnection(server.port)
  connection.write(requestBytes('GET', '/api/Auctions/1', token))
  await begun.promise
  expect(await values('auction_http_requests_in_progress')).toEqual({ '': 1 })
  expect(await values('auction_http_connections')).toEqual({ '': 1 })
  connection.socket.resetAndDestroy()
  await server.logged(/unseen/)
  found.resolve(undefined)
  expect(await values('auction_http_requests_total')).toEqual({
    '{operation="readAuction",status="none"}': 1,
  })
  expect(await values('auction_http_unseen_responses_total')).toEqual({ '': 1 })
  expect(await values('auction_http_requests_in_progress')).toEqual({})
})

test('a body that is cut off counts once', async () => {
  const { server, values } = await startMeasured()
  const connection = await rawConnection(server.port)
  const headers = { ...token, 'content-type': 'application/json', 'content-length': '100' }
  connection.write(requestBytes('POST', '/api/Bids', headers))
  connection.write('{"auctionId":')
  connection.socket.end()
  await server.logged(/"path":"\/api\/Bids"/)
  const counted = Object.values(await values('auction_http_requests_total'))
  expect(counted).toEqual([1])
})

test('bytes that are not a request count as refused early', async () => {
  const { server, values } = await startMeasured()
  for (const bytes of ['garbage\r\n\r\n', requestBytes('CONNECT', 'localhost:80', {})]) {
    await exchange(server.port, bytes)
  }
  await exchange(server.port, requestBytes('GET', '/', { 'x-large': 'x'.repeat(20_000) }))
  expect(await values('auction_http_early_refusals_total')).toEqual({
    '{code="bad-request"}': 2,
    '{code="headers-too-large"}': 1,
  })
  expect(await values('auction_http_requests_total')).toEqual({})
})

test('a request refused by overload counts as refused early, and not as a request', async () => {
  const response = Promise.withResolvers<undefined>()
  const { server, anna, values } = await startMeasured({
    environment: { MAX_REQUESTS_AT_ONCE: '2' },
    replaceInStore: () => ({ findAuction: () => response.promise }),
  })
  const reads = Array.from({ length: 40 }, async () => {
    const { body } = await anna.get('/api/Auctions/1')
    if (body.code === 'overloaded') response.resolve(undefined)
    return body.code
  })
  const codes = await Promise.all(reads)
  const refused = codes.filter((code) => code === 'overloaded').length
  expect(refused).toBeGreaterThan(0)
  expect(await values('auction_http_early_refusals_total')).toEqual({ '{code="overloaded"}': refused })
  await server.logged(/"path":"\/api\/Auctions\/1"/, 40 - refused)
  expect(await values('auction_http_requests_total')).toEqual({
    '{operation="readAuction",status="404"}': 40 - refused,
  })
})

test('connections that are closed for new ones are counted', async () => {
  const { server, values } = await startMeasured({
    environment: { MAX_CONNECTIONS: '1', MAX_CONNECTIONS_PER_ADDRESS: '2' },
  })
  const held = await rawConnection(server.port)
  const second = await rawConnection(server.port)
  await held.ended()
  second.socket.destroy()
  expect(await values('auction_http_connections_dropped_total')).toEqual({ '{reason="too-many-connections"}': 1 })
})

test('a failure of the store counts by status and by operation of the store', async () => {
  const failing = async () => {
    throw new StoreUnavailableError('no response')
  }
  const { anna, values } = await startMeasured({ replaceInStore: () => ({ append: failing, findEntries: failing }) })
  await anna.createAuction()
  await anna.placeBid()
  expect(await values('auction_http_refusals_total')).toEqual({
    '{operation="placeBid",code="store-unavailable"}': 1,
  })
  expect(await values('auction_store_errors_total')).toEqual({
    '{operation="append"}': 3,
    '{operation="findEntries"}': 3,
  })
  expect(await values('auction_store_retries_total')).toEqual({ '{operation="findEntries"}': 6 })
  expect(await values('auction_unknown_outcomes_total')).toEqual({
    '{what="entries",settled="sent-again"}': 2,
    '{what="entries",settled="given-up"}': 1,
  })
  expect(await values('auction_append_duration_seconds_count')).toEqual({ '{outcome="failed"}': 3 })
})

test('an append counts by its number of bids, and a closing by its delay', async () => {
  const { server, anna, values } = await startMeasured({ environment: { RATE_LIMIT_MAX: '100000' } })
  await anna.createAuction()
  await Promise.all(Array.from({ length: 40 }, (_, index) => anna.placeBid({ amount: 100 + 5 * index })))
  const accepted = (await values('auction_http_requests_total'))['{operation="placeBid",status="201"}'] ?? 0
  const entries = (await values('auction_append_entries_sum'))[''] ?? 0
  expect(entries).toBe(accepted)
  server.clock.set('2030-02-07T12:00:05Z')
  expect(await server.service.closeDue()).toEqual({ closed: 1, left: 0 })
  expect(await values('auction_closing_delay_seconds_sum')).toEqual({ '': 3 })
  expect(await values('auction_closing_delay_seconds_count')).toEqual({ '': 1 })
})

test('failed closings are counted as due, with the time since the end', async () => {
  const failing = async () => {
    throw new StoreUnavailableError('no response')
  }
  const { server, anna, values } = await startMeasured({ replaceInStore: () => ({ append: failing }) })
  await anna.createAuction()
  server.clock.set('2030-02-07T12:00:02Z')
  expect(await server.service.closeDue()).toEqual({ closed: 0, left: 1 })
  server.clock.set('2030-02-07T12:01:02Z')
  expect(await values('auction_closings_due')).toEqual({ '': 1 })
  expect(await values('auction_closing_longest_due_seconds')).toEqual({ '': 60 })
})
