/**
 * An English auction as in an auction hall: a model of the results that proxy bidding must have. Each bidder tells the
 * auctioneer a maximum. The auctioneer calls rising prices one by one; bidders who accept the next price keep a hand
 * up. It is slow, and shares no code with the rules and no data with the state.
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
  /** In the order in which they stated their maximums. */
  readonly hands: readonly Hand[]
  readonly leader?: number
  readonly price: number
}

export type Called = {
  readonly hall: Hall
  readonly outcome: 'bid' | 'raised-maximum' | 'too-low' | 'maximum-not-raised'
}

export const emptyHall: Hall = { hands: [], price: 0 }

/** Bids an amount, with an optional maximum. */
export function call(rules: Rules, hall: Hall, bidder: number, amount: number, maximum?: number): Called {
  const mine = hall.hands.find((hand) => hand.bidder === bidder)
  const isBid = amount >= leastBid(rules, hall)
  if (hall.leader === bidder && maximum !== undefined) {
    const change = maximum - (mine?.ceiling ?? 0)
    if (change < 0 || (change === 0 && !isBid)) return { hall, outcome: 'maximum-not-raised' }
  }
  if (hall.leader === bidder && maximum !== undefined && !isBid) {
    // Keeps the position: no other bid has come in between.
    const hands = hall.hands.map((hand) => (hand === mine ? { bidder, ceiling: maximum } : hand))
    return { hall: afterReserve(rules, { ...hall, hands }), outcome: 'raised-maximum' }
  }
  if (!isBid) return { hall, outcome: 'too-low' }
  const promised = maximum ?? Math.max(hall.leader === bidder ? (mine?.ceiling ?? 0) : 0, amount)
  const hands = [...hall.hands.filter((hand) => hand !== mine), { bidder, ceiling: promised }]
  const { leader, price } = callPrices(rules, hands, hall.price)
  // The bidder pays at least the amount that it bids.
  return {
    hall: afterReserve(rules, { hands, leader, price: leader === bidder ? Math.max(price, amount) : price }),
    outcome: 'bid',
  }
}

/** The minimum amount that the auctioneer accepts. */
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
    if (next.length === 0) return leadsAt(up, price) // All stop together: the earliest bidder was the first to accept this price.
    if (next.length === 1) break
    price += 1
    up = next
  }
  // One is left, who adds the increment, or as much as the maximum allows.
  const winner = up.filter(({ ceiling }) => ceiling > price)
  const goesTo = winner[0]?.ceiling ?? price
  for (let step = 0; step < increment && price < goesTo; step += 1) price += 1
  return leadsAt(winner, price)
}

function leadsAt([first]: readonly Hand[], price: number) {
  if (first === undefined) throw new Error('one hand must be up')
  return { leader: first.bidder, price }
}

/** Raises the price to the reserve if the maximum of the leader covers it. */
function afterReserve({ reserve = 0 }: Rules, hall: Hall): Hall {
  const ceiling = hall.hands.find(({ bidder }) => bidder === hall.leader)?.ceiling ?? 0
  let { price } = hall
  while (price < reserve && reserve <= ceiling) price += 1
  return { ...hall, price }
}
