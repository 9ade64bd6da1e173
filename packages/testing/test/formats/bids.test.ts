import { testBroken } from './broken.ts'
import { all, bid, buyable, overtime, plain, raise, reserve } from './stories.ts'

const duel = plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }))

testBroken([
  ['a maximum does not reply', 2, /reply undefined instead of/, plain(bid(2, 100, { max: 140 }), bid(3, 120))],
  [
    'a maximum replies with one increment too much',
    2,
    /reply .*13000.* instead of .*12500/,
    plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 130] })),
  ],
  [
    'a maximum replies with less than the increment',
    2,
    /reply .*12400.* instead of .*12500/,
    plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 124] })),
  ],
  [
    'a maximum replies with more than itself',
    2,
    /reply .*14500.* instead of .*14000/,
    plain(bid(2, 100, { max: 140 }), bid(3, 140, { reply: [2, 145] })),
  ],
  [
    'a maximum replies for another bidder',
    2,
    /reply .*"bidderId":4.* instead of .*"bidderId":2/,
    plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [4, 125] })),
  ],
  [
    'a leader without a maximum replies',
    2,
    /reply .*12500.* instead of undefined/,
    plain(bid(2, 100), bid(3, 120, { reply: [2, 125] })),
  ],
  [
    'the later of equal maximums leads',
    2,
    /reply .*"bidderId":3.* instead of .*"bidderId":2/,
    plain(bid(2, 100, { max: 140 }), bid(3, 120, { max: 140, reply: [3, 140] })),
  ],
  [
    'a higher maximum pays all of it',
    2,
    /reply .*20000.* instead of .*14500/,
    plain(bid(2, 100, { max: 140 }), bid(3, 120, { max: 200, reply: [3, 200] })),
  ],
  [
    'a higher maximum pays only the lower one',
    2,
    /reply .*14000.* instead of .*14500/,
    plain(bid(2, 100, { max: 140 }), bid(3, 120, { max: 200, reply: [3, 140] })),
  ],
  [
    'a maximum that covers the reserve does not raise the price',
    2,
    /reply undefined instead of .*15000/,
    reserve(bid(2, 100, { max: 150 })),
  ],
  [
    'a maximum below the reserve raises the price to it',
    2,
    /reply .*15000.* instead of undefined/,
    reserve(bid(2, 100, { max: 149, reply: [2, 150] })),
  ],
  [
    'a raised maximum moves the price',
    2,
    /reply .*10500.* instead of undefined/,
    plain(bid(2, 100, { max: 140 }), raise(2, 104, 200, { reply: [2, 105] })),
  ],
  [
    'a raised maximum that covers the reserve does not raise the price',
    2,
    /reply undefined instead of .*15000/,
    reserve(bid(2, 100, { max: 120 }), raise(2, 104, 200)),
  ],
  [
    'the bid of a leader that raises its maximum is dropped',
    2,
    /only raises a maximum, although 10500 minor units are a bid/,
    plain(bid(2, 100), raise(2, 105, 200)),
  ],
  [
    'a bid of the leader lowers its maximum',
    2,
    /lowers a maximum to 12000 from 14000/,
    plain(bid(2, 100, { max: 140 }), bid(2, 105, { max: 120 })),
  ],
  [
    'a bid of the leader below its minimum raises its maximum',
    2,
    /offers 10400 minor units instead of at least 10500/,
    plain(bid(2, 100), bid(2, 104, { max: 200 })),
  ],
  [
    'a maximum is lowered',
    2,
    /raises a maximum to 12000 from 14000/,
    plain(bid(2, 100, { max: 140 }), raise(2, 104, 120)),
  ],
  [
    'a maximum is raised to the same amount',
    2,
    /raises a maximum to 14000 from/,
    plain(bid(2, 100, { max: 140 }), raise(2, 104, 140)),
  ],
  [
    'another bidder raises the maximum of the leader',
    2,
    /of a bidder that does not lead/,
    plain(bid(2, 100, { max: 140 }), raise(3, 104, 200)),
  ],
  [
    'a bid ignores an offer',
    2,
    /offers 30000 minor units, although the auction can be bought for 30000/,
    buyable(bid(2, 300)),
  ],
  ['a bid above an unmet reserve ignores an offer', 2, /can be bought for 30000/, all(bid(2, 100), bid(3, 301))],
  ['a bid of the leader ignores an offer', 2, /can be bought for/, all(bid(2, 100), bid(2, 300, { max: 400 }))],
  ['a maximum is below the amount', 2, /a maximum below its amount/, plain(bid(2, 100, { max: 99 }))],
  [
    'a state does not count a reply',
    2,
    /has the state .*"bidCount":2.* instead of .*"bidCount":3/,
    { ...duel, ledger: duel.ledger.map((each) => ({ ...each, state: { ...each.state, bidCount: each.sequence } })) },
  ],
  [
    'a state forgets the maximum of the leader',
    2,
    /has the state .* instead of .*"maximumMinor":14000/,
    {
      ...duel,
      ledger: duel.ledger.map((each) => {
        const { maximumMinor: _, ...leader } = each.state.leader ?? {}
        return { ...each, state: { ...each.state, leader } } as typeof each // The state has a leader before and after.
      }),
    },
  ],
  [
    'a state forgets that the end has moved',
    2,
    /has the state .* instead of .*"extendedEndMs"/,
    {
      ...overtime,
      ledger: overtime.ledger.map((each) => {
        const { extendedEndMs: _, ...state } = each.state
        return { ...each, state } as typeof each // With the same phase.
      }),
    },
  ],
  [
    'a reply has the id of another entry',
    1,
    /automatic bid of entry 20 and entry 21 share the id 21/,
    {
      ...plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }), bid(3, 130, { reply: [2, 135] })),
      ledger: plain(
        bid(2, 100, { max: 140 }),
        bid(3, 120, { reply: [2, 125] }),
        bid(3, 130, { reply: [2, 135] }),
      ).ledger.map((each) => (each.sequence === 3 ? ({ ...each, id: 21 } as typeof each) : each)), // The number is a valid id.
    },
  ],
])
