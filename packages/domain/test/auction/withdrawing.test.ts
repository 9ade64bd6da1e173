import { describe, expect, test } from 'vitest'
import { after, bid, buy, cancel, correct, endMs, eventOf, expectRule, type Rule, termsWith, withdraw } from './play.ts'

const bids = [bid(2, 100), bid(3, 120)]
const { leader } = after(termsWith(), bid(2, 100))
const left = withdraw(3, { leader, bidCount: 1 })
const blocked = { ...withdraw(2), isBlocked: true } as const
/** Of a user without bids. */
const plain = { ...withdraw(2), without: undefined } as const
const blocks = { ...plain, isBlocked: true } as const
const unblocks = { ...plain, isBlocked: false } as const
/** Of a user with bids. */
const frees = { ...withdraw(2), isBlocked: false } as const

describe('a withdrawal', () => {
  test.each<Rule>([
    { title: 'is accepted after bids', after: bids, command: left, code: 'accepted' },
    { title: 'is accepted after the end', after: bids, command: left, clockMs: endMs, code: 'accepted' },
    {
      title: 'is refused without bids of the bidder',
      ...{ command: { ...left, without: undefined }, code: 'no-bids-of-bidder' },
    },
    { title: 'lets the bidder bid again', after: [bid(2, 100), withdraw(2)], command: bid(2, 100), code: 'accepted' },
    { title: 'blocks the bidder', after: [bid(2, 100), blocked], command: bid(2, 100), code: 'bidder-blocked' },
    {
      title: 'blocks the buyer',
      ...{
        terms: termsWith({ buyNowPriceMinor: 500 }),
        after: [bid(2, 100), blocked],
        command: buy(2),
        code: 'bidder-blocked',
      },
    },
    { title: 'blocks a user without bids', after: [blocks], command: bid(2, 100), code: 'bidder-blocked' },
    { title: 'unblocks', after: [blocks, unblocks], command: bid(2, 100), code: 'accepted' },
    { title: 'unblocks after bids', after: [bid(2, 100), blocked, unblocks], command: bid(2, 100), code: 'accepted' },
    { title: 'unblocks no user who is not blocked', command: unblocks, code: 'no-bids-of-bidder' },
    { title: 'unblocks no bidder who is not blocked', after: bids, command: frees, code: 'no-bids-of-bidder' },
    { title: 'blocks no blocked user', after: [blocks], command: blocks, code: 'no-bids-of-bidder' },
    { title: 'alone unblocks no user', after: [blocks], command: plain, code: 'no-bids-of-bidder' },
    {
      title: 'of nothing lets terms be corrected',
      ...{ after: [blocks], command: correct({ startingPrice: 50 }), code: 'accepted' },
    },
    { title: 'of nothing lets the owner cancel', after: [blocks], command: cancel(), code: 'accepted' },
    {
      title: 'of nothing keeps an auction with bids',
      ...{ after: [bid(3, 100), blocks, withdraw(3)], command: correct(), code: 'auction-has-bids' },
    },
    { title: 'blocks no other bidder', after: [bid(2, 100), blocked], command: bid(3, 100), code: 'accepted' },
    { title: 'keeps the terms', after: [bid(2, 100), withdraw(2)], command: correct(), code: 'auction-has-bids' },
    { title: 'keeps the auction', after: [bid(2, 100), withdraw(2)], command: cancel(), code: 'auction-has-bids' },
  ])('$title', expectRule)

  test('of a user without bids keeps the leader and the number of bids', () => {
    const state = after(termsWith(), ...bids, blocks)
    expect(eventOf(termsWith(), ...bids, blocks)).toMatchObject({ leader: state.leader, bidCount: 2, isBlocked: true })
    expect(state).toMatchObject({ bidCount: 2, leader: { bidderId: 3, amountMinor: 120 } })
    const freed = eventOf(termsWith(), ...bids, blocks, unblocks)
    expect(freed).toMatchObject({ isUnblocked: true })
    expect(freed).not.toHaveProperty('isBlocked')
  })

  test('replaces the leader and the number of bids, and keeps whose bids do not count', () => {
    const state = after(termsWith(), ...bids, left)
    expect(state).toMatchObject({ leader, bidCount: 1 })
    expect(state.repairs).toStrictEqual({ entryIds: [30], withdrawn: [{ bidderId: 3, throughSequence: 2 }] })
    const again = after(termsWith(), ...bids, left, bid(3, 120), left, {
      ...blocked,
      without: { leader: null, bidCount: 0 },
    })
    expect(again.repairs?.withdrawn).toStrictEqual([
      { bidderId: 3, throughSequence: 4 },
      { bidderId: 2, throughSequence: 5, isBlocked: true },
    ])
  })
})
