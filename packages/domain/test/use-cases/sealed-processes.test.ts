import { createMemoryStore } from '@auction/adapters/memory'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLong } from '../../../../tools/vitest/size.ts'
import type { SealedEvent } from '../../src/auction/formats/sealed/state.ts'
import { verifyAuction } from '../../src/public/audit.ts'
import { parseNewBid } from '../../src/public/parsing.ts'
import { createAuctionService } from '../../src/service.ts'
import type { Store } from '../../src/store/store.ts'
import { unwrap } from '../../src/values/result.ts'
import { expectedResult } from '../auction/formats/sealed/model.ts'
import type { Request } from '../auction/formats/sealed/play.ts'
import { dueTime, ledgerOf, serveSealed, times, usesOf } from '../support/sealed.ts'

/** A store whose calls take a few turns of the event loop each, in a random order. */
function createTardyStore(right: Store, turns: () => number): Store {
  const tardy =
    <Input extends unknown[], Output>(call: (...input: Input) => Promise<Output>) =>
    async (...input: Input): Promise<Output> => {
      for (let left = turns(); left > 0; left--) await new Promise(setImmediate)
      return call(...input)
    }
  const { append, findHeads, listEntries } = right
  return { ...right, append: tardy(append), findHeads: tardy(findHeads), listEntries: tardy(listEntries) }
}

const anyBidder = fc.integer({ min: 2, max: 6 })
const anyRequest = fc.record({
  process: fc.nat({ max: 1 }),
  bidder: anyBidder,
  request: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 100, max: 106 }) },
    { weight: 1, arbitrary: fc.constant('own' as const) },
    { weight: 1, arbitrary: fc.constant('staff' as const) },
  ),
})
const anyRequests = fc.array(anyRequest, { maxLength: 12 })

test('two processes record one result, of all bids that arrived in time and are accepted', async () => {
  let lateBids = 0
  await fc.assert(
    fc.asyncProperty(anyRequests, anyRequests, fc.infiniteStream(fc.nat({ max: 3 })), async (early, late, turns) => {
      const right = createMemoryStore()
      const { auction, clock, sealer } = await serveSealed({ store: right })
      const nextTurns = () => Number(turns.next().value)
      const services = [0, 1].map(() =>
        createAuctionService({ store: createTardyStore(right, nextTurns), clock, sealer }),
      )
      const send = async ({ process, bidder, request }: (typeof early)[number], arrivedAtMs: number) => {
        const service = services[process] ?? expect.unreachable()
        const { withdrawOwn, withdraw } = usesOf(service, auction.id)
        if (typeof request === 'string') {
          await (request === 'own' ? withdrawOwn(bidder) : withdraw(bidder))
          return undefined
        }
        const bid = unwrap(parseNewBid({ auctionId: auction.id, bidderId: bidder, amount: request }))
        const placed = await service.placeBid(bid, undefined, arrivedAtMs)
        return placed.ok ? placed.value.id : undefined
      }
      const first = await Promise.all(early.map((request) => send(request, clock.nowMs())))
      clock.set(dueTime)
      const closings = services.map(({ closeDue }) => closeDue())
      const second = await Promise.all(late.map((request) => send(request, Date.parse(times.endTime) - 1)))
      await Promise.all(closings)
      for (const { closeDue } of services) await closeDue()
      lateBids += second.filter((id) => id !== undefined).length

      const ledger = await ledgerOf(right, auction.id)
      const requests = ledger.slice(0, -1).map(({ id, auctionId, event }): Request => {
        // The cast: a ledger of the format has these events.
        const request = event as SealedEvent
        if (request.type === 'sealed-withdrawal') return [request.bidderId, 'own']
        if (request.type !== 'sealed-bid' || 'amountMinor' in request)
          return ['bidderId' in request ? request.bidderId : 0, 'staff']
        const { bidderId, key, sealed } = request
        return [bidderId, sealer.open({ key, sealed }, { auctionId, entryId: id, bidderId })]
      })
      const expected = expectedResult({ pricing: 'second', startingPriceMinor: 100_00 }, requests)
      const bidId = 'bidId' in expected ? { bidId: ledger[Number(expected.bidId) / 10 - 1]?.id } : {}
      expect(ledger.at(-1)?.event).toEqual({ type: 'closed', result: { ...expected, ...bidId } })
      expect(ledger.filter(({ event }) => event.type === 'closed')).toHaveLength(1)
      const ids = ledger.map(({ id }) => Number(id))
      for (const id of [...first, ...second]) if (id !== undefined) expect(ids).toContain(Number(id))
      expect(unwrap(await verifyAuction(right, auction.id, sealer)).difference).toBeUndefined()
    }),
    { numRuns: isLong ? 3_000 : 60 },
  )
  expect(lateBids).toBeGreaterThan(0)
}, 600_000)
