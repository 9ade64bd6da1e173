import type { AuctionLanes, CommonRefusal } from '../auction/auction-ledger.ts'
import type { ExtendRefusal } from '../auction/life-refusals.ts'
import { type Clock, pause } from '../clock.ts'
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

/** Extends those lots that do not include an extension. The ledger of each decides, and has it once. */
export type ExtendLots = (
  saleId: SaleId,
  extension: ListedExtension,
  lots: readonly ExtendedLot[],
  progress: Pick<Progress, 'signal'>,
) => Promise<readonly LotExtended[]>

/** The lots that are extended at the same time. */
const maxAtOnce = 50
/**
 * After each group, a rest as long as it took leaves half of the store's time to bids, up to this limit, which slow
 * stores reach: the whole extension has a deadline.
 */
const longestRestMs = 20

type Parts = { readonly lanes: Pick<AuctionLanes, 'submit'>; readonly clock: Clock }

export function createExtendLots({ lanes, clock }: Parts): ExtendLots {
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
      const startMs = clock.nowMs()
      done.push(...(await Promise.all(group.map((lot) => extendLot(saleId, extension, lot)))))
      if (done.length < open.length) await pause(clock, Math.min(clock.nowMs() - startMs, longestRestMs))
    }
    return done
  }
}
