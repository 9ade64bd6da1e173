/**
 * An English auction as in an auction hall: a model of the results that proxy bidding must have. Each bidder tells the
 * auctioneer a maximum. The auctioneer calls rising prices one by one; bidders who accept the next price keep a hand
 * up. It is slow, and shares no code with the rules and no data with the state.
 */

export type Rules = {
  readonly startingPrice: number
  readonly increment: number
  /** Higher increments from prices on, by ascending price. */
  readonly steps: readonly { readonly from: number; readonly increment: number }[]
  readonly reserve?: number
  /** All amounts of a ladder, by ascending amount: instead of the increments, from the first of them on. */
  readonly rungs?: readonly number[]
  /** Whether amounts between rungs are refused, and a maximum counts as the rung below it. */
  readonly onlyRungs?: boolean
  /** Prices stay below it. */
  readonly limit: number
}

type Hand = { readonly bidder: number; readonly ceiling: number }

export type Hall = {
  /** Bidders are in the order in which they stated their maximums. */
  readonly hands: readonly Hand[]
  readonly leader?: number
  readonly price: number
}

type Called = {
  readonly hall: Hall
  readonly outcome: 'bid' | 'raised-maximum' | 'too-low' | 'maximum-not-raised' | 'bid-not-on-step'
}

export const emptyHall: Hall = { hands: [], price: 0 }

/** Bids an amount, with an optional maximum. */
export function call(rules: Rules, hall: Hall, bidder: number, amount: number, maximum?: number): Called {
  const mine = hall.hands.find((hand) => hand.bidder === bidder)
  const isBid = amount >= leastBid(rules, hall)
  if (hall.leader === bidder && maximum !== undefined) {
    const change = counted(rules, maximum) - counted(rules, mine?.ceiling ?? 0)
    if (change < 0 || (change === 0 && !isBid)) return { hall, outcome: 'maximum-not-raised' }
  }
  if (hall.leader === bidder && maximum !== undefined && !isBid) {
    // Keeps the position: no other bid has come in between.
    const hands = hall.hands.map((hand) => (hand === mine ? { bidder, ceiling: maximum } : hand))
    return { hall: afterReserve(rules, { ...hall, hands }), outcome: 'raised-maximum' }
  }
  if (!isBid) return { hall, outcome: 'too-low' }
  if (counted(rules, amount) !== amount) return { hall, outcome: 'bid-not-on-step' }
  const promised = maximum ?? Math.max(hall.leader === bidder ? (mine?.ceiling ?? 0) : 0, amount)
  const hands = [...hall.hands.filter((hand) => hand !== mine), { bidder, ceiling: promised }]
  const { leader, price } = callPrices(rules, hands, hall.price)
  // The bidder pays at least the amount that it bids.
  return {
    hall: afterReserve(rules, { hands, leader, price: leader === bidder ? Math.max(price, amount) : price }),
    outcome: 'bid',
  }
}

/** The increment from a price to the next one. */
export const incrementFrom = ({ increment, steps }: Rules, price: number): number =>
  Math.max(increment, ...steps.filter(({ from }) => price >= from).map((step) => step.increment))

/** The price that the auctioneer calls after another one. */
function nextCall(rules: Rules, price: number): number {
  const next = price + incrementFrom(rules, price)
  const [first] = rules.rungs ?? []
  if (first === undefined) return next
  return price < first ? Math.min(next, first) : (rules.rungs?.find((rung) => rung > price) ?? Number.POSITIVE_INFINITY)
}

/** An amount as it counts. */
const counted = ({ rungs = [], onlyRungs = false }: Rules, amount: number): number =>
  onlyRungs ? (rungs.findLast((rung) => rung <= amount) ?? amount) : amount

/** The minimum amount that the auctioneer accepts. */
export function leastBid(rules: Rules, { leader, price }: Hall): number {
  const first = Math.max(1, rules.startingPrice)
  if (leader === undefined) return counted(rules, first) === first ? first : nextCall(rules, first)
  const least = nextCall(rules, price)
  return least < rules.limit ? least : Number.POSITIVE_INFINITY
}

function callPrices(rules: Rules, stated: readonly Hand[], from: number) {
  const hands = stated.map(({ bidder, ceiling }) => ({ bidder, ceiling: counted(rules, ceiling) }))
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
  // One is left, who bids the next call, or as much as the maximum allows.
  const winner = up.filter(({ ceiling }) => ceiling > price)
  return leadsAt(winner, Math.min(nextCall(rules, price), winner[0]?.ceiling ?? price))
}

function leadsAt([first]: readonly Hand[], price: number) {
  if (first === undefined) throw new Error('one hand must be up')
  return { leader: first.bidder, price }
}

/** Raises the price to the reserve, or to the first rung from it on, if the maximum of the leader covers the reserve. */
function afterReserve(rules: Rules, hall: Hall): Hall {
  const { reserve = 0, rungs = [] } = rules
  const ceiling = counted(rules, hall.hands.find(({ bidder }) => bidder === hall.leader)?.ceiling ?? 0)
  if (hall.price >= reserve || reserve > ceiling) return hall
  const isBelowRungs = reserve < (rungs[0] ?? Number.POSITIVE_INFINITY)
  const from = isBelowRungs ? reserve : (rungs.find((rung) => rung >= reserve) ?? ceiling)
  return { ...hall, price: Math.min(from, ceiling) }
}

/** The rows of a ladder: a first amount, and the amounts above it, whose last one is the period in which they repeat. */
export type Rows = readonly (readonly [from: number, ...amounts: readonly number[]])[]

/** All rungs below an end, one by one. */
export function rungsBelow(end: number, rows: Rows): readonly number[] {
  return rows.flatMap(([from, ...amounts], index) => {
    const rowEnd = Math.min(rows[index + 1]?.[0] ?? end, end)
    const rungs = [from]
    for (let base = from; base < rowEnd; base += amounts.at(-1) ?? end)
      rungs.push(...amounts.map((amount) => base + amount))
    return rungs.filter((rung) => rung < rowEnd)
  })
}
