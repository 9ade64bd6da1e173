import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/auction/decide.ts'
import { evolve, initialState } from '../../src/auction/state.ts'
import { statusAt } from '../../src/auction/status.ts'
import { toBidId } from '../../src/values/ids.ts'
import {
  after,
  bid,
  buy,
  cancel,
  close,
  codeOf,
  endMs,
  force,
  marginMs,
  owner,
  play,
  type Step,
  softCloseTerms,
  startMs,
  termsWith,
} from './play.ts'

const terms = termsWith()
const cancellable = termsWith({ cancellableUntilEnd: true })
const other = 7

describe('an auction can be cancelled', () => {
  test.each([
    ['before the start', terms, initialState, startMs - 1, 'accepted'],
    ['long before the start', terms, initialState, 0, 'accepted'],
    ['without a bid', terms, initialState, startMs, 'accepted'],
    ['without a bid, a millisecond before the end', terms, initialState, endMs - 1, 'accepted'],
    ['not at the end', terms, initialState, endMs, 'auction-ended'],
    ['not long after the end', terms, initialState, endMs + 1e9, 'auction-ended'],
    ['not after the first bid', terms, after(terms, bid(2, 100)), startMs, 'auction-has-bids'],
    ['if the terms allow it: with bids', cancellable, after(cancellable, bid(2, 100)), startMs, 'accepted'],
    ['if the terms allow it: until the end', cancellable, after(cancellable, bid(2, 100)), endMs - 1, 'accepted'],
    ['if the terms allow it: not at the end', cancellable, after(cancellable, bid(2, 100)), endMs, 'auction-ended'],
    ['not at the end, with bids', terms, after(terms, bid(2, 100)), endMs, 'auction-ended'],
  ])('%s', (_, of, state, nowMs, code) => {
    expect(codeOf(of, state, cancel(owner), nowMs)).toBe(code)
    expect(codeOf(of, state, cancel(), nowMs)).toBe(code)
  })

  test('not after a bid, if the terms do not allow that', () => {
    const firm = termsWith({ cancellableUntilEnd: false })
    expect(codeOf(firm, initialState, cancel(), startMs)).toBe('accepted')
    expect(codeOf(firm, after(firm, bid(2, 100)), cancel(), startMs)).toBe('auction-has-bids')
  })

  test('until the extended end', () => {
    const late = softCloseTerms({ cancellableUntilEnd: true })
    const state = after(late, [bid(2, 100), endMs - 1])
    expect(codeOf(late, state, cancel(), endMs - 1 + 120_000 - 1)).toBe('accepted')
    expect(codeOf(late, state, cancel(), endMs - 1 + 120_000)).toBe('auction-ended')
  })

  test('not after it is closed or bought', () => {
    const sold = after(cancellable, bid(2, 100), [close, endMs + marginMs])
    expect(decide(cancellable, sold, cancel(), startMs)).toStrictEqual({
      ok: false,
      refusal: { code: 'auction-ended', endTime: cancellable.endTime, final: 'closed' },
    })
    const offered = termsWith({ buyNowPriceMinor: 500, cancellableUntilEnd: true })
    expect(codeOf(offered, after(offered, buy(3)), cancel(), startMs)).toBe('auction-ended')
  })
})

describe('a user who is not the owner', () => {
  test.each([
    ['after the start', initialState, startMs],
    ['before the start', initialState, 0],
    ['after the end', initialState, endMs],
    ['with bids', after(terms, bid(2, 100)), startMs],
    ['of a cancelled auction', after(terms, cancel()), startMs],
  ])('receives no other refusal for a cancellation: %s', (_, state, nowMs) => {
    expect(decide(terms, state, cancel(other), nowMs)).toStrictEqual({ ok: false, refusal: { code: 'not-the-owner' } })
  })
})

