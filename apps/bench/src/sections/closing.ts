import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '@auction/adapters/system'
import { createAuctions, startBidding } from '../bidding.ts'
import { runClosedLoop } from '../measure/closed-loop.ts'
import { measureInRounds, number, type Point } from '../measure/rows.ts'
import type { StoreRequest } from '../options.ts'
import type { Bench } from '../run.ts'
import type { Defer } from '../scope.ts'
import { storeOf } from '../stores/stores.ts'

const dueTime = '2900-01-01T00:00:00Z'

/** Bids alone, during the closing of auctions that end at the same time, and during raw inserts of as many entries. */
export async function measureClosing({ options, log }: Bench, { kind, uri }: StoreRequest) {
  const { closedAuctions: due, rounds, auctions } = options
  const { openScratch, open, openRaw } = storeOf(kind)
  if (openRaw === undefined) return []

  async function openScene(defer: Defer) {
    const address = await openScratch(uri, defer)
    const opened = await open(address)
    defer(opened.close)
    const insert = await openRaw?.(address, false, defer)
    let aheadMs = 0
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs }
    const { service, bid } = await startBidding(opened, { auctions, clock })
    defer(service.close)
    await createAuctions(service, due, dueTime)
    // Hosts do this from their start on.
    await service.closeDue()

    async function append(): Promise<void> {
      for (let stored = 0; stored < due; stored += 100) {
        await insert?.(100)
        // A driver that blocks this process lets it serve bids in between.
        await turn()
      }
    }
    async function close(): Promise<void> {
      aheadMs = Date.parse(dueTime) + 60_000 - systemClock.nowMs()
      const { closed, left } = await service.closeDue()
      if (closed !== due) throw new Error(`${closed} of ${due} auctions were closed, ${left} are left`)
    }
    return { bid, alone: undefined, append, close }
  }

  const point = (key: 'alone' | 'append' | 'close', what: string, floor?: Point['floor']): Point => ({
    key,
    label: `bids on ${number(auctions)} auctions ${what}`,
    clients: 64,
    floor,
    async measure(defer) {
      const { bid, [key]: work } = await openScene(defer)
      return runClosedLoop(bid, { ...options, clients: 64, work })
    },
  })
  const points = [
    point('alone', 'alone'),
    point('append', `during raw inserts of 100 at once, ${number(due)} entries in all`),
    point('close', `during closeDue on ${number(due)} auctions`, ['append', 'tookMs']),
  ]
  return measureInRounds(points, rounds, log)
}
