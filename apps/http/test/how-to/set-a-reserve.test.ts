import { expect } from 'vitest'
import { clientOf, newAuction } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { reserveReader, tokenOf } from '../support/tokens.ts'
import { openBoundServer, openScene, testFormatPage } from './test-format-page.ts'

const openReserve = () => openScene({ reservePrice: 150 })

/** Auction 1 of user 1, who is bound to it, with a bid of user 2. */
async function openBoundReserve() {
  const { server, clientOfUser } = await openBoundServer()
  const created = await clientOfUser(1).createAuction({ reservePrice: 150 })
  await clientOfUser(2).placeBid()
  return { server, clientOfUser, created }
}

testFormatPage('set-a-reserve', {
  'A bid below the reserve': async () => {
    const { bid, auction } = await openReserve()
    const answer = await bid(2, 100)
    expect(await auction()).toMatchObject({ currentPrice: 100, reserveMet: false })
    return answer
  },
  'A bid at or above the reserve': async () => {
    const { bid, auction } = await openReserve()
    const answer = await bid(2, 150)
    expect(await auction()).toMatchObject({ currentPrice: 150, reserveMet: true })
    return answer
  },
  'A bid below the reserve, with a `maximumAmount` at or above it': async () => {
    const { bid, bids, auction } = await openReserve()
    const answer = await bid(2, 100, 200)
    expect(await bids()).toEqual(['2: 100', '2: 150 auto'])
    expect(await auction()).toMatchObject({ currentPrice: 150, reserveMet: true })
    return answer
  },
  'The leader raises its maximum to the reserve or above': async () => {
    const { bid, bids } = await openReserve()
    await bid(2, 100, 120)
    const answer = await bid(2, 100, 200)
    expect(await bids()).toEqual(['2: 100', '2: 150 auto'])
    return answer
  },
  'The auction ends with its highest bid below the reserve': async () => {
    const { anna, bid, bids, end } = await openReserve()
    await bid(2, 149.99)
    await end()
    const answer = await anna.get('/api/Auctions/1')
    expect(answer.body.data).toMatchObject({
      currentPrice: 149.99,
      result: { outcome: 'unsold', reason: 'reserve-not-met' },
    })
    expect(await bids()).toEqual(['2: 149.99'])
    return answer
  },
  'The auction ends without a bid': async () => {
    const { anna, end } = await openReserve()
    await end()
    const answer = await anna.get('/api/Auctions/1')
    expect(answer.body.data).toMatchObject({ reserveMet: false, result: { outcome: 'unsold', reason: 'no-bids' } })
    return answer
  },
  'The auction ends with its highest bid at or above the reserve: 200': async () => {
    const { anna, bid, end } = await openReserve()
    await bid(2, 150)
    await end()
    const answer = await anna.get('/api/Auctions/1')
    expect(answer.body.data.result).toEqual({ outcome: 'sold', bidId: 1, winnerId: 2, price: 150 })
    return answer
  },
  'The owner creates or reads it, with `JWT_SUBJECT_CLAIM`: 200': async () => {
    const { clientOfUser, created } = await openBoundReserve()
    expect(created.body.data.reservePrice).toBe(150)
    const answer = await clientOfUser(1).get('/api/Auctions/1')
    expect(answer.body.data).toMatchObject({ reservePrice: 150, reserveMet: false })
    return answer
  },
  'Another user reads it, with `JWT_SUBJECT_CLAIM`: 200': async () => {
    const { server, clientOfUser } = await openBoundReserve()
    const bidder = clientOfUser(2)
    const answer = await bidder.get('/api/Auctions/1')
    expect(answer.body.data).toMatchObject({ reserveMet: false })
    const list = await bidder.get('/api/Auctions')
    const events = [answer, list, await bidder.placeBid({ amount: 110 }), await bidder.placeBid({ amount: 110 })]
    expect(events.map(({ text }) => text).join()).not.toMatch(/reservePrice|150/)
    expect(server.log.join()).not.toMatch(/reservePrice|\b150\b/)
    return answer
  },
  'A caller with `Auctions.Reserve.Read` reads it: 200': async () => {
    const { server } = await openBoundReserve()
    const auditor = clientOf(server, tokenOf('auditor', { permissions: [reserveReader], uid: 9 }))
    const answer = await auditor.get('/api/Auctions/1')
    expect(answer.body.data.reservePrice).toBe(150)
    return answer
  },
  'A caller without that permission reads it, without `JWT_SUBJECT_CLAIM`: 200': async () => {
    const { anna } = await openReserve()
    const answer = await anna.get('/api/Auctions/1')
    expect(answer.body.data).not.toHaveProperty('reservePrice')
    return answer
  },
  'A new auction with a reserve below its `startingPrice`: 400 `validation-failed`': async () => {
    const anna = clientOf(await startServer())
    const answer = await anna.createAuction({ reservePrice: newAuction.startingPrice - 0.01 })
    expect(answer.body.errors).toMatchObject([{ pointer: '/reservePrice' }])
    expect(answer.text).not.toContain('99.99')
    return answer
  },
})
