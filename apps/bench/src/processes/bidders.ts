export const processCount = 2
const biddersPerAuction = 4

/** Whether all bids on an auction go to one process, or a part of its bidders to each. */
export const ways = ['sticky', 'spread'] as const
export type Way = (typeof ways)[number]

/** The bidders at one process, counted from 0, by the auction that each of them bids on; auctions are counted from 1. */
export function biddersAt(process: number, hotCount: number, way: Way): readonly number[] {
  const auctions = Array.from({ length: hotCount }, (_, index) => index + 1)
  const served = way === 'spread' ? auctions : auctions.filter((auction) => (auction - 1) % processCount === process)
  const bidders = way === 'spread' ? biddersPerAuction / processCount : biddersPerAuction
  return served.flatMap((auction) => Array.from({ length: bidders }, () => auction))
}
