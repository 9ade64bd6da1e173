import { toBidId, toUserId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'
import { describe, expect, test } from 'vitest'
import { checkHistory } from '../../src/check-history.ts'
import type { History } from '../../src/history.ts'
import { sampleKey } from '../../src/samples.ts'
import { endMs, refused, unknown } from '../sample-history.ts'
import { cancelling, seenAfter } from './attempts.ts'
import { testBroken } from './broken.ts'
import { and, bought, buyable, cancellation, cancelled, minuteMs } from './stories.ts'

const againMs = endMs + minuteMs

/** A story whose end is followed by an entry that remembers a cancellation. */
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

describe('no invariant is violated if', () => {
  test.each<[string, History]>([
    ['a repeated cancellation is recorded under its key', remembered],
    ['no client knows of it', and(remembering(cancellation), cancelling(againMs - 1, unknown, keyed))],
    [
      'it is sent again, also with another reason, and by another user',
      and(
        remembered,
        cancelling(againMs + minuteMs, accepted, keyed),
        cancelling(againMs + minuteMs, refused('idempotency-key-reused'), { ...keyed, reason: 'broken' }),
        cancelling(againMs + minuteMs, accepted, { ...keyed, requester: 2 }),
      ),
    ],
    [
      'it is cancelled repeatedly without a key',
      and(remembered, cancelling(againMs, accepted), cancelling(againMs + 9, accepted, { reason: 'stolen' })),
    ],
    [
      'it is recorded under a second key',
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
    'a recorded cancellation changes the reason',
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
    'a recorded cancellation changes the time',
    2,
    /entry 120 .*has the state/,
    and(remembering(cancellation, { state: { ...(cancellation.ledger.at(-1) as Entry).state, atMs: againMs } }), asked),
  ],
  [
    'a recorded cancellation opens the auction',
    2,
    /entry 120 .*has the state/,
    and(remembering(cancellation, { state: (cancellation.ledger[0] as Entry).state }), asked),
  ],
  [
    'a recorded cancellation has a time before the end',
    3,
    /entry 120 .*before the previous entry/,
    and(remembering(cancellation, { atMs: 0 }), asked),
  ],
  [
    'a recorded cancellation is stored without a request',
    1,
    /cancellation 120 is stored without a request/,
    remembering(cancellation),
  ],
  [
    'a recorded cancellation is stored that only another user requested',
    1,
    /cancellation 120 is stored without a request/,
    and(remembering(cancellation), cancelling(againMs - 1, unknown, { ...keyed, requester: 2 })),
  ],
  [
    'a recorded cancellation has another reason than its request',
    1,
    /cancellation 120 was accepted as .*, and was requested as .*"stolen"/,
    and(remembered, cancelling(againMs, accepted, { ...keyed, reason: 'stolen' })),
  ],
  [
    'a key of a cancellation that changed nothing is not recorded',
    1,
    /cancellation 0 was accepted as .*, and is not stored/,
    and(cancellation, asked),
  ],
  [
    'a key has recorded two cancellations',
    5,
    /key k made cancellation 120 and cancellation 220/,
    and(remembering(remembered, { sequence: 4 })),
  ],
  [
    'a key that has recorded a cancellation is refused',
    5,
    /key k has made cancellation 120/,
    and(remembered, cancelling(againMs + minuteMs, refused('auction-ended'), keyed)),
  ],
  [
    'the request of a recorded key is refused as a reused key',
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
    'another user cancels under a new key',
    6,
    /user 2 is not the owner/,
    and(remembered, cancelling(againMs, accepted, { key: 'l', requester: 2 })),
  ],
  [
    'a bid follows a recorded cancellation',
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