describe('staff with a reason', () => {
  const led = after(terms, bid(2, 100))

  test.each([
    ['before the start', initialState, 0, 'accepted'],
    ['without a bid', initialState, startMs, 'accepted'],
    ['with bids', led, startMs, 'accepted'],
    ['with bids, a millisecond before the end', led, endMs - 1, 'accepted'],
    ['not at the end', led, endMs, 'auction-ended'],
    ['not after it is closed', after(terms, bid(2, 100), [close, endMs + marginMs]), startMs, 'auction-ended'],
  ])('can cancel any auction: %s', (_, state, nowMs, code) => {
    for (const requester of [undefined, owner, other]) {
      expect(codeOf(terms, state, force(requester), nowMs)).toBe(code)
    }
  })

  test('can cancel until the extended end, and not an auction that was bought', () => {
    const late = softCloseTerms()
    const state = after(late, [bid(2, 100), endMs - 1])
    expect(codeOf(late, state, force(), endMs - 1 + 120_000 - 1)).toBe('accepted')
    expect(codeOf(late, state, force(), endMs - 1 + 120_000)).toBe('auction-ended')
    const offered = termsWith({ buyNowPriceMinor: 500 })
    expect(codeOf(offered, after(offered, buy(3)), force(), startMs)).toBe('auction-ended')
  })

  test('leave a mark in the event, and none in the result', () => {
    const event = { type: 'cancelled', reason: 'A fake.', isForced: true }
    for (const state of [initialState, led]) {
      expect(decide(terms, state, force(other), startMs)).toStrictEqual({ ok: true, value: event })
    }
    expect(after(terms, bid(2, 100), force(other))).toMatchObject({
      leader: { bidderId: 2 },
      result: { outcome: 'cancelled', reason: 'A fake.' },
    })
  })

  test('can repeat a cancellation, with a key', () => {
    const cancelledOnce = after(terms, cancel(owner))
    expect(codeOf(terms, cancelledOnce, force(other), startMs)).toBe('already-cancelled')
    expect(codeOf(terms, cancelledOnce, { ...force(other), isKeyed: true }, startMs)).toBe('accepted')
  })

  test('receive without a reason the refusal of any other caller, which asks for a reason', () => {
    const refusalOf = (state: typeof led, requester?: number) => {
      const decision = decide(terms, state, { ...cancel(requester), mayForce: true }, startMs)
      return decision.ok ? 'accepted' : decision.refusal
    }
    expect(refusalOf(initialState, other)).toStrictEqual({ code: 'not-the-owner', needsReason: true })
    expect(refusalOf(led)).toStrictEqual({ code: 'auction-has-bids', prevents: 'cancellation', needsReason: true })
    expect(refusalOf(initialState, owner)).toBe('accepted')
    expect(decide(terms, led, { ...cancel(owner, 'Lost.'), mayForce: false }, startMs)).toStrictEqual({
      ok: false,
      refusal: { code: 'auction-has-bids', prevents: 'cancellation' },
    })
  })
})

describe('the recorded entry', () => {
  test('of a cancellation with a reason', () => {
    expect(after(terms, [cancel(owner, 'It broke.'), startMs + 5])).toStrictEqual({
      phase: 'closed',
      bidCount: 0,
      leader: null,
      atMs: startMs + 5,
      result: { outcome: 'cancelled', reason: 'It broke.' },
    })
  })

  test('of a cancellation without a reason, with bids, in overtime', () => {
    const late = softCloseTerms({ cancellableUntilEnd: true })
    expect(after(late, [bid(2, 100, 300), endMs - 1], [cancel(), endMs + 5])).toStrictEqual({
      phase: 'closed',
      bidCount: 1,
      leader: { bidId: 10, bidderId: 2, amountMinor: 100, maximumMinor: 300 },
      atMs: endMs + 5,
      extendedEndMs: endMs - 1 + 120_000,
      result: { outcome: 'cancelled' },
    })
  })

  test('has the event of the cancellation', () => {
    expect(decide(terms, initialState, cancel(), 0)).toStrictEqual({ ok: true, value: { type: 'cancelled' } })
    expect(decide(terms, initialState, cancel(owner, ''), 0)).toStrictEqual({
      ok: true,
      value: { type: 'cancelled', reason: '' },
    })
  })
})

