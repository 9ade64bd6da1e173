import { expect, test } from 'vitest'
import { createAuctionService } from '../../src/service.ts'
import type { Store } from '../../src/store/store.ts'
import { requestKeyOf } from '../../src/values/request-key.ts'
import { type Chance, createChance } from '../simulation/chance.ts'
import { seeds } from '../simulation/seeds.ts'
import { contested, derivingOf, serveEnded } from '../support/derived.ts'
import { cancel } from '../support/service.ts'
import { type CallOutcome, createUnreliableStore } from '../support/stores.ts'

/** A store whose calls take any time, and whose inserts fail now and then. */
function createErraticStore(right: Store, chance: Chance): Store {
  const slowly =
    <Values extends readonly unknown[], Value>(call: (...values: Values) => Promise<Value>) =>
    async (...values: Values): Promise<Value> => {
      for (let turns = chance.int(0, 8); turns > 0; turns--) await undefined
      const value = await call(...values)
      for (let turns = chance.int(0, 8); turns > 0; turns--) await undefined
      return value
    }
  const outcomes = Array.from({ length: 6 }, () =>
    chance.pick<CallOutcome>(['none', 'none', 'none', 'lost-after-storing', 'lost-before-storing', 'repeated']),
  )
  return createUnreliableStore(
    {
      ...right,
      findAuctions: slowly(right.findAuctions),
      findHeads: slowly(right.findHeads),
      insertAuction: slowly(right.insertAuction),
    },
    { insertAuction: outcomes },
  )
}

/** What two servers have made of an auction, of which each sends some requests at once. */
async function raceWith(seed: number) {
  const chance = createChance(seed)
  const { auction, store, clock, sealer } = await serveEnded(contested)
  const staff = Array.from({ length: 4 }, (_, index) => {
    const service = createAuctionService({ store: createErraticStore(store, chance), clock, sealer })
    const { relist, offer } = derivingOf(service, auction.id)
    const requests = [
      { name: 'relist', send: () => relist() },
      { name: 'relist as Vase', send: () => relist({ title: 'Vase' }) },
      { name: 'offer without 9', send: () => offer([9], { price: 10 + index }) },
      { name: 'offer without 9 and 2', send: () => offer([9, 2]) },
    ]
    return { service, draw: () => requests[chance.int(0, 3)] }
  })
  const made = new Map<string, Set<number>>()
  const act = async ({ service, draw }: (typeof staff)[number]): Promise<void> => {
    for (let count = chance.int(1, 3); count > 0; count--) {
      const request = draw()
      const result = await request?.send().catch(() => undefined)
      if (request === undefined || result?.ok !== true) continue
      const { name } = request
      made.set(name, new Set([...(made.get(name) ?? []), result.value.id]))
      if (result.value.offerOf !== undefined && chance.percent(40)) await cancel(service, result.value)
    }
  }
  await Promise.all(staff.map(act))
  const keys = Array.from({ length: 20 }, (_, index) =>
    requestKeyOf('derived-auction', { caller: `${auction.id}`, key: `${index + 1}` }),
  )
  const stored = await store.findAuctions({ keys })
  const heads = await store.findHeads(stored.map((found) => found.auction.id))
  const isOver = (id: number) => heads.some(({ auctionId }) => auctionId === id)
  return {
    // An offer that was cancelled may be made again.
    made: [...made].map(([name, ids]) => ({ name, count: [...ids].filter((id) => !isOver(id)).length || 1 })),
    relistings: stored.filter((found) => found.auction.relistOf !== undefined).length,
    open: stored.filter((found) => found.auction.offerOf !== undefined && !isOver(found.auction.id)).length,
    offers: stored.filter((found) => found.auction.offerOf !== undefined).length,
  }
}

test('several servers make one offer and one repetition, and never both while the offer is open', async () => {
  const seen = { relisted: 0, offered: 0, offeredFirst: 0 }
  for (const seed of seeds(1, 500)) {
    const { made, relistings, open, offers } = await raceWith(seed)
    for (const { name, count } of made) expect(`${name}: ${count}, seed ${seed}`).toBe(`${name}: 1, seed ${seed}`)
    expect(relistings + open, `seed ${seed}`).toBeLessThanOrEqual(1)
    seen.relisted += relistings
    seen.offered += offers
    if (relistings === 1 && offers > 0) seen.offeredFirst += 1
  }
  expect(Math.min(seen.relisted, seen.offered, seen.offeredFirst)).toBeGreaterThan(25)
})
