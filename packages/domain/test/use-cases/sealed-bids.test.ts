import { createMemorySealer } from '@auction/adapters/memory'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyAuction } from '../../src/public/audit.ts'
import { parseNewAuction } from '../../src/public/parsing.ts'
import type { Sealer } from '../../src/sealer.ts'
import { createAuctionService } from '../../src/service.ts'
import type { Entry, Store } from '../../src/store/store.ts'
import { parseStoredAuction, parseStoredEntry, versionOfEntry } from '../../src/store/stored.ts'
import { toEntryId, toUserId } from '../../src/values/ids.ts'
import { type AmountMinor, toAmountMinor } from '../../src/values/money.ts'
import { unwrap } from '../../src/values/result.ts'
import { dueTime, ledgerOf, sealedFields, serveSealed, usesOf } from '../support/sealed.ts'
import { codeOf, keyOf } from '../support/service.ts'

/** A sealer that keeps amounts in memory, so that none is in what it seals. */
function createHidingSealer(): Sealer {
  const amounts: AmountMinor[] = []
  return {
    ...createMemorySealer(),
    seal: (amountMinor) => ({ key: 'memory', sealed: `#${amounts.push(amountMinor) - 1}` }),
    open: ({ sealed }) => amounts[Number(sealed.slice(1))] ?? toAmountMinor(0),
  }
}

describe('sealed bids', () => {
  test('are sold at the second price, and verified', async () => {
    const { bid, withdrawOwn, withdraw, result, service, auction, store, clock, sealer } = await serveSealed()
    const placed = unwrap(await bid(2, 150))
    expect(placed).toEqual({
      ...{ id: placed.id, auctionId: auction.id, bidderId: 2, amountMinor: 150_00 },
      ...{ currency: auction.currency, timestampMs: clock.nowMs(), isSealed: true },
    })
    for (const [bidderId, amount] of [
      [3, 200],
      [4, 900],
      [5, 800],
      [3, 180.5],
    ] as const)
      unwrap(await bid(bidderId, amount))
    unwrap(await withdrawOwn(4))
    unwrap(await withdraw(5))
    clock.set(dueTime)
    expect(await service.closeDue()).toEqual({ closed: 1, left: 0 })
    const entries = await ledgerOf(store, auction.id)
    const sold = { outcome: 'sold', winnerId: 3, bidId: entries[4]?.id, priceMinor: 150_00, bidderCount: 2 }
    expect(await result()).toEqual(sold)
    expect(entries.at(-1)?.event).toEqual({ type: 'closed', result: sold })
    expect(entries.at(-1)?.state).toMatchObject({ bidCount: 5, publicSequences: [7, 8] })
    expect(unwrap(await verifyAuction(store, auction.id, sealer))).toEqual({ entries: 8, difference: undefined })
    for (const entry of entries) expect(parseStoredEntry({ version: versionOfEntry(entry), ...entry })).toEqual(entry)
    expect(parseStoredAuction({ version: 2, ...auction })).toEqual(auction)
  })

  test('are verified by what they tell: another amount is a difference', async () => {
    const { bid, service, auction, store, clock, sealer } = await serveSealed()
    unwrap(await bid(2, 150))
    unwrap(await bid(3, 160))
    clock.set(dueTime)
    await service.closeDue()
    const [first, ...rest] = await ledgerOf(store, auction.id)
    const context = { auctionId: auction.id, entryId: toEntryId(Number(first?.id)), bidderId: toUserId(2) }
    const { sealed } = sealer.seal(toAmountMinor(120_00), context)
    // The cast: the entry is that of a sealed bid.
    const changed = [{ ...first, event: { ...first?.event, ...{ sealed } } } as Entry, ...rest]
    const listEntries: Store['listEntries'] = async () => changed.toReversed()
    const { difference } = unwrap(await verifyAuction({ ...store, listEntries }, auction.id, sealer))
    expect(difference).toMatchObject({
      sequence: 3,
      recorded: { event: { result: { priceMinor: 150_00 } } },
      recomputed: { event: { result: { priceMinor: 120_00 } } },
    })
  })

  test('with a key of which the process knows no more fail when they are repeated, and nothing else does', async () => {
    const { auction, store, clock, bid, ...served } = await serveSealed({ sealer: createMemorySealer('new', 'old') })
    const earlier = createAuctionService({ store, clock, sealer: createMemorySealer('old', 'new') })
    const retry = keyOf('k')
    unwrap(await usesOf(earlier, auction.id).bid(2, 150, retry))
    clock.set(dueTime)
    await served.service.closeDue()
    const later = usesOf(createAuctionService({ store, clock, sealer: createMemorySealer('new') }), auction.id)
    await expect(later.bid(2, 150, retry)).rejects.toMatchObject({ code: 'sealed-bids-unavailable' })
    expect(codeOf(await later.bid(3, 150, keyOf('other')))).toBe('auction-ended')
  })

  test('are in no entry and no head with their amounts', async () => {
    // Longer than times and ids.
    const anyAmount = fc.integer({ min: 1e14, max: 1e15 - 1 })
    const anyRequest = fc.tuple(fc.integer({ min: 2, max: 5 }), fc.oneof(anyAmount, fc.constant(undefined)))
    await fc.assert(
      fc.asyncProperty(fc.array(anyRequest, { maxLength: 10 }), async (requests) => {
        const { bid, withdrawOwn, auction, store } = await serveSealed({ sealer: createHidingSealer() })
        const amounts: number[] = []
        for (const [bidderId, minor] of [[2, 123_456_789_012_345] as const, ...requests]) {
          if (minor === undefined) await withdrawOwn(bidderId)
          else if ((await bid(bidderId, minor / 100)).ok) amounts.push(minor)
        }
        const text = JSON.stringify([await ledgerOf(store, auction.id), await store.findHeads([auction.id])])
        for (const minor of amounts)
          for (const digits of [String(minor), String(minor / 100)]) expect(text).not.toContain(digits)
        expect(text).toContain(`"bidCount":${amounts.length}`)
      }),
      { numRuns: 50 },
    )
  })

  test('need a key when their auction is created, and when they are placed', async () => {
    const { clock, store, auction } = await serveSealed()
    const service = createAuctionService({ store, clock })
    const refused = await service.createAuction(unwrap(parseNewAuction(sealedFields, clock.nowMs())))
    expect(refused).toMatchObject({ refusal: { errors: [{ pointer: '/format' }] } })
    await expect(usesOf(service, auction.id).bid(2, 150)).rejects.toMatchObject({ code: 'sealed-bids-unavailable' })
  })

  test('are placed once with a key', async () => {
    const { bid, auction, store } = await serveSealed()
    const first = unwrap(await bid(2, 150, keyOf('a')))
    expect(unwrap(await bid(2, 150, keyOf('a')))).toEqual(first)
    expect(codeOf(await bid(2, 151, keyOf('a')))).toBe('idempotency-key-reused')
    expect(await ledgerOf(store, auction.id)).toHaveLength(1)
  })
})
