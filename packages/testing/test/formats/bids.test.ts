import { testBroken } from './histories.ts'
import { all, bid, buyable, guarded, overtime, plain, raise, reserve, stepped, tenPercent } from './stories.ts'

const duel = plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }))

testBroken({
  'a maximum does not reply': {
    invariant: 2,
    message: /reply undefined instead of/,
    history: plain(bid(2, 100, { max: 140 }), bid(3, 120)),
  },
  'a maximum replies with one increment too much': {
    invariant: 2,
    message: /reply .*13000.* instead of .*12500/,
    history: plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 130] })),
  },
  'a maximum replies with less than the increment': {
    invariant: 2,
    message: /reply .*12400.* instead of .*12500/,
    history: plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 124] })),
  },
  'a maximum replies with the increment below a step': {
    invariant: 2,
    message: /reply .*12500.* instead of .*13000/,
    history: stepped(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] })),
  },
  'a maximum replies with the increment of the next step': {
    invariant: 2,
    message: /reply .*12900.* instead of .*12400/,
    history: stepped(bid(2, 100, { max: 140 }), bid(3, 119, { reply: [2, 129] })),
  },
  'a maximum replies without its percentage': {
    invariant: 2,
    message: /reply .*12500.* instead of .*13200/,
    history: tenPercent(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] })),
  },
  'a bid is below the increment of its step': {
    invariant: 2,
    message: /offers 12900 minor units instead of at least 13000/,
    history: stepped(bid(2, 120), bid(3, 129)),
  },
  'a bid is below its percentage': {
    invariant: 2,
    message: /offers 13100 minor units instead of at least 13200/,
    history: tenPercent(bid(2, 120), bid(3, 131)),
  },
  'a bid is above the maximum increment': {
    invariant: 2,
    message: /offers 15100 minor units instead of at most 15000/,
    history: guarded(bid(2, 151)),
  },
  'a maximum replies with more than itself': {
    invariant: 2,
    message: /reply .*14500.* instead of .*14000/,
    history: plain(bid(2, 100, { max: 140 }), bid(3, 140, { reply: [2, 145] })),
  },
  'a maximum replies for another bidder': {
    invariant: 2,
    message: /reply .*"bidderId":4.* instead of .*"bidderId":2/,
    history: plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [4, 125] })),
  },
  'a leader without a maximum replies': {
    invariant: 2,
    message: /reply .*12500.* instead of undefined/,
    history: plain(bid(2, 100), bid(3, 120, { reply: [2, 125] })),
  },
  'the later of equal maximums leads': {
    invariant: 2,
    message: /reply .*"bidderId":3.* instead of .*"bidderId":2/,
    history: plain(bid(2, 100, { max: 140 }), bid(3, 120, { max: 140, reply: [3, 140] })),
  },
  'a higher maximum pays all of it': {
    invariant: 2,
    message: /reply .*20000.* instead of .*14500/,
    history: plain(bid(2, 100, { max: 140 }), bid(3, 120, { max: 200, reply: [3, 200] })),
  },
  'a higher maximum pays only the lower one': {
    invariant: 2,
    message: /reply .*14000.* instead of .*14500/,
    history: plain(bid(2, 100, { max: 140 }), bid(3, 120, { max: 200, reply: [3, 140] })),
  },
  'a maximum that covers the reserve does not raise the price': {
    invariant: 2,
    message: /reply undefined instead of .*15000/,
    history: reserve(bid(2, 100, { max: 150 })),
  },
  'a maximum below the reserve raises the price to it': {
    invariant: 2,
    message: /reply .*15000.* instead of undefined/,
    history: reserve(bid(2, 100, { max: 149, reply: [2, 150] })),
  },
  'a raised maximum moves the price': {
    invariant: 2,
    message: /reply .*10500.* instead of undefined/,
    history: plain(bid(2, 100, { max: 140 }), raise(2, 104, 200, { reply: [2, 105] })),
  },
  'a raised maximum that covers the reserve does not raise the price': {
    invariant: 2,
    message: /reply undefined instead of .*15000/,
    history: reserve(bid(2, 100, { max: 120 }), raise(2, 104, 200)),
  },
  'the bid of a leader that raises its maximum is dropped': {
    invariant: 2,
    message: /only raises a maximum, although 10500 minor units are a bid/,
    history: plain(bid(2, 100), raise(2, 105, 200)),
  },
  'a bid of the leader lowers its maximum': {
    invariant: 2,
    message: /lowers a maximum to 12000 from 14000/,
    history: plain(bid(2, 100, { max: 140 }), bid(2, 105, { max: 120 })),
  },
  'a bid of the leader below its minimum raises its maximum': {
    invariant: 2,
    message: /offers 10400 minor units instead of at least 10500/,
    history: plain(bid(2, 100), bid(2, 104, { max: 200 })),
  },
  'a maximum is lowered': {
    invariant: 2,
    message: /raises a maximum to 12000 from 14000/,
    history: plain(bid(2, 100, { max: 140 }), raise(2, 104, 120)),
  },
  'a maximum is raised to the same amount': {
    invariant: 2,
    message: /raises a maximum to 14000 from/,
    history: plain(bid(2, 100, { max: 140 }), raise(2, 104, 140)),
  },
  'another bidder raises the maximum of the leader': {
    invariant: 2,
    message: /of a bidder that does not lead/,
    history: plain(bid(2, 100, { max: 140 }), raise(3, 104, 200)),
  },
  'a bid ignores an offer': {
    invariant: 2,
    message: /offers 30000 minor units, although the auction can be bought for 30000/,
    history: buyable(bid(2, 300)),
  },
  'a bid above an unmet reserve ignores an offer': {
    invariant: 2,
    message: /can be bought for 30000/,
    history: all(bid(2, 100), bid(3, 301)),
  },
  'a bid of the leader ignores an offer': {
    invariant: 2,
    message: /can be bought for/,
    history: all(bid(2, 100), bid(2, 300, { max: 400 })),
  },
  'a maximum is below the amount': {
    invariant: 2,
    message: /a maximum below its amount/,
    history: plain(bid(2, 100, { max: 99 })),
  },
  'a state does not count a reply': {
    invariant: 2,
    message: /has the state .*"bidCount":2.* instead of .*"bidCount":3/,
    history: {
      ...duel,
      ledger: duel.ledger.map((entry) => ({ ...entry, state: { ...entry.state, bidCount: entry.sequence } })),
    },
  },
  'a state forgets the maximum of the leader': {
    invariant: 2,
    message: /has the state .* instead of .*"maximumMinor":14000/,
    history: {
      ...duel,
      ledger: duel.ledger.map((entry) => {
        const { maximumMinor: _, ...leader } = entry.state.leader ?? {}
        return { ...entry, state: { ...entry.state, leader } } as typeof entry // The state has a leader before and after.
      }),
    },
  },
  'a state forgets that the end has moved': {
    invariant: 2,
    message: /has the state .* instead of .*"extendedEndMs"/,
    history: {
      ...overtime,
      ledger: overtime.ledger.map((entry) => {
        const { extendedEndMs: _, ...state } = entry.state
        return { ...entry, state } as typeof entry // With the same phase.
      }),
    },
  },
  'a reply has the id of another entry': {
    invariant: 1,
    message: /automatic bid of entry 20 and entry 21 share the id 21/,
    history: {
      ...plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }), bid(3, 130, { reply: [2, 135] })),
      ledger: plain(
        bid(2, 100, { max: 140 }),
        bid(3, 120, { reply: [2, 125] }),
        bid(3, 130, { reply: [2, 135] }),
      ).ledger.map((entry) => (entry.sequence === 3 ? ({ ...entry, id: 21 } as typeof entry) : entry)), // The number is a valid id.
    },
  },
})
