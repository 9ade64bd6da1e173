import { createManualClock, createMemoryStore } from '@auction/adapters/memory'
import { describe, expect, test } from 'vitest'
import { parseNewAuction } from '../../src/public/parsing.ts'
import { createAuctionService } from '../../src/service.ts'
import type { Store } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import { dueTime, ledgerOf, sealedFields, serveSealed, usesOf } from '../support/sealed.ts'
import { codeOf, keyOf, openTime } from '../support/service.ts'

describe('a withdrawal of own bids', () => {
  test('is possible while a bid counts', async () => {
    const { bid, withdrawOwn, withdraw } = await serveSealed()
    expect(codeOf(await withdrawOwn(2))).toBe('no-bids-of-bidder')
    unwrap(await bid(2, 150))
    expect(codeOf(await withdrawOwn(3))).toBe('no-bids-of-bidder')
    expect(codeOf(await withdrawOwn(2))).toBe('accepted')
    expect(codeOf(await withdrawOwn(2))).toBe('no-bids-of-bidder')
    unwrap(await bid(2, 120))
    unwrap(await withdraw(2))
    expect(codeOf(await withdrawOwn(2))).toBe('no-bids-of-bidder')
    unwrap(await bid(2, 130))
    expect(codeOf(await withdrawOwn(2))).toBe('accepted')
  })

  test('is possible until the last millisecond, and made once with a key', async () => {
    const { bid, withdrawOwn, clock, service, result } = await serveSealed()
    unwrap(await bid(2, 150))
    unwrap(await bid(3, 160))
    clock.set('2030-02-07T11:59:59.999Z')
    const first = unwrap(await withdrawOwn(3, keyOf('w')))
    expect(unwrap(await withdrawOwn(3, keyOf('w')))).toEqual(first)
    clock.advance(1)
    expect(codeOf(await withdrawOwn(2))).toBe('auction-ended')
    clock.set(dueTime)
    await service.closeDue()
    expect(await result()).toMatchObject({ winnerId: 2, priceMinor: 100_00 })
  })

  test('follows a bid of another process that is recorded first', async () => {
    const right = createMemoryStore()
    const { auction, clock, sealer, ...other } = await serveSealed({ store: right })
    let isFirst = true
    const store: Store = {
      ...right,
      async append(entries, options) {
        if (isFirst) {
          isFirst = false
          unwrap(await other.bid(2, 170))
        }
        return right.append(entries, options)
      },
    }
    unwrap(await other.bid(2, 150))
    const { withdrawOwn } = usesOf(createAuctionService({ store, clock, sealer }), auction.id)
    unwrap(await withdrawOwn(2))
    expect((await ledgerOf(right, auction.id)).map(({ event }) => event.type)).toEqual([
      ...['sealed-bid', 'sealed-bid', 'sealed-withdrawal'],
    ])
  })

  test('exists in no other format', async () => {
    const { pricing: _, format: __, ...english } = sealedFields
    const clock = createManualClock(openTime)
    const service = createAuctionService({ store: createMemoryStore(), clock })
    const json = { ...english, minimumBidIncrement: 5 }
    const { id } = unwrap(await service.createAuction(unwrap(parseNewAuction(json, clock.nowMs()))))
    expect(codeOf(await usesOf(service, id).withdrawOwn(2))).toBe('not-in-format')
  })
})

describe('a withdrawal of sealed bids by staff', () => {
  test('is the same with and without bids, and reads no ledger', async () => {
    const right = createMemoryStore()
    const refuse = () => Promise.reject(new Error('no read is needed'))
    const store: Store = { ...right, listEntries: refuse, listBidderEntries: refuse }
    const { bid, withdraw, auction } = await serveSealed({ store })
    unwrap(await bid(2, 150))
    unwrap(await withdraw(2))
    unwrap(await withdraw(3))
    const [, first, second] = await ledgerOf(right, auction.id)
    expect({ ...first?.event, bidderId: 0 }).toEqual({ ...second?.event, bidderId: 0 })
    expect(second?.state.repairs?.withdrawn).toEqual([
      { bidderId: 2, throughSequence: 1 },
      { bidderId: 3, throughSequence: 2 },
    ])
  })

  test('keeps a block, and is refused only if it unblocks a user who is not blocked', async () => {
    const { withdraw, bid } = await serveSealed()
    expect(codeOf(await withdraw(2, false))).toBe('no-bids-of-bidder')
    expect(codeOf(await withdraw(2, true))).toBe('accepted')
    expect(codeOf(await withdraw(2, true))).toBe('accepted')
    expect(codeOf(await withdraw(2))).toBe('accepted')
    expect(codeOf(await bid(2, 150))).toBe('bidder-blocked')
    expect(codeOf(await withdraw(2, false))).toBe('accepted')
    expect(codeOf(await bid(2, 150))).toBe('accepted')
  })

  test('counts after the end, until the result', async () => {
    const { bid, withdraw, service, clock, result } = await serveSealed()
    for (const [bidderId, amount] of [
      [2, 150],
      [3, 160],
      [4, 170],
    ] as const)
      unwrap(await bid(bidderId, amount))
    clock.set('2030-02-07T12:00:01Z')
    unwrap(await withdraw(3))
    clock.set(dueTime)
    await service.closeDue()
    expect(await result()).toMatchObject({ winnerId: 4, priceMinor: 150_00 })
  })
})
