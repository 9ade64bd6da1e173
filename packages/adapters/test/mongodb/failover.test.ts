import { createAuctionService } from '@auction/domain'
import { parseNewBid } from '@auction/domain/parsing'
import { unwrap } from '@auction/domain/result'
import { sampleAuction, sampleStartTime } from '@auction/testing/samples'
import type { Document } from 'mongodb'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../src/memory/manual-clock.ts'
import type { FakeAnswer } from './fake-server.ts'
import { connectFakeSet, type FakeSet } from './fake-set.ts'

const { id: auctionId } = sampleAuction()

type Answer = (set: FakeSet, command: Document) => FakeAnswer

/** A process that places bids on a set with a special handler of inserts of entries. */
async function serviceOnSet(answer: Answer) {
  const set = await connectFakeSet(answer)
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

const onlyOnce = (answer: Answer): Answer => {
  let calls = 0
  return (set, command) => (++calls === 1 ? answer(set, command) : undefined)
}

const refusal = { ok: 0, code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }
const interrupted = { code: 11602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'interrupted' }
const tooSlow = { code: 64, codeName: 'WriteConcernTimeout', errmsg: 'waiting for replication timed out' }

describe('a bid is accepted once although the primary', () => {
  test.each<{ readonly title: string; readonly answer: Answer; readonly newPrimary: boolean }>([
    {
      title: 'steps down before it stores the bid',
      newPrimary: true,
      answer(set) {
        set.stepDown()
        return refusal
      },
    },
    {
      title: 'steps down when both members have the bid',
      newPrimary: true,
      answer(set, command) {
        const stored = set.execute(command)
        set.replicate()
        set.stepDown()
        return { ...stored, writeConcernError: interrupted }
      },
    },
    {
      title: 'steps down when it alone has the bid',
      newPrimary: true,
      answer(set, command) {
        set.execute(command)
        set.stepDown()
        return { ok: 0, ...interrupted }
      },
    },
    {
      title: 'crashes before it stores the bid',
      newPrimary: true,
      answer(set) {
        set.crash()
        return 'cut'
      },
    },
    {
      title: 'crashes when both members have the bid',
      newPrimary: true,
      answer(set, command) {
        set.execute(command)
        set.replicate()
        set.crash()
        return 'cut'
      },
    },
    {
      title: 'crashes when it alone has the bid',
      newPrimary: true,
      answer(set, command) {
        set.execute(command)
        set.crash()
        return 'cut'
      },
    },
    {
      title: 'reports that the majority is late, which then has the bid',
      newPrimary: false,
      answer(set, command) {
        const stored = set.execute(command)
        set.replicate()
        return { ...stored, writeConcernError: tooSlow }
      },
    },
  ])('$title', async ({ answer, newPrimary }) => {
    for (const key of [undefined, 'a']) {
      const { set, place, storedIds } = await serviceOnSet(onlyOnce(answer))
      const { id } = unwrap(await place(2, 100, key))
      expect(storedIds()).toEqual([id])
      expect(set.asked.at(-1)).toBe(newPrimary ? 1 : 0)
    }
  })
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
