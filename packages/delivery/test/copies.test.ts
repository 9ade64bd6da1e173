import { pause } from '@auction/domain/extension'
import { sampleNewBid } from '@auction/testing/samples'
import { expect, test } from 'vitest'
import { createSteppedClock, type SteppedClock } from '../../domain/test/support/clocks.ts'
import { createAuction, openTime } from '../../domain/test/support/service.ts'
import { createTestStore, startServer, type TestStore } from './support/server.ts'
import { createTestSubscriber, keyOfEvent, ok, refusal } from './support/subscriber.ts'

const storeMs = 2
const receiverMs = 5
const seconds = 10

/** The store as servers see it over a network. */
function distant(store: TestStore, clock: SteppedClock): TestStore {
  const later =
    (call: (...values: unknown[]) => Promise<unknown>) =>
    async (...values: unknown[]) => {
      await pause(clock, storeMs)
      return call(...values)
    }
  const allLater = (calls: object) =>
    Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, later(call)]))
  const { checkpoints, ...operations } = store
  return { ...allLater(operations), checkpoints: allLater(checkpoints) } as unknown as TestStore // The same operations.
}

type Load = { readonly auctions: number; readonly bidsPerSecond: number; readonly isOut?: boolean }

/** Servers with one endpoint receive bids. Returns what the endpoint received, after its outage during the bids if `isOut`. */
async function receivedFrom(servers: number, { auctions, bidsPerSecond, isOut = false }: Load) {
  const clock = createSteppedClock(openTime)
  const store = distant(createTestStore(), clock)
  const received: string[] = []
  const delaysMs: number[] = []
  let isRefusing = false
  const services = Array.from({ length: servers }, () => {
    const service = startServer({ store, clock })
    const subscriber = createTestSubscriber()
    subscriber.react(async (event) => {
      if (isRefusing) return refusal
      received.push(keyOfEvent(event))
      delaysMs.push(clock.nowMs() - event.atMs)
      await pause(clock, receiverMs)
      return ok
    })
    service.subscribe(subscriber)
    return service
  })
  const creating = Promise.all(
    Array.from({ length: auctions }, (_, index) => createAuction(services[index % servers] as (typeof services)[0])),
  )
  await clock.pass(2_000)
  const created = await creating
  isRefusing = isOut
  let placed = 0
  for (let bid = 0; bid < bidsPerSecond * seconds; bid++) {
    const { id: auctionId } = created[bid % auctions] as (typeof created)[0]
    // As if at random: a balancer does not know auctions.
    const service = services[((bid * 2_654_435_761) >>> 8) % servers] as (typeof services)[0]
    const placing = service.placeBid(sampleNewBid({ auctionId, bidderId: 2 + (bid % 2), amount: 100 + 10 * bid }))
    void placing.then((result) => {
      if (result.ok) placed += 1
    })
    await clock.pass(1_000 / bidsPerSecond)
  }
  isRefusing = false
  await clock.pass(isOut ? 300_000 : 60_000)
  return { received, delaysMs: delaysMs.toSorted((a, b) => a - b), events: auctions + placed }
}

test.each([1, 2, 3])('%d servers deliver each event about once, and in order', async (servers) => {
  const { received, events } = await receivedFrom(servers, { auctions: 20, bidsPerSecond: 100 })
  const firsts = [...new Set(received)]
  expect(firsts.length).toBe(events)
  expect(received.length / events).toBeLessThanOrEqual(1.05)
  for (const auction of new Set(firsts.map((key) => key.split('/')[0]))) {
    const sequences = firsts.filter((key) => key.startsWith(`${auction}/`)).map((key) => Number(key.split('/')[1]))
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
  }
})

test.each([
  { auctions: 1, bidsPerSecond: 5 },
  { auctions: 20, bidsPerSecond: 100 },
])(
  'three servers deliver most of $bidsPerSecond bids a second on $auctions auctions at once, and all of them soon',
  async ({ auctions, bidsPerSecond }) => {
    const { delaysMs } = await receivedFrom(3, { auctions, bidsPerSecond })
    expect(delaysMs.at(Math.floor(delaysMs.length * 0.8))).toBeLessThan(100)
    expect(delaysMs.at(-1)).toBeLessThan(1_000)
  },
)

test.each([1, 2, 3])(
  '%d servers deliver most events of an outage once, and all of them soon after it',
  async (servers) => {
    const { received, events, delaysMs } = await receivedFrom(servers, {
      auctions: 20,
      bidsPerSecond: 100,
      isOut: true,
    })
    expect(new Set(received).size).toBe(events)
    expect(received.length / events).toBeLessThanOrEqual(1.05)
    // The next probe of each server comes within half a minute after the outage.
    expect(delaysMs.at(-1)).toBeLessThan(60_000)
  },
)
