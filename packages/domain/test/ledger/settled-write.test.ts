import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Sending, type SendingContext, sendUntilSettled } from '../../src/ledger/settled-write.ts'
import { createSafeObserver, type UnknownOutcome } from '../../src/observer.ts'
import { noAnswer } from '../support/service.ts'

/** What becomes of one call: so many more parts are stored, by itself or by a late one before it, and its answer is lost or not. */
type Step = {
  readonly stores: number
  readonly isLost: boolean
  /** Another one has taken the key of the next part. */
  readonly isTaken: boolean
  /** Whether what is stored can be looked for after it. */
  readonly isBlind: boolean
}

/** Something of parts that are sent by the steps, and then without faults; what is stored of it; what the observer is told. */
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
      // Told as stored is what is there now and was not before: a key that it took itself is taken for it.
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

describe('something that is sent until it is settled', () => {
  test('is told as what it is, whatever is lost', async () => {
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

  test('is sent once where nothing goes wrong', async () => {
    const { sending, context, outcomes } = createWorld(3, [])
    expect(await sendUntilSettled(context, sending)).toEqual({ outcome: 'stored', stored: 3 })
    expect(outcomes).toEqual([])
  })

  test('is sent again from what is not found on, and found where the first has arrived after all', async () => {
    const half = { stores: 2, isLost: true, isTaken: false, isBlind: false }
    const { sending, context, outcomes } = createWorld(3, [half])
    expect(await sendUntilSettled(context, sending)).toEqual({ outcome: 'stored', stored: 3 })
    expect(outcomes).toEqual([
      { what: 'entries', settled: 'found', count: 2 },
      { what: 'entries', settled: 'sent-again', count: 1 },
    ])
  })

  test('is unknown after as many tries as there may be, with the error of the last', async () => {
    const lost = { stores: 0, isLost: true, isTaken: false, isBlind: true }
    const { sending, context, outcomes } = createWorld(2, [lost, lost, lost, lost])
    expect(await sendUntilSettled(context, sending)).toEqual({ outcome: 'unknown', stored: 0, error: noAnswer() })
    expect(outcomes.map(({ settled }) => settled)).toEqual(['sent-again', 'sent-again', 'given-up'])
  })

  test('is sent once where the error is a bug, and told as unknown', async () => {
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

  test('is unknown, with that error, where not even the error can be looked at', async () => {
    const error = Object.defineProperty(new Error('a bug'), 'code', {
      get() {
        throw new TypeError('a bug in the error')
      },
    })
    const { sending, context } = createWorld(1, [])
    const settled = await sendUntilSettled(context, { ...sending, send: () => Promise.reject(error) })
    expect(settled).toEqual({ outcome: 'unknown', stored: 0, error: new TypeError('a bug in the error') })
  })

  test('is unknown where a key is taken and nobody can tell by what', async () => {
    const { sending, context } = createWorld(1, [])
    const findOwn = () => Promise.reject(noAnswer())
    const settled = await sendUntilSettled(context, { ...sending, send: async () => 0, findOwn })
    expect(settled).toEqual({ outcome: 'unknown', stored: 0, error: noAnswer() })
  })

  test('is not sent for nobody', async () => {
    const { sending, context, stored } = createWorld(1, [])
    expect(await sendUntilSettled(context, { ...sending, signal: { aborted: true } })).toEqual({
      outcome: 'withdrawn',
      stored: 0,
    })
    expect(stored()).toBe(0)
  })
})
