import {
  type LotAdded,
  type LotCancelled,
  type LotExtended,
  lotExtensionOutcomes,
  type Sale,
  type SaleView,
  saleStatuses,
} from '@auction/domain'
import { AuctionId, RegisterId, SaleId } from '@auction/domain/ids'
import { isoOf, MomentText } from '@auction/domain/moment'
import { NewSaleFields } from '@auction/domain/parsing'
import { described, integerFrom } from '@auction/host/responses'
import * as v from 'valibot'
import type { Viewer } from '../callers/caller.ts'
import { asRead, type Resource } from './resources.ts'

const { title, currency, startTime, firstEndTime, intervalSeconds, metadata } = asRead(NewSaleFields.entries)

const Defaults = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>((input) => typeof input === 'object'),
  v.metadata({ type: 'object' }),
  v.description(
    'The fields that lots have unless they have their own. Only with `Sales.Manage`, and a reserve only with `Auctions.Reserve.Read`.',
  ),
)

/** A sale. It never changes, but for its lots and extensions. */
export const SaleResource = v.object({
  id: described(SaleId, 'Assigned by the service.'),
  ...{ title, currency, startTime, firstEndTime, intervalSeconds },
  lotsPerInterval: integerFrom(1, 'How many lots end at the same time.'),
  register: v.optional(
    described(
      v.object({ id: RegisterId, admits: v.picklist(['listed', 'everyone']) }),
      'The register of all lots, and whether it admits those that it lists, or everyone whom it does not refuse.',
    ),
  ),
  lotDefaults: v.optional(Defaults),
  metadata,
  createdAt: described(MomentText, 'When the sale was created, in UTC.'),
})

function defaultsIn(json: string, permissions: Viewer['permissions']): Resource<typeof SaleResource>['lotDefaults'] {
  const { reservePrice, ...others } = JSON.parse(json)
  return permissions.has('Auctions.Reserve.Read') && reservePrice !== undefined ? { reservePrice, ...others } : others
}

export const saleResource = (
  sale: Sale,
  { permissions }: Pick<Viewer, 'permissions'>,
): Resource<typeof SaleResource> => ({
  id: sale.id,
  title: sale.title,
  currency: sale.currency.code,
  startTime: sale.startTime.iso,
  firstEndTime: sale.firstEndTime.iso,
  intervalSeconds: sale.intervalSeconds,
  lotsPerInterval: sale.lotsPerInterval,
  register: sale.registerId && sale.registerAdmits && { id: sale.registerId, admits: sale.registerAdmits },
  lotDefaults:
    sale.lotDefaults && permissions.has('Sales.Manage') ? defaultsIn(sale.lotDefaults, permissions) : undefined,
  metadata: sale.metadata,
  createdAt: isoOf(sale.createdAtMs),
})

const SaleExtensionResource = v.object({
  seconds: integerFrom(1, 'By how much every lot without a result ends later.'),
  reason: v.string(),
  timestamp: described(MomentText, 'When the sale was extended, in UTC.'),
})

export const saleExtension = ({
  seconds,
  reason,
  atMs,
}: SaleView['extensions'][number]): Resource<typeof SaleExtensionResource> => ({
  seconds,
  reason,
  timestamp: isoOf(atMs),
})

const count = (what: string) => integerFrom(0, `The number of lots ${what}.`)

export const SaleViewResource = v.object({
  ...SaleResource.entries,
  status: described(
    v.picklist(saleStatuses),
    '`Pending` before the start or without lots, `Ended` when each lot has a result, else `Active`.',
  ),
  extendedSeconds: integerFrom(0, 'The sum of the extensions of the sale.'),
  extensions: described(v.array(SaleExtensionResource), 'The extensions of the sale, oldest first.'),
  counts: v.object({
    lots: count('in all'),
    open: count('without a result'),
    sold: count('that are sold to the highest bidder'),
    bought: count('that were bought at once'),
    unsold: count('without a buyer'),
    cancelled: count('that were cancelled'),
  }),
  total: described(
    v.number(),
    'The sum of the prices of the lots that are sold or bought; rounded above 2^53 minor units of the currency.',
  ),
})

/** The nearest number of an exact decimal. */
const decimalOf = (minor: bigint, exponent: number): number => Number(`${minor}e-${exponent}`)

export const saleViewResource = (
  { sale, status, extendedSeconds, extensions, counts, totalMinor }: SaleView,
  viewer: Viewer,
): Resource<typeof SaleViewResource> => ({
  ...saleResource(sale, viewer),
  status,
  extendedSeconds,
  extensions: extensions.map(saleExtension),
  counts,
  total: decimalOf(totalMinor, sale.currency.exponent),
})

const lot = described(v.string(), 'The number of the lot.')

export const LotAddedResource = v.object({
  lot,
  auctionId: v.optional(described(AuctionId, 'Its auction. Absent for a new lot with `check`.')),
  endTime: described(MomentText, 'The end at the creation of the lot, in UTC.'),
})

export const lotAddedResource = ({ lot, auctionId, endTime }: LotAdded): Resource<typeof LotAddedResource> => ({
  lot,
  auctionId,
  endTime: endTime.iso,
})

export const LotExtendedResource = v.object({
  lot,
  auctionId: AuctionId,
  outcome: described(
    v.picklist(lotExtensionOutcomes),
    '`extended`, or why not: the code of a problem; `end-not-in-future` for a lot whose end would still have passed, or `lot-unfinished` for one whose auction is not stored yet, which gets the extension with it.',
  ),
  endTime: v.optional(described(MomentText, 'The end after the extension, in UTC, if it was extended.')),
})

export const lotExtendedResource = (extended: LotExtended): Resource<typeof LotExtendedResource> => ({
  lot: extended.lot,
  auctionId: extended.auctionId,
  outcome: extended.outcome,
  endTime: extended.endTime?.iso,
})

export const LotCancelledResource = v.object({
  lot,
  auctionId: v.optional(described(AuctionId, 'Its auction. Absent if the sale has no such lot.')),
  outcome: described(
    v.string(),
    '`cancelled`, or why not: the code of a problem; `lot-not-found` for a number that the sale does not have, or `lot-unfinished` for a lot whose auction is not stored yet.',
  ),
})

export const lotCancelledResource = ({
  lot,
  auctionId,
  outcome,
}: LotCancelled): Resource<typeof LotCancelledResource> => ({ lot, auctionId, outcome })
