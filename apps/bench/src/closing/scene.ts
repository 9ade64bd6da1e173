import { systemClock } from '@auction/adapters/system'
import { Long } from 'mongodb'
import { bidOf, openAuctions, risingOffers, spreads } from '../domain/bidding-floor.ts'
import type { Operation } from '../measure/closed-loop.ts'
import { openOurService } from '../mongodb/our-service.ts'
import { type Pattern, patternOfAuctions, patternOfEnds } from '../mongodb/patterns.ts'
import type { Scratch } from '../mongodb/server.ts'

const dueTime = '2900-01-01T00:00:00Z'
const group = 100

/** Auctions to bid on, and others that have a bid each and end at one moment. */
export type ClosingScene = {
  readonly bid: Operation
  /** Closes all that are due, as the service does when their moment has come. */
  closeDue(): Promise<void>
  /** Writes as many entries of the same shape, with nothing decided. */
  appendEnds(): Promise<void>
  stop(): Promise<void>
}

export async function openClosingScene(scratch: Scratch, dueCount: number): Promise<ClosingScene> {
  const running = openAuctions(spreads.wide.auctions)
  const due = openAuctions(dueCount, { firstId: running.length + 1, endTime: dueTime })
  const auctionIds = due.map(({ id }) => Long.fromNumber(id))
  await insertAll(
    await patternOfAuctions(scratch, dueTime),
    auctionIds.map((_id) => ({ _id })),
  )
  const ends = await patternOfEnds(scratch)
  let aheadMs = 0
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs }
  const service = await openOurService(scratch, [...running, ...due], { clock })
  // As a host does from its start on.
  await service.closeDue()
  const nextOffer = risingOffers(running.length, 2)

  return {
    bid: async () => ((await service.placeBid(bidOf(nextOffer(), running))).ok ? 'accepted' : 'refused'),
    async closeDue() {
      aheadMs = Date.parse(dueTime) + 60_000 - systemClock.nowMs()
      const { closed, left } = await service.closeDue()
      if (closed !== dueCount) throw new Error(`${closed} of ${dueCount} auctions were closed, and ${left} are left`)
    },
    // Their ids are far above those of the bids that are placed meanwhile.
    appendEnds: () =>
      insertAll(
        ends,
        auctionIds.map((auctionId, index) => ({ _id: Long.fromNumber(2 ** 40 + index), auctionId })),
      ),
    stop: () => service.close(),
  }
}

/** Writes documents of a pattern with fields of their own, group by group. */
async function insertAll({ collection, pattern }: Pattern, fields: readonly object[]): Promise<void> {
  for (let first = 0; first < fields.length; first += group) {
    const documents = fields.slice(first, first + group).map((its) => ({ ...pattern, ...its }))
    await collection.insertMany(documents, { ordered: true })
  }
}
