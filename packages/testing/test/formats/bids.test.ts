import type { Entry } from '@auction/domain/store'
import { testBroken } from './histories.ts'
import { all, bid, buyable, guarded, overtime, plain, raise, reserve, stepped, tenPercent } from './stories.ts'

const duel = plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }))

testBroken(1, /automatic bid of entry 20 and entry 21 share the id 21/, {
  'a reply has the id of another entry': {
    ...plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] }), bid(3, 130, { reply: [2, 135] })),
    ledger: plain(
      bid(2, 100, { max: 140 }),
      bid(3, 120, { reply: [2, 125] }),
      bid(3, 130, { reply: [2, 135] }),
    ).ledger.map((entry) => (entry.sequence === 3 ? ({ ...entry, id: 21 } as typeof entry) : entry)), // The number is a valid id.
  },
})

testBroken(2, /has the reply .* instead of/, {
  'a maximum does not reply': plain(bid(2, 100, { max: 140 }), bid(3, 120)),
  'a maximum replies with one increment too much': plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 130] })),
  'a maximum replies with less than the increment': plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 124] })),
  'a maximum replies with the increment below a step': stepped(
    bid(2, 100, { max: 140 }),
    bid(3, 120, { reply: [2, 125] }),
  ),
  'a maximum replies with the increment of the next step': stepped(
    bid(2, 100, { max: 140 }),
    bid(3, 119, { reply: [2, 129] }),
  ),
  'a maximum replies without its percentage': tenPercent(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [2, 125] })),
  'a maximum replies with more than itself': plain(bid(2, 100, { max: 140 }), bid(3, 140, { reply: [2, 145] })),
  'a maximum replies for another bidder': plain(bid(2, 100, { max: 140 }), bid(3, 120, { reply: [4, 125] })),
  'a leader without a maximum replies': plain(bid(2, 100), bid(3, 120, { reply: [2, 125] })),
  'the later of equal maximums leads': plain(bid(2, 100, { max: 140 }), bid(3, 120, { max: 140, reply: [3, 140] })),
  'a higher maximum pays all of it': plain(bid(2, 100, { max: 140 }), bid(3, 120, { max: 200, reply: [3, 200] })),
  'a higher maximum pays only the lower one': plain(
    bid(2, 100, { max: 140 }),
    bid(3, 120, { max: 200, reply: [3, 140] }),
  ),
  'a maximum that covers the reserve does not raise the price': reserve(bid(2, 100, { max: 150 })),
  'a maximum below the reserve raises the price to it': reserve(bid(2, 100, { max: 149, reply: [2, 150] })),
  'a raised maximum moves the price': plain(bid(2, 100, { max: 140 }), raise(2, 104, 200, { reply: [2, 105] })),
  'a raised maximum that covers the reserve does not raise the price': reserve(
    bid(2, 100, { max: 120 }),
    raise(2, 104, 200),
  ),
})

testBroken(2, /although that is/, {
  'a bid is below the increment of its step': stepped(bid(2, 120), bid(3, 129)),
  'a bid is below its percentage': tenPercent(bid(2, 120), bid(3, 131)),
  'a bid is above the maximum increment': guarded(bid(2, 151)),
  'a bid of the leader lowers its maximum': plain(bid(2, 100, { max: 140 }), bid(2, 105, { max: 120 })),
  'a maximum is lowered': plain(bid(2, 100, { max: 140 }), raise(2, 104, 120)),
  'a maximum is raised to the same amount': plain(bid(2, 100, { max: 140 }), raise(2, 104, 140)),
  'a bid ignores an offer': buyable(bid(2, 300)),
  'a bid above an unmet reserve ignores an offer': all(bid(2, 100), bid(3, 301)),
  'a bid of the leader ignores an offer': all(bid(2, 100), bid(2, 300, { max: 400 })),
})

testBroken(2, /instead of (bid-placed|maximum-raised)/, {
  'the bid of a leader that raises its maximum is dropped': plain(bid(2, 100), raise(2, 105, 200)),
  'a bid of the leader below its minimum raises its maximum': plain(bid(2, 100), bid(2, 104, { max: 200 })),
  'another bidder raises the maximum of the leader': plain(bid(2, 100, { max: 140 }), raise(3, 104, 200)),
})

testBroken(2, /a maximum below its amount/, {
  'a maximum is below the amount': plain(bid(2, 100, { max: 99 })),
})

testBroken(2, /has the state/, {
  'a state does not count a reply': {
    ...duel,
    // The cast: all entries are of an English auction.
    ledger: duel.ledger.map((entry) => ({ ...entry, state: { ...entry.state, bidCount: entry.sequence } }) as Entry),
  },
  'a state forgets the maximum of the leader': {
    ...duel,
    ledger: duel.ledger.map((entry) => {
      const { maximumMinor: _, ...leader } = entry.state.leader ?? {}
      return { ...entry, state: { ...entry.state, leader } } as typeof entry // The state has a leader before and after.
    }),
  },
  'a state forgets that the end has moved': {
    ...overtime,
    ledger: overtime.ledger.map((entry) => {
      const { extendedEndMs: _, ...state } = entry.state
      return { ...entry, state } as typeof entry // With the same phase.
    }),
  },
})
