import type { Bought, ReserveLowered } from '@auction/domain/auction'
import { show } from '../../../history.ts'
import type { Finding } from '../format.ts'
import { afterLowering, type BidEntry, expectedBid, standingAt } from './bids.ts'
import { isOffered, judge } from './prices.ts'
import { hasOwnersRepair, isLowering } from './terms.ts'
import type { Before, EnglishAuction, EnglishEntry } from './types.ts'

export function findingsOf(auction: EnglishAuction, before: Before, entry: EnglishEntry): readonly Finding[] {
  const { event } = entry
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised':
      return findingsOfBid(auction, before, { ...entry, event })
    case 'bought':
      return findingsOfPurchase(auction, before, event)
    case 'reserve-lowered':
      return findingsOfLowering(auction, before, event)
    default:
      return event satisfies never
  }
}

function findingsOfBid(auction: EnglishAuction, before: Before, entry: BidEntry): Finding[] {
  const { type, maximumMinor, amountMinor, automatic, extendedEndMs } = entry.event
  const { reply, movedMs } = expectedBid(auction, entry, before)
  const offered = judge(auction, before, entry.event)
  const expectedType = offered.isBid ? 'bid-placed' : 'maximum-raised'
  return [
    ...offered.faults.map((code) => [2, `offers ${amountMinor} minor units, although that is ${code}`] as const),
    type !== expectedType && [2, `is ${type} instead of ${expectedType}`],
    maximumMinor !== undefined && maximumMinor < amountMinor && [2, 'has a maximum below its amount'],
    wrongReply(automatic, reply),
    extendedEndMs !== movedMs && [3, `moves the end to ${extendedEndMs} instead of ${movedMs}`],
  ]
}

const wrongReply = (automatic: object | undefined, reply: object | undefined): Finding =>
  show(automatic) !== show(reply) && [2, `has the reply ${show(automatic)} instead of ${show(reply)}`]

const findingsOfPurchase = (auction: EnglishAuction, before: Before, { priceMinor }: Bought): Finding[] => [
  isOffered(auction, before) !== true && [6, 'is a purchase without an offer'],
  priceMinor !== auction.buyNowPriceMinor && [
    6,
    `is a purchase for ${priceMinor} instead of ${auction.buyNowPriceMinor}`,
  ],
]

function findingsOfLowering(
  auction: EnglishAuction,
  before: Before,
  { by, reason, reservePriceMinor, automatic }: ReserveLowered,
): Finding[] {
  const present = standingAt(before)
  const { leader, bidCount } = afterLowering(auction, undefined, reservePriceMinor, present)
  const reply =
    bidCount > present.bidCount ? { bidderId: leader?.bidderId, amountMinor: leader?.amountMinor } : undefined
  return [
    by === 'owner' && hasOwnersRepair(before) && [6, 'lowers the reserve again for its owner'],
    by === 'staff' && reason === undefined && [6, 'lowers the reserve for staff without a reason'],
    !isLowering(auction, reservePriceMinor) && [
      6,
      `lowers the reserve to ${reservePriceMinor} from ${auction.reservePriceMinor}`,
    ],
    wrongReply(automatic, reply),
  ]
}
