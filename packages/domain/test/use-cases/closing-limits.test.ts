import { describe, expect, test } from 'vitest'

import { everythingSettled } from '../support/clocks.ts'
import { createCountingStore } from '../support/counting-store.ts'
import { createAuction, createTestService, ledgerOf } from '../support/service.ts'
import { createQuickStore } from '../support/slow-store.ts'

/** When the margin for clock differences has passed. */
const dueTime = '2030-02-07T12:00:02Z'

describe('closing', () => {
  test('postpones auctions that exceed the limit, and closes them in a later call', async () => {
    const service = createTestService({ limits: { maxWaiting: 1 } })
    for (let count = 0; count < 2; count++) await createAuction(service)
    service.clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 1 })
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
  })

  test('takes one list call, one read of heads, one append and one agenda update', async () => {
    const { store, calls } = createCountingStore()
    const founder = createTestService({ store })
    await createAuction(founder, { endTime: '2030-01-31T14:00:00Z' })
    const last = await createAuction(founder)
    const service = createTestService({ store })
    // This claims a block of ids.
    service.clock.set('2030-01-31T14:00:02Z')
    await service.closeDue()
    calls.length = 0
    service.clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    expect(calls).toEqual(['listAuctions', 'findHeads', 'append', 'updateAgenda'])
    expect((await ledgerOf(store, last)).length).toBe(1)
  })

  test.each([
    ['that are not closed', false],
    ['that others have closed', true],
  ])('yields to other work repeatedly if many auctions are due %s', async (_, isClosed) => {
    const right = createQuickStore()
    // The founder’s agenda updates are lost, so its closed auctions are still listed as due.
    const founder = createTestService({ store: { ...right, updateAgenda: async () => undefined } })
    for (let count = 0; count < 1_000; count++) await createAuction(founder)
    founder.clock.set(dueTime)
    if (isClosed) await founder.closeDue()
    const service = createTestService({ store: right, clock: founder.clock })
    const closing = service.closeDue()
    let turns = 0
    let isOver = false
    void closing.finally(() => {
      isOver = true
    })
    // A store in memory never waits, so without slices everything would run in one turn of the event loop.
    for (; !isOver; turns++) await everythingSettled()
    expect(await closing).toEqual({ closed: isClosed ? 0 : 1_000, left: 0 })
    expect(turns).toBeGreaterThan(5)
  })
})

describe('a read', () => {
  test('of a closed auction makes no further store calls', async () => {
    const { store, calls } = createCountingStore()
    const service = createTestService({ store })
    const auction = await createAuction(service)
    service.clock.set(dueTime)
    await service.closeDue()
    const newcomer = createTestService({ store, clock: service.clock })
    calls.length = 0
    await newcomer.readAuction(auction.id)
    await everythingSettled()
    expect(calls.toSorted()).toEqual(['findAuction', 'findHeads'])
  })
})
