import { toEntryId, toUserId } from '@auction/domain/ids'
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
    id: toEntryId(end.id + 100),
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

testBroken(1, /is stored without a request/, {
  'a recorded cancellation is stored without a request': remembering(cancellation),
  'a recorded cancellation is stored that only another user requested': and(
    remembering(cancellation),
    cancelling(againMs - 1, unknown, { ...keyed, requester: 2 }),
  ),
})

testBroken(1, /was requested as/, {
  'a recorded cancellation has another reason than its request': and(
    remembered,
    cancelling(againMs, accepted, { ...keyed, reason: 'stolen' }),
  ),
})

testBroken(1, /was accepted as .*, and is (not stored|stored as)/, {
  'a key of a cancellation that changed nothing is not recorded': and(cancellation, asked),
})

testBroken(2, /has the state/, {
  'a recorded cancellation changes the reason': and(
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
  'a recorded cancellation changes the time': and(
    remembering(cancellation, { state: { ...(cancellation.ledger.at(-1) as Entry).state, atMs: againMs } }),
    asked,
  ),
  'a recorded cancellation opens the auction': and(
    remembering(cancellation, { state: (cancellation.ledger[0] as Entry).state }),
    asked,
  ),
})

testBroken(3, /entry 120 .*before the previous entry/, {
  'a recorded cancellation has a time before the end': and(remembering(cancellation, { atMs: 0 }), asked),
})

testBroken(4, /has made/, {
  'the request of a recorded key is refused as a reused key': and(
    remembered,
    cancelling(againMs + minuteMs, refused('idempotency-key-reused'), keyed),
  ),
  'a cancellation is refused under a key that another one of the auction has not used': and(
    remembered,
    cancelling(againMs + minuteMs, refused('idempotency-key-reused'), { ...keyed, key: 'l' }),
  ),
})

testBroken(5, /key k/, {
  'a key has recorded two cancellations': and(remembering(remembered, { sequence: 4 })),
  'a key that has recorded a cancellation is refused': and(
    remembered,
    cancelling(againMs + minuteMs, refused('auction-ended'), keyed),
  ),
})

testBroken(6, /follows the end/, {
  'a purchase is cancelled under a key': and(remembering(buyable(bought(3))), asked),
  'a second cancellation without a key is stored': and(
    remembering(cancellation, { requestKey: undefined } as object),
    cancelling(againMs - 1, accepted, { reason: 'lost' }),
  ),
  'a bid follows a recorded cancellation': and(
    remembering(remembered, {
      event: {
        type: 'bid-placed',
        bidderId: toUserId(2),
        amountMinor: cancellation.auctions[0]?.startingPriceMinor,
      } as Entry['event'],
    }),
  ),
})

testBroken(6, /is not the owner/, {
  'another user cancels under a new key': and(remembered, cancelling(againMs, accepted, { key: 'l', requester: 2 })),
})
