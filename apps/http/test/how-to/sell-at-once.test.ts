import { expect } from 'vitest'
import type { Answer } from '../support/client.ts'
import { openBoundServer, openScene, testFormatPage } from './test-format-page.ts'

const openBuyNow = (fields: object = {}) => openScene({ buyNowPrice: 200, ...fields })

/** The responses to concurrent requests, the successful one first. */
async function race(...requests: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
  return (await Promise.all(requests)).toSorted((a, b) => a.status - b.status)
}

testFormatPage('sell-at-once', {
  'The auction has no bids': async () => {
    const { anna, auction } = await openBuyNow()
    expect(await auction()).toMatchObject({ buyNowOffered: true })
    const answer = await anna.buyNow()
    expect(answer.body.data).toMatchObject({
      status: 'Ended',
      buyNowOffered: false,
      result: { outcome: 'bought', buyerId: 2, price: 200 },
    })
    return answer
  },
  'The auction has a bid and no reserve': async () => {
    const { anna, bid, auction } = await openBuyNow()
    await bid(3, 100)
    expect(await auction()).toMatchObject({ buyNowOffered: false })
    const answer = await anna.buyNow()
    expect(answer.body).toMatchObject({ currentPrice: 100, minimumNextBid: 105, currency: 'USD' })
    return answer
  },
  'The auction has a bid, and its reserve is not met': async () => {
    const { anna, bid, auction } = await openBuyNow({ reservePrice: 150 })
    await bid(3, 100)
    expect(await auction()).toMatchObject({ buyNowOffered: true })
    const answer = await anna.buyNow()
    expect(answer.body.data).toMatchObject({ currentPrice: 100, result: { outcome: 'bought', price: 200 } })
    return answer
  },
  'The auction has a bid that meets the reserve': async () => {
    const { anna, bid, auction } = await openBuyNow({ reservePrice: 150 })
    await bid(3, 100, 150)
    expect(await auction()).toMatchObject({ currentPrice: 150, buyNowOffered: false })
    return anna.buyNow()
  },
  'The auction has no `buyNowPrice`: 409 `buy-now-not-offered`': async () => {
    const { anna, auction } = await openScene()
    expect(await auction()).not.toHaveProperty('buyNowOffered')
    return anna.buyNow()
  },
  'Two buyers at the same time': async () => {
    const { anna, auction } = await openBuyNow()
    const answers = await race(anna.buyNow({ buyerId: 2 }), anna.buyNow({ buyerId: 3 }))
    expect((await auction()).result).toEqual(answers[0]?.body.data.result)
    return answers
  },
  'A purchase and a cancellation at the same time': async () => {
    const { anna, auction } = await openBuyNow()
    const answers = await race(anna.buyNow(), anna.cancelAuction())
    const { outcome } = (await auction()).result
    expect(answers[1]?.body.code).toBe(outcome === 'bought' ? 'auction-ended' : 'auction-cancelled')
    return answers
  },
  'A purchase and the first bid at the same time, without a reserve': async () => {
    const { anna, bid, auction } = await openBuyNow()
    const answers = await race(anna.buyNow(), bid(3, 100))
    const { result } = await auction()
    expect(answers[1]?.body.code).toBe(result?.outcome === 'bought' ? 'auction-ended' : 'buy-now-not-offered')
    return answers
  },
  'The same buyer buys again': async () => {
    const { anna } = await openBuyNow()
    await anna.buyNow()
    return anna.buyNow()
  },
  'The same request again, with its `Idempotency-Key`: 201': async () => {
    const { anna } = await openBuyNow()
    const key = { 'idempotency-key': 'one' }
    const first = await anna.buyNow({}, key)
    const answer = await anna.buyNow({}, key)
    expect(answer.body).toEqual(first.body)
    return answer
  },
  'A bid at or above the `buyNowPrice`, while it is offered': async () => {
    const { bid, auction } = await openBuyNow({ reservePrice: 150 })
    expect((await bid(2, 250)).body).toMatchObject({ code: 'buy-now-is-lower', minimumNextBid: 100 })
    await bid(2, 100)
    const answer = await bid(3, 200, 300)
    expect(answer.body).toMatchObject({ buyNowPrice: 200, currentPrice: 100, minimumNextBid: 105, currency: 'USD' })
    expect(await auction()).toMatchObject({ currentPrice: 100, bidCount: 1, buyNowOffered: true })
    return answer
  },
  'A bid above the `buyNowPrice` when it is no longer offered': async () => {
    const { bid, auction } = await openBuyNow()
    await bid(2, 100)
    const answer = await bid(3, 250)
    expect(await auction()).toMatchObject({ status: 'Active', currentPrice: 250, buyNowOffered: false, result: null })
    return answer
  },
  'A bid below the `buyNowPrice` with a `maximumAmount` above it': async () => {
    const { bid, auction } = await openBuyNow()
    const answer = await bid(2, 150, 300)
    expect(await auction()).toMatchObject({ currentPrice: 150, buyNowOffered: false })
    return answer
  },
  'No lower bid is possible, because the increment reaches the `buyNowPrice`': async () => {
    const { bid, auction } = await openBuyNow({ reservePrice: 150, minimumBidIncrement: 100 })
    await bid(2, 100)
    expect(await auction()).toMatchObject({ minimumNextBid: 200, buyNowOffered: true })
    return bid(3, 200)
  },
  'A bid after the purchase: 409 `auction-ended`': async () => {
    const { anna, bid, bids, clock } = await openBuyNow()
    await anna.buyNow()
    clock.advance(1_000)
    const answer = await bid(3, 500)
    expect(answer.body.endTime).toBe('2030-01-31T12:00:00.000Z')
    expect(await bids()).toEqual([])
    return answer
  },
  'The buyer owns the auction: 409 `owner-cannot-buy`': async () => {
    const { anna } = await openBuyNow()
    return anna.buyNow({ buyerId: 1 })
  },
  'The auction has not started: 409 `auction-not-started`': async () => {
    const { anna, auction } = await openBuyNow({ startTime: '2030-02-01T00:00:00Z' })
    expect(await auction()).toMatchObject({ status: 'Pending', buyNowOffered: false })
    return anna.buyNow()
  },
  'The auction has ended: 409 `auction-ended`': async () => {
    const { anna, end } = await openBuyNow()
    await end()
    return anna.buyNow()
  },
  'The auction is cancelled: 409 `auction-cancelled`': async () => {
    const { anna } = await openBuyNow()
    await anna.cancelAuction()
    return anna.buyNow()
  },
  '`buyerId` is another user, with `JWT_SUBJECT_CLAIM`: 403 `forbidden`': async () => {
    const { clientOfUser } = await openBoundServer()
    await clientOfUser(1).createAuction({ buyNowPrice: 200 })
    return clientOfUser(3).buyNow({ buyerId: 2 })
  },
  'A new auction with a `buyNowPrice` that is not above its `startingPrice` and its reserve: 400 `validation-failed`':
    async () => {
      const { anna } = await openBuyNow()
      const answers = [
        await anna.createAuction({ buyNowPrice: 100 }),
        await anna.createAuction({ buyNowPrice: 150, reservePrice: 150 }),
      ]
      for (const { body } of answers) expect(body.errors).toMatchObject([{ pointer: '/buyNowPrice' }])
      return answers.slice(0, 1)
    },
})
