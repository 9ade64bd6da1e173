import { describe, expect, test } from 'vitest'
import { bidIn, clientOf, openAuction } from './support/client.ts'
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
    const lists = ['/api/Auctions?limit=1', '/api/Auctions?status=Active&sort=endTime&limit=100']
    const paths = [`/api/Auctions/${id}`, `/api/Auctions/${id}?at=0`, ...lists]
    const responses = await Promise.all(paths.map((path) => clientOf(server, viewer).get(path)))
    const auctions = responses.map(
      ({ body: { data } }) => data.items?.find((item: { readonly id: number }) => item.id === id) ?? data,
    )
    return [created.body.data, ...auctions].map(({ reservePrice }) => reservePrice)
  }

  const none = [undefined, undefined, undefined, undefined, undefined]
  const all = [300, 300, 300, 300, 300]
  const created = [300, undefined, undefined, undefined, undefined]
  const named = tokenOf('carl', { scope: 'see-reserves' })

  test.each([
    {
      is: 'hidden if callers are not bound to users',
      on: plain,
      owner: tokenOf('1'),
      viewer: tokenOf('1'),
      seen: none,
    },
    { is: 'visible with the permission', on: plain, owner: reader(), viewer: reader(), seen: all },
    { is: 'visible to its owner', on: bound, owner: user(1), viewer: user(1), seen: all },
    {
      is: 'visible with the permission, for any user',
      on: bound,
      owner: user(1),
      viewer: reader({ uid: 9 }),
      seen: all,
    },
    { is: 'hidden from another user', on: bound, owner: user(1), viewer: user(2), seen: created },
    { is: 'hidden from a token that identifies no user', on: bound, owner: user(1), viewer: user(null), seen: created },
    {
      is: 'hidden from a token with the owner in another claim',
      ...{ on: bound, owner: user(1), viewer: user(3, { sub: '1' }), seen: created },
    },
    { is: 'visible with the configured permission', on: renamed, owner: named, viewer: named, seen: all },
    { is: 'hidden without the configured permission', on: renamed, owner: reader(), viewer: reader(), seen: none },
  ])('is $is', async ({ on, owner, viewer, seen }) => {
    expect(await seenBy(on, owner, viewer)).toEqual(seen)
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

  test('of an earlier state is visible to the leader of that state only', async () => {
    const auction = await openAuction(bound, {}, user(1))
    await auction.as(user(2)).placeBid({ maximumAmount: 200 })
    await auction.as(user(3)).placeBid({ bidderId: 3, amount: 250 })
    const maximumsSeenBy = (viewer: number) =>
      Promise.all(
        [0, 1, 2].map(async (at) => {
          const { data } = (await auction.as(user(viewer)).get(`/api/Auctions/${auction.id}?at=${at}`)).body
          return [data.leaderId, data.yourMaximum]
        }),
      )
    expect(await maximumsSeenBy(2)).toEqual([
      [null, undefined],
      [2, 200],
      [3, undefined],
    ])
    expect(await maximumsSeenBy(3)).toEqual([
      [null, undefined],
      [2, undefined],
      [3, undefined],
    ])
  })
})
