import { describe, expect, test } from 'vitest'
import { toBidId, toUserId } from '../../../src/ids.ts'
import type { Entry } from '../../../src/ledger/entry.ts'
import { checkHistory } from '../../../src/testing/check-history.ts'
import type { History } from '../../../src/testing/history.ts'
import { sampleKey } from '../../../src/testing/samples.ts'
import { endMs, refused, unknown } from '../sample-history.ts'
import { cancelling, seenAfter } from './attempts.ts'
import { testBroken } from './broken.ts'
import { and, bought, buyable, cancellation, cancelled, minuteMs } from './stories.ts'

const againMs = endMs + minuteMs

/** A story behind whose end an entry remembers a cancellation. */
function remembering(story: History, changed: Partial<Entry> = {}): History {
  const end = story.ledger.at(-1)
  if (end === undefined) throw new Error('a story has an end')
  const again: Entry = {
    ...end,
    id: toBidId(end.id + 100),
    sequence: end.sequence + 1,
    atMs: againMs,
    requestKey: sampleKey('k'),
    event: cancelled('lost'),
    ...changed,
  }
  return { ...story, ledger: [...story.ledger, again] }
}

const accepted = { outcome: 'accepted', auction: seenAfter(cancellation) } as const
const keyed = { key: 'k', reason: 'lost' } as const
const asked = cancelling(againMs - 1, accepted, keyed)
const remembered = and(remembering(cancellation), asked)

describe('no promise is broken where', () => {
  test.each<[string, History]>([
    ['a cancellation of what is cancelled is remembered under its key', remembered],
    ['nobody was told of it', and(remembering(cancellation), cancelling(againMs - 1, unknown, keyed))],
    [
      'it is sent again, with another reason too, and by somebody else',
      and(
        remembered,
        cancelling(againMs + minuteMs, accepted, keyed),
        cancelling(againMs + minuteMs, refused('idempotency-key-reused'), { ...keyed, reason: 'broken' }),
        cancelling(againMs + minuteMs, accepted, { ...keyed, requester: 2 }),
      ),
    ],
    [
      'it is cancelled without a key again and again',
      and(remembered, cancelling(againMs, accepted), cancelling(againMs + 9, accepted, { reason: 'stolen' })),
    ],
    [
      'it is remembered under a second key',
      and(
        remembering(remembered, { requestKey: sampleKey('l') }),
        cancelling(againMs - 1, accepted, { ...keyed, key: 'l' }),
      ),
    ],
  ])('%s', (_, history) => {
    expect(checkHistory(history)).toEqual([])
  })
})

testBroken([
  [
    'a purchase is cancelled under a key',
    6,
    /entry 110 .*follows the end/,
    and(remembering(buyable(bought(3))), asked),
  ],
  [
    'a second cancellation without a key is stored',
    6,
    /entry 120 .*follows the end/,
    and(
      remembering(cancellation, { requestKey: undefined } as object),
      cancelling(againMs - 1, accepted, { reason: 'lost' }),
    ),
  ],
  [
    'a remembered cancellation changes the reason',
    2,
    /entry 120 .*has the state .*lost.* instead of .*broken/,
    and(
      remembering(cancellation, {
        state: {
          phase: 'closed',
          bidCount: 1,
          leader: cancellation.ledger[0]?.state.leader ?? null,
          atMs: againMs,
          result: { outcome: 'cancelled', reason: 'lost' },
        },
      }),
      asked,
    ),
  ],
  [
    'a remembered cancellation changes the time',
    2,
    /entry 120 .*has the state/,
    and(remembering(cancellation, { state: { ...(cancellation.ledger.at(-1) as Entry).state, atMs: againMs } }), asked),
  ],
  [
    'a remembered cancellation opens the auction',
    2,
    /entry 120 .*has the state/,
    and(remembering(cancellation, { state: (cancellation.ledger[0] as Entry).state }), asked),
  ],
  [
    'a remembered cancellation is of a time before the end',
    3,
    /entry 120 .*before the entry before it/,
    and(remembering(cancellation, { atMs: 0 }), asked),
  ],
  [
    'a remembered cancellation is stored that nobody asked for',
    1,
    /cancellation 120 is stored, and nobody/,
    remembering(cancellation),
  ],
  [
    'a remembered cancellation is stored that only somebody else asked for',
    1,
    /cancellation 120 is stored, and nobody/,
    and(remembering(cancellation), cancelling(againMs - 1, unknown, { ...keyed, requester: 2 })),
  ],
  [
    'a remembered cancellation has another reason than was asked for',
    1,
    /cancellation 120 was accepted as .*, and was asked for as .*"stolen"/,
    and(remembered, cancelling(againMs, accepted, { ...keyed, reason: 'stolen' })),
  ],
  [
    'a key of a cancellation that changed nothing is not remembered',
    1,
    /cancellation 0 was accepted as .*, and is not stored/,
    and(cancellation, asked),
  ],
  [
    'a key has remembered two cancellations',
    5,
    /key k made cancellation 120 and cancellation 220/,
    and(remembering(remembered, { sequence: 4 })),
  ],
  [
    'a key is refused that has remembered a cancellation',
    5,
    /key k has made cancellation 120/,
    and(remembered, cancelling(againMs + minuteMs, refused('auction-ended'), keyed)),
  ],
  [
    'the request of a remembered key is told that the key is of another',
    4,
    /key k has made cancellation 120/,
    and(remembered, cancelling(againMs + minuteMs, refused('idempotency-key-reused'), keyed)),
  ],
  [
    'a cancellation is refused under a key that another one of the auction has not used',
    4,
    /key l has made nothing/,
    and(remembered, cancelling(againMs + minuteMs, refused('idempotency-key-reused'), { ...keyed, key: 'l' })),
  ],
  [
    'somebody else is told under a new key that the auction is cancelled',
    6,
    /user 2 is not the owner/,
    and(remembered, cancelling(againMs, accepted, { key: 'l', requester: 2 })),
  ],
  [
    'a bid follows a remembered cancellation',
    6,
    /follows the end/,
    and(
      remembering(remembered, {
        event: {
          type: 'bid-placed',
          bidderId: toUserId(2),
          amountMinor: cancellation.auctions[0]?.startingPriceMinor,
        } as Entry['event'],
      }),
    ),
  ],
])
