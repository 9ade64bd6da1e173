import { expect, test } from 'vitest'
import {
  after,
  bid,
  buy,
  cancel,
  close,
  codeOf,
  correct,
  endAuction,
  endMs,
  extend,
  force,
  lower,
  marginMs,
  owner,
  startMs,
  termsWith,
  withdraw,
} from './play.ts'

const terms = termsWith({ buyNowPriceMinor: 500, reservePriceMinor: 300, cancellableUntilEnd: true })

const commands = {
  'a bid': bid(3, 600),
  'a bid of the owner': bid(owner, 1),
  'a purchase': buy(3),
  'a purchase by the owner': buy(owner),
  'a cancellation': cancel(),
  'a cancellation by staff': force,
  'a correction': correct(),
  'an extension': extend(endMs + 1e9),
  'an early end': endAuction,
  'a lower reserve': lower(0),
  'a lower reserve of the owner': lower(0, 'owner'),
  'a withdrawal': withdraw(2),
  'a close': close,
} as const

const ends = [
  { end: [close, endMs + marginMs], what: 'closed', code: 'auction-ended' },
  { end: [buy(4), startMs + 7], what: 'bought', code: 'auction-ended' },
  { end: [cancel(), startMs + 7], what: 'cancelled', code: 'auction-cancelled' },
] as const

// The codes are the same before the start, by a clock that is behind, and after the end.
test.each(ends)('an auction that is $what refuses every command as $code', ({ end, what, code }) => {
  const state = after(terms, bid(2, 100), end)
  for (const [name, command] of Object.entries(commands)) {
    const again = name === 'a close' ? 'already-closed' : 'already-cancelled'
    const isAgain = name === 'a close' || (what === 'cancelled' && name.startsWith('a cancellation'))
    for (const clockMs of [0, startMs, endMs, endMs + 2e9])
      expect([name, codeOf(terms, state, command, clockMs)]).toEqual([name, isAgain ? again : code])
  }
})
