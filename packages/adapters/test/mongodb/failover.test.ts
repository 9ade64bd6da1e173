import { createAuctionService } from '@auction/domain'
import { parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { sampleAuction, sampleStartTime } from '@auction/testing/samples'
import type { Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../src/memory/manual-clock.ts'
import type { FakeReply } from './fake-server.ts'
import { connectFakeSet, type FakeSet } from './fake-set.ts'

const { id: auctionId } = sampleAuction()

type Reply = (set: FakeSet, command: Document) => FakeReply

/** A process that places bids on a set with a special handler of inserts of entries. */
async function serviceOnSet(reply: Reply) {
  const set = await connectFakeSet(reply)
  const clock = createManualClock(sampleStartTime)
  const service = createAuctionService({ store: set.store, clock })
  const place = (bidderId: number, amount: number, key?: string) =>
    service.placeBid(
      unwrap(parseNewBid({ auctionId, bidderId, amount })),
      key === undefined ? undefined : { caller: `caller ${bidderId}`, key },
    )
  const storedIds = () => set.entries().map(({ _id }) => _id)
  return { set, clock, service, place, storedIds }
}

const onlyOnce = (reply: Reply): Reply => {
  let calls = 0
  return (set, command) => (++calls === 1 ? reply(set, command) : undefined)
}

const refusal = { ok: 0, code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }
const interrupted = { code: 11602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'interrupted' }
const tooSlow = { code: 64, codeName: 'WriteConcernTimeout', errmsg: 'waiting for replication timed out' }

/** What the primary does with the first bid, and the response. Both members may have the bid, only the primary, or none. */
const failing =
  (members: 'none' | 'primary' | 'both', then: 'stepDown' | 'crash' | 'stay', response: FakeReply): Reply =>
  (set, command) => {
    const stored = members === 'none' ? {} : set.execute(command)
    if (members === 'both') set.replicate()
    if (then !== 'stay') set[then]()
    return typeof response === 'object' ? { ...stored, ...response } : response
  }

test.each<readonly [title: string, reply: Reply, asked: number]>([
  ['steps down before it stores the bid', failing('none', 'stepDown', refusal), 1],
  ['steps down when both members have it', failing('both', 'stepDown', { writeConcernError: interrupted }), 1],
  ['steps down when it alone has the bid', failing('primary', 'stepDown', { ok: 0, ...interrupted }), 1],
  ['crashes before it stores the bid', failing('none', 'crash', 'cut'), 1],
  ['crashes when both members have the bid', failing('both', 'crash', 'cut'), 1],
  ['crashes when it alone has the bid', failing('primary', 'crash', 'cut'), 1],
  ['reports that the majority is late, which then has it', failing('both', 'stay', { writeConcernError: tooSlow }), 0],
])('a bid is accepted once although the primary %s', async (_, reply, asked) => {
  for (const key of [undefined, 'a']) {
    const { set, place, storedIds } = await serviceOnSet(onlyOnce(reply))
    const { id } = unwrap(await place(2, 100, key))
    expect(storedIds()).toEqual([id])
    expect(set.asked.at(-1)).toBe(asked)
  }
})

test.each(['stepDown', 'crash'] as const)('a read is repeated on the new primary: %s', async (change) => {
  const { set, service, place } = await serviceOnSet(() => undefined)
  await place(2, 100)
  set[change]()
  expect(unwrap(await service.readAuction(auctionId)).bidCount).toBe(1)
  expect(set.asked.at(-1)).toBe(1)
})

describe('while the majority is 25 seconds late', () => {
  /** Responds like a primary that waits without success for the other member. */
  async function lateSet() {
    let isLate = true
    const process = await serviceOnSet((set, command) =>
      isLate ? { ...set.execute(command), writeConcernError: tooSlow } : undefined,
    )
    const unknown = expect.objectContaining({ code: 'store-unavailable', outcome: 'unknown' })
    return {
      ...process,
      unknown,
      catchUp() {
        isLate = false
        process.clock.advance(25_000)
        process.set.replicate()
      },
    }
  }

  test('no bid is accepted or shown, and a retry with its key then finds it', async () => {
    const { place, service, storedIds, unknown, catchUp } = await lateSet()
    await expect(place(2, 100, 'a')).rejects.toEqual(unknown)
    await expect(place(3, 110, 'b')).rejects.toEqual(unknown)
    expect(unwrap(await service.readAuction(auctionId)).bidCount).toBe(0)
    expect(storedIds()).toHaveLength(1)
    catchUp()
    const second = unwrap(await place(3, 110, 'b'))
    const first = unwrap(await place(2, 100, 'a'))
    expect(storedIds()).toEqual([first.id, second.id])
  })

  test('and the primary crashes, what it alone has is lost, and no caller had a success', async () => {
    const { set, place, storedIds, unknown, catchUp } = await lateSet()
    await expect(place(2, 100)).rejects.toEqual(unknown)
    set.crash()
    catchUp()
    const { id } = unwrap(await place(3, 110))
    expect(storedIds()).toEqual([id])
  })
})
