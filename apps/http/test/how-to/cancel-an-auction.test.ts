import { expect } from 'vitest'
import { clientOf, problem } from '../support/client.ts'
import { forcing, tokenOf } from '../support/tokens.ts'
import { openBoundServer, openScene, testFormatPage } from './test-format-page.ts'

const cancelled = (reason?: string) => ({
  status: 'Cancelled',
  result: reason === undefined ? { outcome: 'cancelled' } : { outcome: 'cancelled', reason },
})

const staff = tokenOf('moderator', { uid: 9, permissions: [forcing] })

testFormatPage('cancel-an-auction', {
  'The auction has no bids': async () => {
    const { anna, auction } = await openScene()
    const answer = await anna.cancelAuction({ reason: 'Broken' })
    expect(answer.body.data).toMatchObject(cancelled('Broken'))
    expect(await auction()).toMatchObject(cancelled('Broken'))
    return answer
  },
  'No `reason` is given: 201': async () => {
    const { anna, auction } = await openScene()
    const answer = await anna.cancelAuction()
    expect((await auction()).result).toEqual({ outcome: 'cancelled' })
    return answer
  },
  'The auction has not started': async () => {
    const { anna } = await openScene({ startTime: '2030-02-01T00:00:00Z' })
    const answer = await anna.cancelAuction()
    expect(answer.body.data).toMatchObject(cancelled())
    return answer
  },
  'The auction has a bid': async () => {
    const { anna, bid, auction } = await openScene()
    await bid(2, 100)
    const answer = await anna.cancelAuction()
    expect(await auction()).toMatchObject({ status: 'Active', result: null })
    return answer
  },
  'The auction has a bid, and was created with `cancellableUntilEnd`': async () => {
    const { anna, bid, bids } = await openScene({ cancellableUntilEnd: true })
    await bid(2, 100)
    const answer = await anna.cancelAuction()
    expect(answer.body.data).toMatchObject({ ...cancelled(), currentPrice: 100, bidCount: 1 })
    expect(await bids()).toEqual(['2: 100'])
    return answer
  },
  'Staff cancel an auction of another user, or one with bids, with a `reason`': async () => {
    const { bid, ...server } = await openScene()
    await bid(2, 100)
    return clientOf(server, staff).cancelAuction({ reason: 'A fake' })
  },
  'Staff do so without a `reason`': async () => {
    const { server, clientOfUser } = await openBoundServer()
    await clientOfUser(1).createAuction()
    const { bid, ...open } = await openScene()
    await bid(2, 100)
    return [await clientOf(server, staff).cancelAuction(), await clientOf(open, staff).cancelAuction()]
  },
  'The auction is already cancelled, and keeps its first reason': async () => {
    const { anna } = await openScene()
    await anna.cancelAuction({ reason: 'Broken' })
    const answer = await anna.cancelAuction({ reason: 'Lost' })
    expect(answer.body.data).toMatchObject(cancelled('Broken'))
    return answer
  },
  'The auction is already cancelled, and the request has an `Idempotency-Key`: 201': async () => {
    const { anna, auction } = await openScene()
    await anna.cancelAuction({ reason: 'Broken' })
    const answer = await anna.cancelAuction({ reason: 'Lost' }, { 'idempotency-key': 'one' })
    expect(answer.body.data).toMatchObject(cancelled('Broken'))
    expect(await auction()).toMatchObject(cancelled('Broken'))
    await anna.createAuction()
    const other = await anna.post('/api/Auctions/2/Cancellation', { reason: 'Lost' }, { 'idempotency-key': 'one' })
    expect(other).toMatchObject(problem(422, 'idempotency-key-reused'))
    return answer
  },
  'The same request again, with its `Idempotency-Key`: 201': async () => {
    const { anna } = await openScene()
    const again = () => anna.cancelAuction({ reason: 'Broken' }, { 'idempotency-key': 'one' })
    const first = await again()
    const answer = await again()
    expect(answer.body).toEqual(first.body)
    return answer
  },
  'Another `reason`, with the same `Idempotency-Key`: 422 `idempotency-key-reused`': async () => {
    const { anna, auction } = await openScene()
    await anna.cancelAuction({ reason: 'Broken' }, { 'idempotency-key': 'one' })
    const answer = await anna.cancelAuction({ reason: 'Lost' }, { 'idempotency-key': 'one' })
    expect(await auction()).toMatchObject(cancelled('Broken'))
    return answer
  },
  'The auction has ended, with or without bids': async () => {
    const { anna, end } = await openScene({ cancellableUntilEnd: true })
    await end()
    return anna.cancelAuction()
  },
  '`endTime` has passed, but a soft close extended the auction, with `cancellableUntilEnd`': async () => {
    const softClose = { windowSeconds: 300, extensionSeconds: 300, latestEndTime: '2030-02-07T13:00:00Z' }
    const { anna, bid, clock } = await openScene({ cancellableUntilEnd: true, softClose })
    clock.set('2030-02-07T11:59:00Z')
    await bid(2, 100)
    clock.set('2030-02-07T12:01:00Z')
    return anna.cancelAuction()
  },
  'The auction was bought: 409 `auction-ended`': async () => {
    const { anna } = await openScene({ buyNowPrice: 200 })
    await anna.buyNow()
    return anna.cancelAuction()
  },
  'A bid or a purchase after the cancellation: 409 `auction-cancelled`': async () => {
    const { anna, bid } = await openScene({ buyNowPrice: 200 })
    await anna.cancelAuction()
    const [placed, bought] = [await bid(2, 100), await anna.buyNow()]
    expect(bought).toMatchObject({ status: placed.status, body: { code: placed.body.code } })
    return placed
  },
  'A caller other than the owner, with `JWT_SUBJECT_CLAIM`: 403 `forbidden`': async () => {
    const { clientOfUser } = await openBoundServer()
    await clientOfUser(1).createAuction()
    return clientOfUser(2).cancelAuction()
  },
  'The token lacks the permission: 403 `forbidden`': async () => {
    const server = await openScene()
    return clientOf(server, tokenOf('ben', { permissions: ['auction-service:Auctions:Create'] })).cancelAuction()
  },
  'The `reason` is not a text of 1 to 500 characters: 400 `validation-failed`': async () => {
    const { anna } = await openScene()
    return anna.cancelAuction({ reason: '' })
  },
  'The auction does not exist: 404 `auction-not-found`': async () => {
    const { anna } = await openScene()
    return anna.post('/api/Auctions/2/Cancellation', {})
  },
})
