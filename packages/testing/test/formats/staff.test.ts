import { momentAt } from '@auction/domain/moment'
import { expect, test } from 'vitest'
import { checkHistory } from '../../src/check-history.ts'
import type { History } from '../../src/history.ts'
import { sampleKey } from '../../src/samples.ts'
import { endMs, refused, startMs, unknown } from '../sample-history.ts'
import { cancelling, correcting, listingByEnd, readingAfter } from './attempts.ts'
import { type Histories, testBroken, testKept } from './histories.ts'
import { and, bid, cancelled, corrected, minuteMs, plain, thenMs, underKey, withoutResponse } from './stories.ts'

const oak = { title: 'Oak desk' }
const story = plain(corrected(oak), corrected({ description: 'Worn.' }), bid(2, 100))
const forced = plain(bid(2, 100), cancelled('A fake.', true))
const created = { title: undefined, metadata: undefined, correctedAtMs: undefined }
const first = { title: 'Oak desk', metadata: undefined, correctedAtMs: startMs + minuteMs }

/** A story whose last correction has a client that expected these texts. */
const expecting = (title: string, expected: typeof created | typeof first): History => {
  const given = plain(corrected(oak), corrected({ title }))
  const attempts = given.attempts.map((attempt) =>
    attempt.type === 'correct-auction' && attempt.correction.title === title ? { ...attempt, expected } : attempt,
  )
  return { ...given, attempts }
}

/** A story whose last response arrived later. */
const respondedLater = (given: History, ms: number): History => {
  const attempts = given.attempts.map((attempt, index, { length }) =>
    index === length - 1 ? { ...attempt, respondedAtMs: attempt.respondedAtMs + ms } : attempt,
  )
  return { ...given, attempts }
}

/** A story whose last entry has other corrections in its state. */
function withCorrections(given: History, change: object): History {
  const last = given.ledger.at(-1)
  if (last === undefined) throw new Error('a story has entries')
  const { corrections, ...state } = last.state
  const changed = { ...state, corrections: { ...corrections, ...change } } as typeof last.state // Wrong on purpose.
  return { ...given, ledger: given.ledger.with(-1, { ...last, state: changed }) }
}

testKept({
  'an auction was corrected, and then bid on': story,
  'texts were removed': plain(corrected({ title: null, description: null })),
  'the response to a correction is unknown': withoutResponse(story, 1),
  'the response to a correction with a key is unknown': and(
    { ...underKey(plain(corrected(oak)), 'k'), attempts: plain().attempts },
    correcting(startMs + minuteMs - 2, unknown, { key: 'k' }),
  ),
  'a correction followed the texts that its client expected': expecting('Pine desk', first),
  'a correction was refused in another state': and(
    story,
    correcting(thenMs, refused('precondition-failed'), { expected: created }),
  ),
  'a correction was refused because of another one at the same time that kept the title': and(
    respondedLater(plain(corrected(oak), [startMs + minuteMs, corrected({ description: 'Worn.' })]), 30),
    correcting(startMs + minuteMs + 10, refused('precondition-failed'), { expected: first }),
  ),
  'a list by ends omits an auction whose end was being corrected': and(
    story,
    correcting(thenMs, unknown, { endTime: momentAt(endMs - minuteMs) }),
    listingByEnd(thenMs + 1),
  ),
  'a correction was refused after a bid': and(story, correcting(thenMs + minuteMs, refused('auction-has-bids'))),
  'a cancellation was forced': { ...forced, attempts: forced.attempts },
  'a corrected title was read': and(story, readingAfter(story, 1, startMs + minuteMs + 10)),
})

testBroken(1, /is stored without a request/, {
  'a correction is stored without a request': { ...plain(corrected(oak)), attempts: plain().attempts },
})

testBroken(1, /was accepted as .*, and is (not stored|stored as)/, {
  'an accepted correction is not stored': { ...plain(corrected(oak)), ledger: [] },
})

testBroken(2, /has the state/, {
  'a bid loses the corrected title': withCorrections(plain(corrected(oak), bid(2, 100)), { title: undefined }),
  'a correction changes the time of the one before': withCorrections(plain(corrected(oak), bid(2, 100)), { atMs: 5 }),
  'the id of a description is that of another entry': withCorrections(plain(corrected({ description: 'Worn.' })), {
    descriptionIn: 20,
  }),
})

testBroken(3, /, after the end/, {
  'an auction is corrected after its end': plain([endMs, corrected(oak)]),
})

testBroken(5, /key k/, {
  'a key makes two corrections': {
    ...plain(corrected(oak), corrected(oak)),
    ledger: plain(corrected(oak), corrected(oak)).ledger.map((entry) => ({ ...entry, requestKey: sampleKey('k') })),
  },
})

testBroken(6, /corrects an auction that has bids/, {
  'an auction with bids is corrected': plain(bid(2, 100), corrected(oak)),
})

testBroken(6, /is one correction too many/, {
  'an auction is corrected too often': plain(...Array.from({ length: 41 }, () => corrected(oak))),
  'an owner corrects too often': plain(...Array.from({ length: 21 }, () => corrected({ ...oak, by: 'owner' }))),
})

testBroken(6, /is by staff, but its request was by owner/, {
  'a correction of the owner is called one of staff': {
    ...plain(corrected(oak)),
    attempts: plain(corrected({ ...oak, by: 'owner' })).attempts,
  },
})

testBroken(6, /replaces .*, which no client expected/, {
  'a correction replaces texts that its client had not seen': expecting('Pine desk', created),
})

testBroken(6, /had \w+/, {
  'a reader receives the title as it was created': and(story, readingAfter(story, 2, thenMs, { title: undefined })),
})

testBroken(6, /(not in this state then|never in this state)/, {
  'a reader receives another time of correction': and(story, readingAfter(story, 2, thenMs, { correctedAtMs: 5 })),
})

testBroken(6, /is forced, but no client may force it/, {
  'a cancellation is forced without the permission': and(
    { ...forced, attempts: forced.attempts.slice(0, 2) },
    cancelling(startMs + 2 * minuteMs - 2, unknown, { reason: 'A fake.' }),
  ),
})

testBroken(6, /cancels an auction that has bids/, {
  'a forced cancellation has no mark': plain(bid(2, 100), cancelled('A fake.')),
})

const untrue: Histories = {
  'an auction has no bids': and(plain(corrected(oak)), correcting(thenMs, refused('auction-has-bids'))),
  'the expected texts were those of the auction': and(
    plain(corrected(oak)),
    correcting(thenMs, refused('precondition-failed'), { expected: first }),
  ),
  'the client expected nothing': and(plain(corrected(oak)), correcting(thenMs, refused('precondition-failed'))),
  'an auction was corrected once': and(plain(corrected(oak)), correcting(thenMs, refused('too-many-corrections'))),
  'an auction was not cancelled': and(plain(), correcting(thenMs, refused('auction-cancelled'))),
  'a correction needs no start': and(plain(), correcting(startMs - minuteMs, refused('auction-not-started'))),
  'a forced cancellation needs no owner': and(
    plain(),
    cancelling(thenMs, refused('not-the-owner'), { requester: 9, reason: 'A fake.', mayForce: true }),
  ),
  'a forced cancellation is for auctions with bids': and(
    plain(bid(2, 100)),
    cancelling(thenMs, refused('auction-has-bids'), { reason: 'A fake.', mayForce: true }),
  ),
}
test.each(Object.entries(untrue))('a refusal is not true because %s', (_, history) => {
  expect(checkHistory(history)).toEqual([{ invariant: 4, message: expect.stringContaining('was never true between') }])
})
