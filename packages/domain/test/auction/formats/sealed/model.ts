import type { Request, SealedSample } from './play.ts'

// The result by the words of the rules, without a tally: each bid is compared with all other entries.

const amountOf = ([, request]: Request): number | undefined => (typeof request === 'number' ? request : undefined)

/** Whether no later entry of the bidder replaces or withdraws the bid. */
const counts = (requests: readonly Request[], index: number): boolean =>
  requests.every(([bidder], later) => later <= index || bidder !== requests[index]?.[0])

/** The index of the bid from which on all entries of the bidder, up to a bid, are bids of its amount. */
const since = (requests: readonly Request[], index: number): number => {
  const [bidder, amount] = requests[index] ?? []
  const other = requests.findLastIndex(([by, request], at) => at < index && by === bidder && request !== amount)
  return requests.findIndex(([by], at) => at > other && by === bidder)
}

export function expectedResult(
  { pricing, startingPriceMinor = 100, reservePriceMinor = 0 }: SealedSample,
  requests: readonly Request[],
): object {
  const bids = requests.flatMap((request, index) => {
    const amount = amountOf(request)
    return amount === undefined || !counts(requests, index) ? [] : [{ index, amount, bidder: request[0] }]
  })
  const bidderCount = bids.length
  const winner = bids.find((bid) =>
    bids.every(
      (other) =>
        other === bid ||
        bid.amount > other.amount ||
        (bid.amount === other.amount && since(requests, bid.index) < since(requests, other.index)),
    ),
  )
  if (winner === undefined) return { outcome: 'unsold', reason: 'no-bids', bidderCount }
  const leastMinor = Math.max(startingPriceMinor, reservePriceMinor)
  if (winner.amount < leastMinor) return { outcome: 'unsold', reason: 'reserve-not-met', bidderCount }
  const others = bids.filter(({ bidder }) => bidder !== winner.bidder).map(({ amount }) => amount)
  const priceMinor = pricing === 'second' ? Math.max(leastMinor, ...others) : winner.amount
  return { outcome: 'sold', bidId: (winner.index + 1) * 10, winnerId: winner.bidder, priceMinor, bidderCount }
}
