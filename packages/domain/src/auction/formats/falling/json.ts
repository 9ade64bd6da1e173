import { admittingJson, amountJson, type Reader, resultJson } from '../../../json.ts'
import { isoOf } from '../../../values/moment.ts'
import { toDecimal } from '../../../values/money.ts'
import type { AuctionStatus } from '../../status.ts'
import type { ListedView } from '../../view.ts'
import type { CurrentPrice } from './price.ts'
import type { FallingAuction } from './terms.ts'

type Listed = Omit<FallingAuction, 'description'>

/** An auction without what changes by a purchase and time. */
export const auctionJson = <BidderId extends number>(
  auction: Listed & Pick<FallingAuction, 'description'>,
  status: AuctionStatus,
  reader: Pick<Reader<BidderId>, 'bidder'>,
) => ({
  id: auction.id,
  format: auction.format,
  productId: auction.productId,
  ownerId: auction.ownerId,
  title: auction.title,
  description: auction.description,
  startingPrice: toDecimal(auction.startingPriceMinor, auction.currency),
  falling: {
    decrement: toDecimal(auction.falling.decrementMinor, auction.currency),
    intervalSeconds: auction.falling.intervalSeconds,
    floorPrice: toDecimal(auction.falling.floorPriceMinor, auction.currency),
  },
  minimumBidIncrement: amountJson(auction.minimumBidIncrementMinor, auction.currency),
  currency: auction.currency.code,
  startTime: auction.startTime.iso,
  endTime: auction.endTime.iso,
  cancellableUntilEnd: auction.cancellableUntilEnd,
  ...admittingJson(auction, reader),
  metadata: auction.metadata,
  status,
})

/** The price of a view or of a refusal, and the next one. */
export const priceJson = (
  { currentPriceMinor, nextPriceMinor, nextPriceTime }: CurrentPrice,
  { currency }: Pick<Listed, 'currency'>,
) => ({
  currentPrice: toDecimal(currentPriceMinor, currency),
  nextPrice: amountJson(nextPriceMinor, currency) ?? null,
  nextPriceTime: nextPriceTime?.iso ?? null,
})

type FallingView = CurrentPrice & Omit<ListedView, keyof CurrentPrice | 'auction'> & { readonly auction: Listed }

/** An auction as reads return it. */
export const auctionViewJson = <BidderId extends number>(
  view: FallingView,
  reader: Pick<Reader<BidderId>, 'bidder' | 'pseudonym'>,
) => ({
  ...auctionJson(view.auction, view.status, reader),
  ...priceJson(view, view.auction),
  yourPseudonym: reader.pseudonym?.(view.auction.id),
  effectiveEndTime: view.effectiveEndTime.iso,
  result: view.result === undefined ? null : resultJson(view.result, view.auction, reader),
  createdAt: isoOf(view.auction.createdAtMs),
  endedAt: view.endedAtMs === undefined ? null : isoOf(view.endedAtMs),
  correctedAt: view.correctedAtMs === undefined ? null : isoOf(view.correctedAtMs),
  repairCount: view.repairCount,
})
