import { toBidId, toUserId } from '@auction/domain/ids'
import type { Entry } from '@auction/domain/store'
import type { History } from '../../src/history.ts'
import { sampleKey } from '../../src/samples.ts'
import { endMs, refused, unknown } from '../sample-history.ts'
import { cancelling, seenAfter } from './attempts.ts'
import { testBroken, testKept } from './histories.ts'
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

testKept({
  'a repeated cancellation is recorded under its key': remembered,
  'no client knows of it': and(remembering(cancellation), cancelling(againMs - 1, unknown, keyed)),
  'it is sent again, also with another reason, and by another user': and(
    remembered,
    cancelling(againMs + minuteMs, accepted, keyed),
    cancelling(againMs + minuteMs, refused('idempotency-key-reused'), { ...keyed, reason: 'broken' }),
    cancelling(againMs + minuteMs, accepted, { ...keyed, requester: 2 }),
  ),
  'it is cancelled repeatedly without a key': and(
    remembered,
    cancelling(againMs, accepted),
    cancelling(againMs + 9, accepted, { reason: 'stolen' }),
  ),
  'it is recorded under a second key': and(
    remembering(remembered, { requestKey: sampleKey('l') }),
    cancelling(againMs - 1, accepted, { ...keyed, key: 'l' }),
  ),
})

testBroken({
  'a purchase is cancelled under a key': {
    invariant: 6,
    message: /entry 110 .*follows the end/,
    history: and(remembering(buyable(bought(3))), asked),
  },
  'a second cancellation without a key is stored': {
    invariant: 6,
    message: /entry 120 .*follows the end/,
    history: and(
      remembering(cancellation, { requestKey: undefined } as object),
      cancelling(againMs - 1, accepted, { reason: 'lost' }),
    ),
  },
  'a recorded cancellation changes the reason': {
    invariant: 2,
    message: /entry 120 .*has the state .*lost.* instead of .*broken/,
    history: and(
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
  },
  'a recorded cancellation changes the time': {
    invariant: 2,
    message: /entry 120 .*has the state/,
    history: and(
      remembering(cancellation, { state: { ...(cancellation.ledger.at(-1) as Entry).state, atMs: againMs } }),
      asked,
    ),
  },
  'a recorded cancellation opens the auction': {
    invariant: 2,
    message: /entry 120 .*has the state/,
    history: and(remembering(cancellation, { state: (cancellation.ledger[0] as Entry).state }), asked),
  },
  'a recorded cancellation has a time before the end': {
    invariant: 3,
    message: /entry 120 .*before the previous entry/,
    history: and(remembering(cancellation, { atMs: 0 }), asked),
  },
  'a recorded cancellation is stored without a request': {
    invariant: 1,
    message: /cancellation 120 is stored without a request/,
    history: remembering(cancellation),
  },
  'a recorded cancellation is stored that only another user requested': {
    invariant: 1,
    message: /cancellation 120 is stored without a request/,
    history: and(remembering(cancellation), cancelling(againMs - 1, unknown, { ...keyed, requester: 2 })),
  },
  'a recorded cancellation has another reason than its request': {
    invariant: 1,
    message: /cancellation 120 was accepted as .*, and was requested as .*"stolen"/,
    history: and(remembered, cancelling(againMs, accepted, { ...keyed, reason: 'stolen' })),
  },
  'a key of a cancellation that changed nothing is not recorded': {
    invariant: 1,
    message: /cancellation 0 was accepted as .*, and is not stored/,
    history: and(cancellation, asked),
  },
  'a key has recorded two cancellations': {
    invariant: 5,
    message: /key k made cancellation 120 and cancellation 220/,
    history: and(remembering(remembered, { sequence: 4 })),
  },
  'a key that has recorded a cancellation is refused': {
    invariant: 5,
    message: /key k has made cancellation 120/,
    history: and(remembered, cancelling(againMs + minuteMs, refused('auction-ended'), keyed)),
  },
  'the request of a recorded key is refused as a reused key': {
    invariant: 4,
    message: /key k has made cancellation 120/,
    history: and(remembered, cancelling(againMs + minuteMs, refused('idempotency-key-reused'), keyed)),
  },
  'a cancellation is refused under a key that another one of the auction has not used': {
    invariant: 4,
    message: /key l has made nothing/,
    history: and(remembered, cancelling(againMs + minuteMs, refused('idempotency-key-reused'), { ...keyed, key: 'l' })),
  },
  'another user cancels under a new key': {
    invariant: 6,
    message: /user 2 is not the owner/,
    history: and(remembered, cancelling(againMs, accepted, { key: 'l', requester: 2 })),
  },
  'a bid follows a recorded cancellation': {
    invariant: 6,
    message: /follows the end/,
    history: and(
      remembering(remembered, {
        event: {
          type: 'bid-placed',
          bidderId: toUserId(2),
          amountMinor: cancellation.auctions[0]?.startingPriceMinor,
        } as Entry['event'],
      }),
    ),
  },
})
