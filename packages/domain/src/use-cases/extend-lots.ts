import type { ListedAuction } from '../auction/auction.ts'
import type { AuctionLanes, CommonRefusal } from '../auction/auction-ledger.ts'
import type { ExtendRefusal } from '../auction/life-refusals.ts'
import type { ListedExtension, ListedLot } from '../sale/lot-list.ts'
import { isStoreUnavailable } from '../store/errors.ts'
import { inGroups } from '../values/groups.ts'
import type { AuctionId, SaleId } from '../values/ids.ts'
import { type Moment, momentAt } from '../values/moment.ts'
import { requestKeyOf } from '../values/request-key.ts'
import type { Progress } from './within-deadline.ts'

/** What an extension of the sale did to one lot. Its end, if it was extended. */
export type LotExtended = {
  readonly lot: string
  readonly auctionId: AuctionId
  readonly outcome: 'extended' | (ExtendRefusal | CommonRefusal)['code'] | 'store-unavailable'
  readonly endTime?: Moment
}

type ExtendedLot = Pick<ListedLot, 'lot' | 'auctionId'> & {
  /** The entry of the sale through which its end includes extensions. */
  readonly throughSequence: number
}

/**
 * The lots whose auctions were found. Who stores another one reads the extensions after that, and one that includes the
 * extension must not get it again.
 */
export const withThrough = <Lot extends Pick<ListedLot, 'lot' | 'auctionId'>>(
  lots: readonly Lot[],
  stored: ReadonlyMap<AuctionId, Pick<ListedAuction, 'saleSequence'>>,
): readonly (Lot & ExtendedLot)[] =>
  lots.flatMap((lot) => {
    const auction = stored.get(lot.auctionId)
    return auction === undefined ? [] : [{ ...lot, throughSequence: auction.saleSequence ?? 0 }]
  })

/** Extends those lots that do not include an extension. The ledger of each decides, and has it once. */
export type ExtendLots = (
  saleId: SaleId,
  extension: ListedExtension,
  lots: readonly ExtendedLot[],
  progress: Pick<Progress, 'signal'>,
) => Promise<readonly LotExtended[]>

/** The lots that are extended at the same time. */
const maxAtOnce = 50

export function createExtendLots(lanes: Pick<AuctionLanes, 'submit'>): ExtendLots {
  async function extendLot(saleId: SaleId, extension: ListedExtension, lot: ExtendedLot): Promise<LotExtended> {
    const { sequence, seconds, reason, editor, atMs } = extension
    const { lot: number, auctionId } = lot
    const key = requestKeyOf('extend-lot', { caller: String(saleId), key: `${sequence}/${number}` })
    const command = { type: 'extend', byMs: seconds * 1000, reason, editor } as const
    try {
      const extended = await lanes.submit(auctionId, command, key, atMs)
      if (!extended.ok) return { lot: number, auctionId, outcome: extended.refusal.code }
      return { lot: number, auctionId, outcome: 'extended', endTime: momentAt(extended.value.event.endMs) }
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error
      return { lot: number, auctionId, outcome: 'store-unavailable' }
    }
  }

  return async (saleId, extension, lots, { signal }) => {
    const open = lots.filter(({ throughSequence }) => throughSequence < extension.sequence)
    const done: LotExtended[] = []
    for (const group of inGroups(open, maxAtOnce)) {
      if (signal.aborted) break
      done.push(...(await Promise.all(group.map((lot) => extendLot(saleId, extension, lot)))))
    }
    return done
  }
}
