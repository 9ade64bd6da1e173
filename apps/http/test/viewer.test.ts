import { describe, expect, test } from 'vitest'
import { type AuctionClient, bidIn, clientOf, openAuction } from './support/client.ts'
import { serverOfFile, type TestServer } from './support/server.ts'
import { permissions, reserveReader, tokenOf } from './support/tokens.ts'

const plain = await serverOfFile()
const bound = await serverOfFile({ environment: { JWT_SUBJECT_CLAIM: 'uid' } })
const renamed = await serverOfFile({ environment: { PERMISSIONS_AUCTIONS_RESERVE_READ: 'see-reserves' } })

const user = (uid: unknown, claims: object = {}) => tokenOf('anna', { uid, ...claims })

describe('a reserve', () => {
  const reader = (claims: object = {}) => tokenOf('carl', { permissions: [...permissions, reserveReader], ...claims })

  /** The reserve in the response to the creation, and in each read by the viewer. */
  async function seenBy(server: TestServer, owner: string, viewer: string) {
    const created = await clientOf(server, owner).createAuction({ reservePrice: 300 })
    const { id } = created.body.data
    const paths = [`/api/Auctions/${id}`, '/api/Auctions?limit=1', '/api/Auctions?status=Active&sort=endTime&limit=100']
    const answers = await Promise.all(paths.map((path) => clientOf(server, viewer).get(path)))
    const auctions = answers.map(
      ({ body: { data } }) => data.items?.find((item: { readonly id: number }) => item.id === id) ?? data,
    )
    return [created.body.data, ...auctions].map(({ reservePrice }) => reservePrice)
  }

  const none = [undefined, undefined, undefined, undefined]
  const all = [300, 300, 300, 300]
  const created = [300, undefined, undefined, undefined]
  const named = tokenOf('carl', { scope: 'see-reserves' })

  test.each<[what: string, server: TestServer, owner: string, viewer: string, expected: readonly unknown[]]>([
    ['hidden if callers are not bound to users', plain, tokenOf('1'), tokenOf('1'), none],
    ['visible with the permission', plain, reader(), reader(), all],
    ['visible to its owner', bound, user(1), user(1), all],
    ['visible with the permission, for any user', bound, user(1), reader({ uid: 9 }), all],
    ['hidden from another user', bound, user(1), user(2), created],
    ['hidden from a token that identifies no user', bound, user(1), user(null), created],
    ['hidden from a token with the owner in another claim', bound, user(1), user(3, { sub: '1' }), created],
    ['visible with the configured permission', renamed, named, named, all],
    ['hidden without the configured permission', renamed, reader(), reader(), none],
  ])('is %s', async (_what, server, owner, viewer, expected) => {
    expect(await seenBy(server, owner, viewer)).toEqual(expected)
  })

  test('is hidden from the buyer, and visible to the owner who cancels', async () => {
    const sold = await openAuction(bound, { reservePrice: 300, buyNowPrice: 500 }, user(1))
    const bought = await sold.as(user(2)).buyNow()
    expect([bought.status, bought.body.data.reservePrice]).toEqual([201, undefined])
    const other = await openAuction(bound, { reservePrice: 300 }, user(1))
    expect((await other.cancelAuction()).body.data.reservePrice).toBe(300)
  })

  test('is not in the errors of a refused auction', async () => {
    for (const reservePrice of [99.99, 300.001, '300']) {
      const refused = await clientOf(plain).createAuction({ reservePrice })
      expect(refused.status).toBe(400)
      expect(refused.text).not.toMatch(/300|99\.99/)
    }
  })

  test('changes the entity tag', async () => {
    const auction = await openAuction(bound, { reservePrice: 300 }, user(1))
    const path = `/api/Auctions/${auction.id}`
    const seen = [await auction.get(path), await auction.as(user(2)).get(path)]
    const [tag = '', otherTag] = seen.map(({ headers }) => headers.get('etag') ?? '')
    expect(tag).not.toBe(otherTag)
    const again = { headers: { 'if-none-match': tag } }
    expect((await auction.as(user(2)).send('GET', path, again)).status).toBe(200)
    expect((await auction.send('GET', path, again)).status).toBe(304)
    for (const { headers } of seen) expect(headers.get('vary')).toBe('Authorization')
  })
})

describe('a maximum', () => {
  const maximaOf = async (auction: AuctionClient) => (await auction.bids()).map(({ maximumAmount }) => maximumAmount)

  test('is visible to its bidder only', async () => {
    const auction = await openAuction(bound, {}, user(1))
    const bidder = auction.as(user(2))
    const placed = await bidder.placeBid({ maximumAmount: 200 })
    expect(placed.body.data).toMatchObject({ amount: 100, maximumAmount: 200 })
    const path = placed.headers.get('location') ?? ''
    const [own, others] = [await bidder.get(path), await auction.get(path)]
    expect(own.body.data).toEqual(bidIn(placed))
    const { maximumAmount: _, ...withoutMaximum } = bidIn(placed)
    expect(others.body.data).toEqual(withoutMaximum)
    expect(own.headers.get('etag')).not.toBe(others.headers.get('etag'))
    expect(await bidder.bids()).toEqual([bidIn(placed)])
    expect(await auction.bids()).toEqual([withoutMaximum])
  })

  test('is that of each bid, and automatic bids have none', async () => {
    const auction = await openAuction(bound, {}, user(1))
    const bidder = auction.as(user(2))
    await bidder.placeBid({ maximumAmount: 200 })
    const raised = await bidder.placeBid({ amount: 100, maximumAmount: 300 })
    expect(raised.body.data).toMatchObject({ raisesMaximum: true, maximumAmount: 300 })
    await auction.as(user(3)).placeBid({ bidderId: 3, amount: 120 })
    expect(await maximaOf(bidder)).toEqual([undefined, undefined, 200])
    const seenByOthers = await auction.get(raised.headers.get('location') ?? '')
    expect(seenByOthers.body.data).toMatchObject({ amount: 100, raisesMaximum: true })
    expect(seenByOthers.body.data).not.toHaveProperty('maximumAmount')
  })

  test('is hidden if callers are not bound to users', async () => {
    const auction = await openAuction(plain)
    const placed = await auction.placeBid({ maximumAmount: 200 })
    const read = await auction.get(placed.headers.get('location') ?? '')
    for (const { body } of [placed, read]) expect(body.data).not.toHaveProperty('maximumAmount')
    expect(await maximaOf(auction)).toEqual([undefined])
  })
})
