import { expect, test } from 'vitest'
import { checkHistory } from '../../src/check-history.ts'
import { endMs, refused } from '../sample-history.ts'
import { bidding, buying, cancelling, figures, highest, offer } from './attempts.ts'
import type { Histories } from './histories.ts'
import { all, and, bid, cancellation, guarded, overtime, plain, purchase, stepped, storyOf, thenMs } from './stories.ts'

const duel = plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }))

const steep = { minimumBidIncrementMinor: 300_00 }

const untrue: Histories = {
  'an open auction was cancelled': and(duel, bidding(thenMs, 4, 200, refused('auction-cancelled'))),
  'a cancelled auction has ended': and(cancellation, bidding(thenMs, 4, 200, refused('auction-ended'))),
  'a cancelled auction takes bids': and(cancellation, bidding(thenMs, 4, 101, refused('bid-too-low'))),
  'a cancelled auction has ended for a cancellation': and(cancellation, cancelling(thenMs, refused('auction-ended'))),
  'a bought auction was cancelled': and(purchase, buying(thenMs, 4, refused('auction-cancelled'))),
  'an auction in overtime has ended': and(overtime, bidding(endMs + 10, 4, 200, refused('auction-ended'))),
  'an auction in overtime has ended for a buyer': and(overtime, buying(endMs + 10, 4, refused('auction-ended'))),
  'an auction in overtime has ended for its owner': and(overtime, cancelling(endMs + 10, refused('auction-ended'))),
  'a cancellable auction has bids': and(overtime, cancelling(endMs + 10, refused('auction-has-bids'))),
  'an auction without bids has some': and(plain(), cancelling(thenMs, refused('auction-has-bids'))),
  'an auction of another format has started': and(duel, cancelling(thenMs, refused('auction-started'))),
  'an auction with bids takes none': and(duel, bidding(thenMs, 4, 200, refused('bids-not-taken'))),
  'a purchase is not in the format': and(all(), buying(thenMs, 3, refused('not-in-format'))),
  'a purchase without a limit is invalid': and(all(), buying(thenMs, 3, refused('validation-failed'))),
  'the owner is not the owner': and(plain(), cancelling(thenMs, refused('not-the-owner'), { requester: 1 })),
  'a requester without a user is not the owner': and(plain(), cancelling(thenMs, refused('not-the-owner'))),
  'another user is the owner': and(all(), buying(thenMs, 3, refused('owner-cannot-buy'))),
  'an offer is not one': and(all(), buying(thenMs, 3, refused('buy-now-not-offered', figures(100, 100)))),
  'an offer below the reserve is not one': and(all(bid(2, 100)), buying(thenMs, 3, refused('buy-now-not-offered'))),
  'figures of a missing offer are outdated': and(
    duel,
    buying(thenMs, 3, refused('buy-now-not-offered', figures(100, 105))),
  ),
  'a maximum was raised': and(duel, bidding(thenMs, 2, 130, refused('maximum-not-raised'), 141)),
  'the same maximum came with a bid': and(duel, bidding(thenMs, 2, 130, refused('maximum-not-raised'), 140)),
  'a maximum was not raised by a bidder that does not lead': and(
    duel,
    bidding(thenMs, 3, 130, refused('maximum-not-raised'), 135),
  ),
  'a maximum was not raised by a bid without one': and(duel, bidding(thenMs, 2, 130, refused('maximum-not-raised'))),
  'a raised maximum was refused as a bid that is too low': and(
    duel,
    bidding(thenMs, 2, 100, refused('bid-too-low', figures(125, 130)), 200),
  ),
  'the price is that before a reply': and(duel, bidding(thenMs, 4, 120, refused('bid-too-low', figures(120, 125)))),
  'a lower bid is above an offer': and(all(), bidding(thenMs, 3, 299, refused('buy-now-is-lower', offer(100, 100)))),
  'an offer that is over is lower': and(all(bid(2, 150)), bidding(thenMs, 3, 300, refused('buy-now-is-lower'))),
  'a missing offer is lower': and(plain(), bidding(thenMs, 3, 300, refused('buy-now-is-lower'))),
  'an offer has another price': and(all(), bidding(thenMs, 3, 300, refused('buy-now-is-lower', offer(100, 100, 299)))),
  'the figures with an offer are outdated': and(
    all(bid(2, 100)),
    bidding(thenMs, 3, 300, refused('buy-now-is-lower', offer(100, 100))),
  ),
  'a raised maximum was refused as a bid above an offer': and(
    all(bid(2, 100)),
    bidding(thenMs, 2, 104, refused('buy-now-is-lower', offer(100, 105)), 400),
  ),
  'a bid above an offer, which every possible bid is, is too low': and(
    storyOf({ ...steep, reservePriceMinor: 150_00, buyNowPriceMinor: 300_00 }, bid(2, 100)),
    bidding(thenMs, 3, 310, refused('bid-too-low', figures(100, 400))),
  ),
  'the figures are those below a step': and(
    stepped(bid(2, 120)),
    bidding(thenMs, 3, 124, refused('bid-too-low', figures(120, 125))),
  ),
  'a possible bid is too high': and(guarded(), bidding(thenMs, 3, 150, refused('bid-too-high', highest(100, 150)))),
  'the maximum next bid is outdated': and(
    guarded(bid(2, 110)),
    bidding(thenMs, 3, 200, refused('bid-too-high', highest(110, 150))),
  ),
  'a bid without a limit is too high': and(plain(), bidding(thenMs, 3, 9_000, refused('bid-too-high'))),
  'a maximum is too high': and(guarded(), bidding(thenMs, 3, 100, refused('bid-too-high', highest(100, 150)), 9_000)),
  'a right maximum was wrong': and(duel, bidding(thenMs, 4, 130, refused('validation-failed'), 130)),
}

test.each(Object.entries(untrue))('a refusal is not true if %s', (_, history) => {
  const violations = checkHistory(history)
  expect(violations).toEqual([{ invariant: 4, message: expect.stringContaining('was never true between') }])
})
