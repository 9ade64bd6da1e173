import { expect } from 'vitest'
import { openScene, testFormatPage } from './test-format-page.ts'

const endTime = '2030-02-07T12:00:00Z'
const softClose = { windowSeconds: 300, extensionSeconds: 600, latestEndTime: '2030-02-07T12:30:00Z' }

/** With a bid of 100 by user 2, long before the end. */
async function openSoftClose(fields: object = {}) {
  const scene = await openScene({ softClose: { ...softClose, ...fields } })
  await scene.bid(2, 100)
  return { ...scene, effectiveEnd: async () => (await scene.auction()).effectiveEndTime }
}

testFormatPage('extend-late-auctions', {
  'A bid before the window: 201': async () => {
    const { bid, clock, effectiveEnd } = await openSoftClose()
    clock.set('2030-02-07T11:54:59.999Z')
    const answer = await bid(3, 105)
    expect(await effectiveEnd()).toBe(endTime)
    return answer
  },
  'A bid in the window': async () => {
    const { bid, clock, auction } = await openSoftClose()
    clock.set('2030-02-07T11:55:00Z')
    const answer = await bid(3, 105)
    expect(await auction()).toMatchObject({ endTime, effectiveEndTime: '2030-02-07T12:05:00.000Z' })
    return answer
  },
  'A bid in the window, whose extension does not reach past the end': async () => {
    const { bid, clock, effectiveEnd } = await openSoftClose({ extensionSeconds: 60 })
    clock.set('2030-02-07T11:59:00Z')
    const answer = await bid(3, 105)
    expect(await effectiveEnd()).toBe(endTime)
    return answer
  },
  'A bid after `endTime` and before the extended end': async () => {
    const { bid, clock, auction, effectiveEnd } = await openSoftClose()
    clock.set('2030-02-07T11:59:00Z')
    await bid(3, 105)
    clock.set('2030-02-07T12:08:00Z')
    expect((await auction()).status).toBe('Active')
    const answer = await bid(2, 110)
    expect(await effectiveEnd()).toBe('2030-02-07T12:18:00.000Z')
    return answer
  },
  'A bid that would move the end past `latestEndTime`': async () => {
    const { bid, clock, effectiveEnd } = await openSoftClose({ latestEndTime: '2030-02-07T12:02:00Z' })
    clock.set('2030-02-07T11:59:00Z')
    const answer = await bid(3, 105)
    expect(await effectiveEnd()).toBe('2030-02-07T12:02:00.000Z')
    return answer
  },
  'A bid when the end is already at `latestEndTime`: 201': async () => {
    const { bid, clock, effectiveEnd } = await openSoftClose({ latestEndTime: '2030-02-07T12:02:00Z' })
    clock.set('2030-02-07T11:59:00Z')
    await bid(3, 105)
    clock.set('2030-02-07T12:01:59.999Z')
    const answer = await bid(2, 110)
    expect(await effectiveEnd()).toBe('2030-02-07T12:02:00.000Z')
    return answer
  },
  'A bid that is refused: 409 `bid-too-low`': async () => {
    const { bid, clock, effectiveEnd } = await openSoftClose()
    clock.set('2030-02-07T11:59:00Z')
    const answer = await bid(3, 104.99)
    expect(await effectiveEnd()).toBe(endTime)
    return answer
  },
  'The leader raises its own bid': async () => {
    const { bid, clock, effectiveEnd } = await openSoftClose()
    clock.set('2030-02-07T11:59:00Z')
    const answer = await bid(2, 105)
    expect(await effectiveEnd()).toBe('2030-02-07T12:09:00.000Z')
    return answer
  },
  'The leader raises its own maximum': async () => {
    const { bid, clock, effectiveEnd } = await openSoftClose()
    clock.set('2030-02-07T11:59:00Z')
    const answer = await bid(2, 104, 500)
    expect(await effectiveEnd()).toBe(endTime)
    return answer
  },
  'A bid that another maximum answers at once': async () => {
    const { bid, bids, clock, effectiveEnd } = await openSoftClose()
    await bid(2, 104, 500)
    clock.set('2030-02-07T11:59:00Z')
    const answer = await bid(3, 105)
    expect(await bids()).toEqual(['2: 100', '3: 105', '2: 110 auto'])
    expect(await effectiveEnd()).toBe('2030-02-07T12:09:00.000Z')
    return answer
  },
  'A bid at or after the extended end': async () => {
    const { bid, clock } = await openSoftClose()
    clock.set('2030-02-07T11:59:00Z')
    await bid(3, 105)
    clock.set('2030-02-07T12:09:00Z')
    const answer = await bid(2, 110)
    expect(answer.body.endTime).toBe('2030-02-07T12:09:00.000Z')
    return answer
  },
  'A list of `Active` auctions by `endTime`: 200': async () => {
    const { anna, bid, clock } = await openSoftClose()
    await anna.createAuction({ endTime: '2030-02-07T12:01:30Z' })
    clock.set('2030-02-07T11:59:00Z')
    await bid(3, 105)
    clock.set('2030-02-07T12:01:00Z')
    const answer = await anna.get('/api/Auctions?status=Active&sort=endTime')
    expect(answer.body.data.items.map(({ id }: { readonly id: number }) => id)).toEqual([2, 1])
    return answer
  },
  'A read after the extended end: 200': async () => {
    const { anna, bid, clock, service, auction } = await openSoftClose()
    clock.set('2030-02-07T11:59:00Z')
    await bid(3, 105)
    clock.set('2030-02-07T12:09:00Z')
    expect(await auction()).toMatchObject({ status: 'Ended', result: null })
    clock.set('2030-02-07T12:09:02Z')
    await service.closeDue()
    const answer = await anna.get('/api/Auctions/1')
    expect(answer.body.data.result).toEqual({ outcome: 'sold', bidId: 2, winnerId: 3, price: 105 })
    return answer
  },
  'A new auction with a `latestEndTime` that is not after its `endTime`: 400 `validation-failed`': async () => {
    const { anna } = await openSoftClose()
    const answer = await anna.createAuction({ softClose: { ...softClose, latestEndTime: endTime } })
    expect(answer.body.errors).toMatchObject([{ pointer: '/softClose/latestEndTime' }])
    return answer
  },
  'A new auction with a `latestEndTime` more than a week after its `endTime`: 400 `validation-failed`': async () => {
    const { anna } = await openSoftClose()
    return anna.createAuction({ softClose: { ...softClose, latestEndTime: '2030-02-14T12:00:00.001Z' } })
  },
  'A new auction with seconds that are not integers from 1 to 604800: 400 `validation-failed`': async () => {
    const { anna } = await openSoftClose()
    const answer = await anna.createAuction({
      softClose: { ...softClose, windowSeconds: 0, extensionSeconds: 604_801 },
    })
    expect(answer.body.errors).toMatchObject([
      { pointer: '/softClose/windowSeconds' },
      { pointer: '/softClose/extensionSeconds' },
    ])
    return answer
  },
})
