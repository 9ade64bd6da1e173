import { describe, expect, test } from 'vitest'
import { type ApiResponse, clientOf, openAuction } from './support/client.ts'
import { exchange, requestBytes } from './support/raw-connection.ts'
import { serverOfFile } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const server = await serverOfFile()

const tagOf = ({ headers }: ApiResponse): string => headers.get('etag') ?? ''
const read = (headers: Readonly<Record<string, string>> = {}) => ({ headers })

test.each(['an auction', 'a bid'])('a read of %s has an entity tag, which its caller can send back', async (what) => {
  const anna = await openAuction(server)
  const bid = (await anna.placeBid()).headers.get('location') ?? ''
  const path = what === 'a bid' ? bid : `/api/Auctions/${anna.id}`
  const first = await anna.get(path)
  expect(tagOf(first)).toMatch(/^"[^"]+"$/)
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  expect(first.headers.get('vary')).toBe('Authorization')

  const again = await anna.send('GET', path, read({ 'if-none-match': tagOf(first) }))
  expect(again).toMatchObject({ status: 304, text: '' })
  expect(tagOf(again)).toBe(tagOf(first))
  expect(again.headers.get('cache-control')).toBe('private, no-cache')
  expect(again.headers.get('vary')).toBe('Authorization')
  expect(again.headers.get('ratelimit')).toContain('"reads"')
})

describe('the entity tag of an auction', () => {
  const pathOf = ({ id }: { readonly id: number }) => `/api/Auctions/${id}`

  test.each([
    ['in a list', (tag: string) => `"x", W/${tag}, "y"`, 304],
    ['as a weak tag', (tag: string) => `W/${tag}`, 304],
    ['as *', () => '*', 304],
    ['as another tag', () => '"x"', 200],
    ['without its quotes', (tag: string) => tag.slice(1, -1), 200],
  ])('may be sent back %s', async (_how, sent, status) => {
    const anna = await openAuction(server)
    const tag = tagOf(await anna.get(pathOf(anna)))
    for (const method of ['GET', 'HEAD']) {
      const response = await anna.send(method, pathOf(anna), read({ 'if-none-match': sent(tag) }))
      expect(response.status).toBe(status)
    }
  })

  test('changes with a bid and with the clock', async () => {
    const anna = await openAuction(server)
    const before = tagOf(await anna.get(pathOf(anna)))
    await anna.placeBid()
    const withBid = await anna.send('GET', pathOf(anna), read({ 'if-none-match': before }))
    expect(withBid).toMatchObject({ status: 200, body: { data: { bidCount: 1 } } })
    server.clock.set('2030-02-07T12:00:00Z')
    const ended = await anna.send('GET', pathOf(anna), read({ 'if-none-match': tagOf(withBid) }))
    expect(ended).toMatchObject({ status: 200, body: { data: { status: 'Ended' } } })
  })
})

test('neither a 404 nor a list has an entity tag', async () => {
  for (const path of ['/api/Auctions/9007199254740991', '/api/Auctions']) {
    const response = await clientOf(server).send('GET', path, read({ 'if-none-match': '*' }))
    expect([response.status, response.headers.get('etag')]).toEqual([path === '/api/Auctions' ? 200 : 404, null])
  }
})

test.each(['/api/Auctions/1', '/docs'])('a 304 of %s has no length, because caches would use it', async (path) => {
  await openAuction(server)
  for (const method of ['GET', 'HEAD']) {
    const headers = { authorization: `Bearer ${tokenOf('anna')}`, 'if-none-match': '*', connection: 'close' }
    const received = await exchange(server.port, requestBytes(method, path, headers))
    expect(received).toMatch(/^HTTP\/1\.1 304 /)
    expect(received.toLowerCase()).not.toContain('content-length')
  }
})
