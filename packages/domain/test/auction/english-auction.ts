/**
 * An English auction as it is held in a hall, to tell what bidding by proxy has to lead to. Everybody who ever bid has told the
 * auctioneer how far to go, and is remembered. The auctioneer calls prices that rise one by one; whoever goes on to the next price
 * keeps a hand up. It is slow, knows nothing of the rules' code, and nothing of what a state remembers.
 */

export type Rules = {
  readonly startingPrice: number
  readonly increment: number
  readonly reserve?: number
  /** Prices stay below it. */
  readonly limit: number
}

type Hand = { readonly bidder: number; readonly ceiling: number }

export type Hall = {
  /** In the order in which they came, and were told how far to go. */
  readonly hands: readonly Hand[]
  readonly leader?: number
  readonly price: number
}

export type Called = {
  readonly hall: Hall
  readonly outcome: 'bid' | 'raised-maximum' | 'too-low' | 'maximum-not-raised'
}

export const emptyHall: Hall = { hands: [], price: 0 }

/** Somebody bids an amount, and would go as far as to a maximum. */
export function call(rules: Rules, hall: Hall, bidder: number, amount: number, maximum?: number): Called {
  const mine = hall.hands.find((hand) => hand.bidder === bidder)
  if (hall.leader === bidder && maximum !== undefined) {
    if (mine === undefined || maximum <= mine.ceiling) return { hall, outcome: 'maximum-not-raised' }
    // In the place where the bidder was: nobody has come between.
    const hands = hall.hands.map((hand) => (hand === mine ? { bidder, ceiling: maximum } : hand))
    return { hall: afterReserve(rules, { ...hall, hands }), outcome: 'raised-maximum' }
  }
  if (amount < leastBid(rules, hall)) return { hall, outcome: 'too-low' }
  const promised = hall.leader === bidder ? Math.max(mine?.ceiling ?? 0, amount) : (maximum ?? amount)
  const hands = [...hall.hands.filter((hand) => hand !== mine), { bidder, ceiling: promised }]
  const { leader, price } = callPrices(rules, hands, hall.price)
  // Nobody pays less than was offered, whatever the others do.
  return {
    hall: afterReserve(rules, { hands, leader, price: leader === bidder ? Math.max(price, amount) : price }),
    outcome: 'bid',
  }
}

/** The least that the auctioneer takes. */
function leastBid({ startingPrice, increment, limit }: Rules, { leader, price }: Hall): number {
  if (leader === undefined) return Math.max(1, startingPrice)
  return price + increment < limit ? price + increment : Number.POSITIVE_INFINITY
}

function callPrices({ increment }: Rules, hands: readonly Hand[], from: number) {
  let price = from
  let up = hands.filter(({ ceiling }) => ceiling >= price)
  if (up.length === 1) return leadsAt(up, price)
  for (;;) {
    const next = up.filter(({ ceiling }) => ceiling >= price + 1)
    if (next.length === 0) return leadsAt(up, price) // All stop at once: whoever came first was first to say this price.
    if (next.length === 1) break
    price += 1
    up = next
  }
  // One is left, and says as much more as the rule asks for, or as there is.
  const winner = up.filter(({ ceiling }) => ceiling > price)
  const goesTo = winner[0]?.ceiling ?? price
  for (let step = 0; step < increment && price < goesTo; step += 1) price += 1
  return leadsAt(winner, price)
}

function leadsAt([first]: readonly Hand[], price: number) {
  if (first === undefined) throw new Error('somebody has just bid')
  return { leader: first.bidder, price }
}

/** The seller bids against the leader up to the reserve, where the leader goes as far. */
function afterReserve({ reserve = 0 }: Rules, hall: Hall): Hall {
  const ceiling = hall.hands.find(({ bidder }) => bidder === hall.leader)?.ceiling ?? 0
  let { price } = hall
  while (price < reserve && reserve <= ceiling) price += 1
  return { ...hall, price }
}
