import { expect } from 'vitest'
import type { Answer } from '../support/client.ts'
import { openBoundServer, openScene, type Scene, testFormatPage } from './test-format-page.ts'

/** User 2 leads at 100, and goes up to 200; the increment is 5. */
async function openProxy(fields: object = {}): Promise<Scene> {
  const scene = await openScene(fields)
  await scene.bid(2, 100, 200)
  return scene
}

/** Places a bid, and checks the bids after the first one. */
async function bidAndSee(
  bidderId: number,
  amount: number,
  maximumAmount: number | undefined,
  later: readonly string[],
): Promise<Answer> {
  const { bid, bids } = await openProxy()
  const answer = await bid(bidderId, amount, maximumAmount)
  expect(await bids()).toEqual(['2: 100', ...later])
  return answer
}

testFormatPage('bid-by-maximum', {
  'Another user bids 150': () => bidAndSee(3, 150, undefined, ['3: 150', '2: 155 auto']),
  'Another user bids 198': () => bidAndSee(3, 198, undefined, ['3: 198', '2: 200 auto']),
  'Another user bids 200': () => bidAndSee(3, 200, undefined, ['3: 200', '2: 200 auto']),
  'Another user bids 201': () => bidAndSee(3, 201, undefined, ['3: 201']),
  'Another user bids 110 with a maximum of 150': () => bidAndSee(3, 110, 150, ['3: 110', '2: 155 auto']),
  'Another user bids 110 with a maximum of 200: 201': () => bidAndSee(3, 110, 200, ['3: 110', '2: 200 auto']),
  'Another user bids 110 with a maximum of 300': () => bidAndSee(3, 110, 300, ['3: 110', '3: 205 auto']),
  'Another user bids 201 with a maximum of 300': () => bidAndSee(3, 201, 300, ['3: 201', '3: 205 auto']),
  'Another user bids 110 with a maximum of 202': () => bidAndSee(3, 110, 202, ['3: 110', '3: 202 auto']),
  'Another user bids 250 with a maximum of 300: 201': () => bidAndSee(3, 250, 300, ['3: 250']),
  'Another user bids 104 with a maximum of 300': () => bidAndSee(3, 104, 300, []),
  'The leader sends 104 with a maximum of 300': async () => {
    const { bid, bids, auction } = await openProxy()
    const answer = await bid(2, 104, 300)
    expect(answer.body.data).toMatchObject({ amount: 100, raisesMaximum: true })
    expect(await auction()).toMatchObject({ currentPrice: 100, bidCount: 1 })
    await bid(3, 250)
    expect(await bids()).toEqual(['2: 100', '3: 250', '2: 255 auto'])
    return answer
  },
  'The leader sends a higher maximum that covers an unmet reserve: 201': async () => {
    const softClose = { windowSeconds: 300, extensionSeconds: 600, latestEndTime: '2030-02-07T13:00:00Z' }
    const { bid, bids, clock, auction } = await openProxy({ reservePrice: 250, softClose })
    clock.set('2030-02-07T11:59:00Z')
    const answer = await bid(2, 104, 300)
    expect(await bids()).toEqual(['2: 100', '2: 250 auto'])
    expect(await auction()).toMatchObject({ currentPrice: 250, effectiveEndTime: '2030-02-07T12:09:00.000Z' })
    return answer
  },
  'The leader bids 150 with a maximum of 300': async () => {
    const { bid, bids, auction } = await openProxy()
    const answer = await bid(2, 150, 300)
    expect(answer.body.data).not.toHaveProperty('raisesMaximum')
    expect(answer.body.data).toMatchObject({ amount: 150, leaderId: 2 })
    expect(await auction()).toMatchObject({ currentPrice: 150, bidCount: 2 })
    await bid(3, 250)
    expect(await bids()).toEqual(['2: 100', '2: 150', '3: 250', '2: 255 auto'])
    return answer
  },
  'The leader bids 150 with a maximum of 200 again': async () => {
    const { bid, bids } = await openProxy()
    const answer = await bid(2, 150, 200)
    await bid(3, 160)
    expect(await bids()).toEqual(['2: 100', '2: 150', '3: 160', '2: 165 auto'])
    return answer
  },
  'The leader reads the raise by its id, with `JWT_SUBJECT_CLAIM`: 200': async () => {
    const { clientOfUser } = await openBoundServer()
    await clientOfUser(1).createAuction()
    const leader = clientOfUser(2)
    await leader.placeBid({ maximumAmount: 200 })
    const { id } = (await leader.placeBid({ maximumAmount: 300 })).body.data
    const answer = await leader.get(`/api/Bids/${id}`)
    expect(answer.body.data).toMatchObject({ maximumAmount: 300, raisesMaximum: true })
    const { items } = (await leader.get('/api/Auctions/1/Bids')).body.data
    expect(items).toMatchObject([{ amount: 100, maximumAmount: 200 }])
    return answer
  },
  'The leader sends 104 with a maximum of 200 again': () => bidAndSee(2, 104, 200, []),
  'The leader sends a lower maximum with any `amount`': () => bidAndSee(2, 150, 199, []),
  'The leader bids 120 without a maximum': async () => {
    const { bid, bids } = await openProxy()
    const answer = await bid(2, 120)
    await bid(3, 150)
    expect(await bids()).toEqual(['2: 100', '2: 120', '3: 150', '2: 155 auto'])
    return answer
  },
  'The leader bids 250 without a maximum: 201': async () => {
    const { bid, bids } = await openProxy()
    const answer = await bid(2, 250)
    await bid(3, 255)
    expect(await bids()).toEqual(['2: 100', '2: 250', '3: 255'])
    return answer
  },
  'The maximum covers an unmet reserve: 201': async () => {
    const { bid, bids } = await openScene({ reservePrice: 150 })
    const answer = await bid(2, 100, 200)
    expect(await bids()).toEqual(['2: 100', '2: 150 auto'])
    return answer
  },
  'The maximum does not cover the reserve: 201': async () => {
    const { bid, bids } = await openScene({ reservePrice: 150 })
    const answer = await bid(2, 100, 149)
    expect(await bids()).toEqual(['2: 100'])
    return answer
  },
  'A bidder who does not lead sends a maximum equal to the amount: 201': async () => {
    const { bid, bids } = await openScene()
    const answer = await bid(2, 100, 100)
    await bid(3, 105)
    expect(await bids()).toEqual(['2: 100', '3: 105'])
    return answer
  },
  'The maximum is at or above the `buyNowPrice`, and the `amount` below it': async () => {
    const { bid, bids, auction } = await openScene({ buyNowPrice: 200 })
    const answer = await bid(2, 100, 250)
    expect(await bids()).toEqual(['2: 100'])
    expect(await auction()).toMatchObject({ status: 'Active', currentPrice: 100, buyNowOffered: false })
    return answer
  },
  'The maximum is below the amount, or has more decimals than the currency: 400 `validation-failed`': async () => {
    const { bid } = await openScene()
    const [below, inexact] = [await bid(2, 100, 99.99), await bid(2, 100, 200.001)]
    for (const { body } of [below, inexact]) expect(body.errors).toMatchObject([{ pointer: '/maximumAmount' }])
    return below
  },
  'A caller reads the automatic bid by its id: 200': async () => {
    const { anna, bid } = await openProxy()
    const { id } = (await bid(3, 150)).body.data
    const answer = await anna.get(`/api/Bids/${id + 1}`)
    expect(answer.body.data).toMatchObject({ id: id + 1, bidderId: 2, amount: 155, automatic: true })
    return answer
  },
  'The bidder reads its bid, with `JWT_SUBJECT_CLAIM`: 200': async () => {
    const { clientOfUser } = await openBoundServer()
    await clientOfUser(1).createAuction()
    const placed = await clientOfUser(2).placeBid({ maximumAmount: 200 })
    expect(placed.body.data.maximumAmount).toBe(200)
    const answer = await clientOfUser(2).get('/api/Bids/1')
    expect(answer.body.data.maximumAmount).toBe(200)
    return answer
  },
  'Another caller reads the bid: 200': async () => {
    const { server, clientOfUser } = await openBoundServer()
    const owner = clientOfUser(1)
    await owner.createAuction()
    await clientOfUser(2).placeBid({ maximumAmount: 234.56 })
    const answer = await owner.get('/api/Bids/1')
    const texts = [answer, await owner.get('/api/Auctions/1'), await owner.get('/api/Auctions/1/Bids')]
    expect(texts.map(({ text }) => text).join()).not.toMatch(/maximumAmount|234/)
    expect(server.log.join()).not.toMatch(/234\.?56/)
    return answer
  },
  'The same request again, with its `Idempotency-Key`: 201': async () => {
    const { anna, bids } = await openProxy()
    const again = () => anna.placeBid({ bidderId: 3, amount: 150, maximumAmount: 180 }, { 'idempotency-key': 'one' })
    const first = await again()
    const answer = await again()
    expect(answer.body).toEqual(first.body)
    expect(await bids()).toEqual(['2: 100', '3: 150', '2: 185 auto'])
    return answer
  },
})