describe('a cancelled auction', () => {
  const cancelled = after(terms, [cancel(owner, 'It broke.'), startMs + 5])

  test('can be cancelled again at any time, which returns its state', () => {
    for (const nowMs of [0, startMs, endMs, endMs + 1e9]) {
      expect(decide(terms, cancelled, cancel(owner, 'Again.'), nowMs)).toStrictEqual({
        ok: false,
        refusal: { code: 'already-cancelled', state: cancelled },
      })
    }
  })

  test('can be cancelled again with a key, which is recorded and changes nothing', () => {
    for (const nowMs of [0, startMs, endMs, endMs + 1e9]) {
      const again = { ...cancel(owner, 'Again.'), isKeyed: true } as const
      const event = { type: 'cancelled', reason: 'Again.' } as const
      expect(decide(terms, cancelled, again, nowMs)).toStrictEqual({ ok: true, value: event })
      expect(evolve(cancelled, { id: toBidId(90), atMs: nowMs, event })).toBe(cancelled)
      expect(codeOf(terms, cancelled, { ...cancel(other), isKeyed: true }, nowMs)).toBe('not-the-owner')
    }
  })

  test.each([
    ['a bid', bid(2, 100)],
    ['a bid of the owner', bid(owner, 100)],
    ['a bid that is too low', bid(2, 1)],
    ['a bid with a maximum', bid(2, 100, 200)],
    ['a purchase', buy(2)],
    ['a purchase by the owner', buy(owner)],
  ])('refuses every other command as cancelled, at any time: %s', (_, command) => {
    for (const nowMs of [0, startMs, startMs + 10, endMs, endMs + 1e9]) {
      expect(decide(terms, cancelled, command, nowMs)).toStrictEqual({
        ok: false,
        refusal: { code: 'auction-cancelled' },
      })
    }
  })

  test('is cancelled before the start, too', () => {
    const early = after(terms, [cancel(), 5])
    expect(codeOf(terms, early, bid(2, 100), 6)).toBe('auction-cancelled')
    expect(codeOf(terms, early, buy(2), 6)).toBe('auction-cancelled')
    expect(statusAt(terms, early, 6)).toBe('Cancelled')
  })

  test('is not closed afterwards', () => {
    expect(codeOf(terms, cancelled, close, endMs + marginMs)).toBe('already-closed')
  })
})

test('a cancellation with a key is refused if the auction has ended otherwise, or has bids', () => {
  const offered = termsWith({ buyNowPriceMinor: 500, cancellableUntilEnd: true })
  const keyed = { ...cancel(owner), isKeyed: true } as const
  for (const state of [after(offered, buy(3)), after(offered, bid(2, 100), [close, endMs + marginMs])]) {
    for (const nowMs of [startMs, endMs, endMs + 1e9])
      expect(codeOf(offered, state, keyed, nowMs)).toBe('auction-ended')
  }
  expect(codeOf(terms, after(terms, bid(2, 100)), keyed)).toBe('auction-has-bids')
})

test('for any commands, a cancellation is accepted until the first bid or the end, and nothing after it', () => {
  const anySteps = fc.array(
    fc.record({
      kind: fc.constantFrom('bid', 'bid', 'buy', 'cancel', 'close'),
      userId: fc.integer({ min: 1, max: 3 }),
      above: fc.integer({ min: -5, max: 20 }),
      // Mostly between start and end, sometimes before or after.
      clockMs: fc.oneof(
        { weight: 5, arbitrary: fc.nat(900) },
        { weight: 1, arbitrary: fc.integer({ min: -500, max: 4_000 }) },
      ),
    }),
    { maxLength: 25 },
  )
  const step = ({
    kind,
    userId,
    above,
    clockMs,
  }: {
    kind: string
    userId: number
    above: number
    clockMs: number
  }): Step => {
    const nowMs = startMs + clockMs
    if (kind === 'bid') return [bid(userId, 105 + above * 3), nowMs]
    if (kind === 'buy') return [buy(userId), nowMs]
    return [kind === 'close' ? close : cancel(userId === 3 ? undefined : userId), nowMs]
  }
  fc.assert(
    fc.property(fc.boolean(), anySteps, (cancellableUntilEnd, steps) => {
      const endTime = new Date(startMs + 1_000).toISOString()
      const of = termsWith({ endTime, buyNowPriceMinor: 900, ...(cancellableUntilEnd && { cancellableUntilEnd }) })
      let isCancelled = false
      for (const { command, before, nowMs, ...played } of play(of, ...steps.map(step))) {
        if (isCancelled) {
          expect(played.ok).toBe(false)
          continue
        }
        if (command.type !== 'cancel') continue
        const isAllowed = command.requesterId === undefined || command.requesterId === of.ownerId
        const isFree = cancellableUntilEnd || before.bidCount === 0
        const isInTime = before.phase === 'open' && nowMs < startMs + 1_000
        expect(played.ok).toBe(isAllowed && isFree && isInTime)
        isCancelled = played.ok
      }
    }),
    { numRuns: 500 },
  )
})
