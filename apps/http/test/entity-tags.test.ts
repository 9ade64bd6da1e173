import { describe, expect, test } from 'vitest'
import { type Answer, clientOf } from './support/client.ts'
import { rawConnection, requestBytes } from './support/raw-connection.ts'
import { startServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? ''
const read = (headers: Readonly<Record<string, string>> = {}) => ({ headers })

test.each(['/api/Auctions/1', '/api/Bids/1'])('%s has an entity tag, which its caller may send back', async (path) => {
  const anna = clientOf(await startServer())
  await anna.createAuction()
  await anna.placeBid()
  const first = await anna.get(path)
  expect(tagOf(first)).toMatch(/^"[^"]+"$/)
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  expect(first.headers.get('vary')).toBe('Authorization')

  const again = await anna.send('GET', path, read({ 'if-none-match': tagOf(first) }))
  expect(again).toMatchObject({ status: 304, text: '' })
  expect(tagOf(again)).toBe(tagOf(first))
  expect(again.headers.get('cache-control')).toBe('private, no-cache')
  expect(again.headers.get('vary')).toBe('Authorization')
  expect(again.headers.get('ratelimit')).toContain('"default"')
})

describe('of an auction', () => {
  test.each([
    ['among others', (tag: string) => `"x", W/${tag}, "y"`, 304],
    ['weakly', (tag: string) => `W/${tag}`, 304],
    ['by *', () => '*', 304],
    ['as another', () => '"x"', 200],
    ['without its quotation marks', (tag: string) => tag.slice(1, -1), 200],
  ])('named %s', async (_how, named, status) => {
    const anna = clientOf(await startServer())
    await anna.createAuction()
    const tag = tagOf(await anna.get('/api/Auctions/1'))
    for (const method of ['GET', 'HEAD']) {
      const answer = await anna.send(method, '/api/Auctions/1', read({ 'if-none-match': named(tag) }))
      expect(answer.status).toBe(status)
    }
  })

  test('changes with a bid and with the clock', async () => {
    const { clock, ...server } = await startServer()
    const anna = clientOf(server)
    await anna.createAuction()
    const before = tagOf(await anna.get('/api/Auctions/1'))
    await anna.placeBid()
    const withBid = await anna.send('GET', '/api/Auctions/1', read({ 'if-none-match': before }))
    expect(withBid).toMatchObject({ status: 200, body: { data: { bidCount: 1 } } })
    clock.set('2030-02-07T12:00:00Z')
    const ended = await anna.send('GET', '/api/Auctions/1', read({ 'if-none-match': tagOf(withBid) }))
    expect(ended).toMatchObject({ status: 200, body: { data: { status: 'Ended' } } })
  })

  test('is for those only who may read it', async () => {
    const server = await startServer()
    const anna = clientOf(server)
    await anna.createAuction()
    const tag = tagOf(await anna.get('/api/Auctions/1'))
    const answer = await clientOf(server, '').send('GET', '/api/Auctions/1', read({ 'if-none-match': tag }))
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })
})

test('what is not there has no entity tag, and neither has a list', async () => {
  const anna = clientOf(await startServer())
  for (const path of ['/api/Auctions/1', '/api/Auctions']) {
    const answer = await anna.send('GET', path, read({ 'if-none-match': '*' }))
    expect([answer.status, answer.headers.get('etag')]).toEqual([path === '/api/Auctions' ? 200 : 404, null])
  }
})

test.each(['/api/Auctions/1', '/docs'])(
  'a 304 of %s says nothing of a length, which caches would believe',
  async (path) => {
    const server = await startServer()
    await clientOf(server).createAuction()
    for (const method of ['GET', 'HEAD']) {
      const connection = await rawConnection(server.port)
      const headers = { authorization: `Bearer ${tokenOf('anna')}`, 'if-none-match': '*', connection: 'close' }
      connection.write(requestBytes(method, path, headers))
      const received = await connection.ended()
      expect(received).toMatch(/^HTTP\/1\.1 304 /)
      expect(received.toLowerCase()).not.toContain('content-length')
    }
  },
)
