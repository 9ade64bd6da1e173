import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Sending, type SendingContext, sendUntilSettled } from '../../src/ledger/settled-write.ts'
import { createSafeObserver, type UnknownOutcome } from '../../src/observer.ts'
import { noAnswer } from '../support/service.ts'

/** The effect of one call: the number of further parts stored, by itself or by a late call before it, and whether its answer is lost. */
type Step = {
  readonly stores: number
  readonly isLost: boolean
  /** Another process has taken the key of the next part. */
  readonly isTaken: boolean
  /** Whether the lookup of stored parts fails after it. */
  readonly isBlind: boolean
}

/** Sends parts as the steps say, and then without failures. Returns what is stored and what the observer receives. */
function createWorld(count: number, steps: readonly Step[]) {
  const left = [...steps]
  let stored = 0
  let isTaken = false
  let isBlind = false
  const outcomes: UnknownOutcome[] = []
  const sending: Sending = {
    what: 'entries',
    count,
    async send(from) {
      const step = left.shift() ?? { stores: count, isLost: false, isTaken: false, isBlind: false }
      isBlind = step.isBlind
      const isAtEnd = from === stored
      if (!isTaken && isAtEnd) stored = Math.min(count, stored + step.stores)
      isTaken ||= step.isTaken
      if (step.isLost) throw noAnswer()
      // The result counts parts that are stored now and were not before: a key that the call itself took counts as taken.
      return isAtEnd ? stored - from : 0
    },
    async findOwn(from) {
      if (isBlind) throw noAnswer()
      return stored - from
    },
    signal: { aborted: false },
  }
  const observer = createSafeObserver({ onUnknownOutcome: (outcome) => void outcomes.push(outcome) })
  const context: SendingContext = { maxTries: 3, observer }
  return { sending, context, outcomes, stored: () => stored, isTaken: () => isTaken }
}

const step: fc.Arbitrary<Step> = fc.record({
  stores: fc.nat(4),
  isLost: fc.boolean(),
  isTaken: fc.boolean().map((isTaken) => isTaken),
  isBlind: fc.boolean(),
})

describe('a write that is sent until it is settled', () => {
  test('reports its actual outcome, whatever is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 8 }), async (count, steps) => {
        const world = createWorld(count, steps)
        const settled = await sendUntilSettled(world.context, world.sending)
        expect(settled.stored).toBeLessThanOrEqual(world.stored())
        if (settled.outcome === 'stored') expect(settled.stored).toBe(count)
        if (settled.outcome === 'taken') {
          expect(world.isTaken() || world.stored() < count).toBe(true)
          expect(settled.stored).toBe(world.stored())
        }
        expect(settled.outcome).not.toBe('withdrawn')
      }),
    )
  })

  test('is sent once if nothing fails', async () => {
    const { sending, context, outcomes } = createWorld(3, [])
    expect(await sendUntilSettled(context, sending)).toEqual({ outcome: 'stored', stored: 3 })
    expect(outcomes).toEqual([])
  })

  test('is sent again from the first missing part, and found if an earlier call arrives late', async () => {
    const half = { stores: 2, isLost: true, isTaken: false, isBlind: false }
    const { sending, context, outcomes } = createWorld(3, [half])
    expect(await sendUntilSettled(context, sending)).toEqual({ outcome: 'stored', stored: 3 })
    expect(outcomes).toEqual([
      { what: 'entries', settled: 'found', count: 2 },
      { what: 'entries', settled: 'sent-again', count: 1 },
    ])
  })

  test('is unknown after the last try, with the error of that try', async () => {
    const lost = { stores: 0, isLost: true, isTaken: false, isBlind: true }
    const { sending, context, outcomes } = createWorld(2, [lost, lost, lost, lost])
    expect(await sendUntilSettled(context, sending)).toEqual({ outcome: 'unknown', stored: 0, error: noAnswer() })
    expect(outcomes.map(({ settled }) => settled)).toEqual(['sent-again', 'sent-again', 'given-up'])
  })

  test('is unknown only for the parts that were not found', async () => {
    const half = { stores: 2, isLost: true, isTaken: true, isBlind: false }
    const lost = { stores: 0, isLost: true, isTaken: true, isBlind: true }
    const { sending, context, outcomes } = createWorld(3, [half, lost, lost])
    expect(await sendUntilSettled(context, sending)).toEqual({ outcome: 'unknown', stored: 2, error: noAnswer() })
    expect(outcomes.at(-1)).toEqual({ what: 'entries', settled: 'given-up', count: 1 })
  })

  test('is sent once and unknown if the error is a bug', async () => {
    const bug = new TypeError('a bug')
    const { sending, context } = createWorld(2, [])
    let sent = 0
    const send = () => {
      sent += 1
      return Promise.reject(bug)
    }
    expect(await sendUntilSettled(context, { ...sending, send })).toEqual({ outcome: 'unknown', stored: 0, error: bug })
    expect(sent).toBe(1)
  })

  test('is unknown, with the new error, if reading the error throws', async () => {
    const error = Object.defineProperty(new Error('a bug'), 'code', {
      get() {
        throw new TypeError('a bug in the error')
      },
    })
    const { sending, context } = createWorld(1, [])
    const settled = await sendUntilSettled(context, { ...sending, send: () => Promise.reject(error) })
    expect(settled).toEqual({ outcome: 'unknown', stored: 0, error: new TypeError('a bug in the error') })
  })

  test('is unknown if a key is taken and the lookup fails', async () => {
    const { sending, context } = createWorld(1, [])
    const findOwn = () => Promise.reject(noAnswer())
    const settled = await sendUntilSettled(context, { ...sending, send: async () => 0, findOwn })
    expect(settled).toEqual({ outcome: 'unknown', stored: 0, error: noAnswer() })
  })

  test('is not sent after its callers have timed out', async () => {
    const { sending, context, stored } = createWorld(1, [])
    expect(await sendUntilSettled(context, { ...sending, signal: { aborted: true } })).toEqual({
      outcome: 'withdrawn',
      stored: 0,
    })
    expect(stored()).toBe(0)
  })
})
