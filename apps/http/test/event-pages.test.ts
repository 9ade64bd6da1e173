import { describe, expect, onTestFinished, test } from 'vitest'
import { anonymousOf, clientOf, newCaller, openAuction, pointersOf, problem } from './support/client.ts'
import { bidTimes, follow, type OpenStream, openStream } from './support/event-stream.ts'
import { serverOfFile, startServer } from './support/server.ts'
import { tokenOf } from './support/tokens.ts'

const server = await serverOfFile()

describe('a position that is invalid', () => {
  test.each(['-1', '01', '1.5', 'x', '9007199254740992', ' 1 2'])('is refused: %j', async (position) => {
    const auction = await openAuction(server)
    const client = clientOf(server)
    const path = `/api/Auctions/${auction.id}/Events`
    const query = new URLSearchParams({ after: position, lastEventId: position })
    const byQuery = await client.get(`${path}?${query}`)
    expect(byQuery).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(byQuery)).toEqual(['/after', '/lastEventId'])
    const headers = { accept: 'text/event-stream', 'last-event-id': position }
    const byHeader = await client.send('GET', path, { headers })
    expect(byHeader).toMatchObject(problem(400, 'validation-failed'))
    expect(pointersOf(byHeader)).toEqual(['/Last-Event-ID'])
  })
})

describe('events', () => {
  test.each([undefined, '*/*', 'application/json', 'text/html', 'text/event-stream;q=0', 'text/event-streams'])(
    'are a page for Accept: %s',
    async (accept) => {
      const auction = await openAuction(server)
      await bidTimes(auction, 3)
      const headers = accept === undefined ? {} : { accept }
      const { body, headers: received } = await auction.send('GET', `/api/Auctions/${auction.id}/Events?limit=2`, {
        headers,
      })
      expect(received.get('vary')).toBe('Accept')
      expect(body.data).toMatchObject({ items: [{ sequence: 1 }, { sequence: 2 }], position: 2, isAtHead: false })
      const second = await auction.get(`/api/Auctions/${auction.id}/Events?after=2&limit=2`)
      expect(second.body.data).toMatchObject({ items: [{ sequence: 3 }], position: 3, isAtHead: true })
      const third = await auction.get(`/api/Auctions/${auction.id}/Events?after=0&lastEventId=2&limit=2`)
      expect(third.body.data).toEqual(second.body.data)
    },
  )

  test('are the same in a page and in a stream', async () => {
    const formats = { reservePrice: 500, buyNowPrice: 900, cancellableUntilEnd: true }
    const increments = { incrementSteps: [{ fromPrice: 105, increment: 10 }], maximumBidIncrement: 1_000 }
    const auction = await openAuction(server, { ...formats, ...increments })
    await bidTimes(auction, 2)
    await auction.placeBid({ bidderId: 2, amount: 200, maximumAmount: 600 })
    await auction.cancelAuction({ reason: 'A test.' })
    const { items } = (await auction.get(`/api/Auctions/${auction.id}/Events`)).body.data
    expect(items[1]).toMatchObject({ currentPrice: 105, minimumNextBid: 115, maximumNextBid: 1_105 })
    const streamed = await (await follow(server, auction.id, { 'last-event-id': '0' })).rest()
    expect(streamed.map(({ event, data }) => ({ type: event, ...data }))).toEqual(items)
  })

  test('are the same bytes for all readers, with neither a reserve nor a maximum, and with pseudonyms', async () => {
    const environment = { JWT_SUBJECT_CLAIM: 'sub', PSEUDONYM_SECRET: 'Zq8vT2mK5xR9wL3nB7cJ4hF6yD1sG0pA' }
    const on = await startServer({ environment })
    const [owner, anna, ben] = ['7001', '7002', '7003'].map((sub) => tokenOf(sub))
    const auction = await openAuction(on, { ownerId: 7001, reservePrice: 777 }, owner)
    const streams: OpenStream[] = []
    for (const token of [owner, anna, ben]) streams.push(await follow(on, auction.id, {}, token))
    await auction.as(anna ?? '').placeBid({ bidderId: 7002, amount: 100, maximumAmount: 444 })
    await auction.as(ben ?? '').placeBid({ bidderId: 7003, amount: 200, maximumAmount: 333 })
    await auction.as(anna ?? '').placeBid({ bidderId: 7002, amount: 338, maximumAmount: 888 })
    on.clock.set('2030-02-07T12:01:00Z')
    await on.service.closeDue()
    const seen: string[] = []
    for (const stream of streams) {
      expect((await stream.rest()).at(-1)?.event).toBe('ended')
      seen.push(stream.text().replace(/^retry: \d+/, ''))
    }
    expect(new Set(seen).size).toBe(1)
    const [text = ''] = seen
    expect(text).toContain('"currentPrice":777')
    expect(text).not.toMatch(/444|888|maximum|reservePrice|yourPseudonym|700[23]/i)
    const { body } = await clientOf(on, anna).get(`/api/Auctions/${auction.id}/Events`)
    expect(JSON.stringify(body)).not.toMatch(/444|888|maximum|reservePrice|700[23]/i)
  })

  test('need the permissions to read auctions and bids, as the states of a list do', async () => {
    const on = await startServer({
      environment: { PERMISSIONS_AUCTIONS_READ: 'see-auctions', PERMISSIONS_BIDS_READ: 'see-bids' },
    })
    const { id } = await openAuction(on)
    for (const path of [`/api/Auctions/${id}/Events`, `/api/Auctions/Events?ids=${id}`]) {
      const statusOf = async (...scopes: string[]) => {
        const token = newCaller({ permissions: scopes })
        const page = await clientOf(on, token).get(path)
        const stream = await openStream(on, path, token)
        onTestFinished(() => stream.close())
        return [page.status, stream.status, page.headers.get('www-authenticate')]
      }
      expect(await statusOf('see-auctions', 'see-bids')).toEqual([200, 200, null])
      expect(await statusOf('see-auctions')).toEqual([403, 403, expect.stringContaining('scope="see-bids"')])
      expect(await statusOf('see-bids')).toEqual([403, 403, expect.stringContaining('scope="see-auctions"')])
    }
  })

  test('need no token where reads need none, and vary by Accept in addition to what reads vary by', async () => {
    const origin = 'https://shop.example'
    const on = await startServer({
      environment: { ANONYMOUS_READS: 'on', CORS_ORIGINS: origin, MAX_STREAMS_PER_CALLER: '1' },
    })
    const { id } = await openAuction(on)
    const stream = await follow(on, id, { origin }, '')
    const refused = await follow(on, id, {}, '')
    expect([stream.status, refused.status]).toEqual([200, 429])
    const page = await anonymousOf(on).send('GET', `/api/Auctions/${id}/Events`, { headers: { origin } })
    expect(page.headers.get('vary')).toBe('Origin, Accept, Authorization')
    expect(stream.headers.get('vary')).toBe('Origin, Accept')
    const states = await anonymousOf(on).get(`/api/Auctions/Events?ids=${id}`)
    expect(states.headers.get('etag')).toMatch(/^"/)
  })

  test('of an unknown auction are 404', async () => {
    expect(await clientOf(server).get('/api/Auctions/999999/Events')).toMatchObject(problem(404, 'auction-not-found'))
    expect((await follow(server, 999_999)).status).toBe(404)
  })
})
