import type { ListedAuction } from '../auction/auction.ts'
import type { AuctionLanes, CommonRefusal } from '../auction/auction-ledger.ts'
import type { ExtendRefusal } from '../auction/life-refusals.ts'
import { type Clock, pause } from '../clock.ts'
import type { ListedExtension, ListedLot } from '../sale/lot-list.ts'
import { isStoreUnavailable } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { inGroups } from '../values/groups.ts'
import type { AuctionId, SaleId } from '../values/ids.ts'
import { type Moment, momentAt } from '../values/moment.ts'
import { requestKeyOf } from '../values/request-key.ts'
import type { Progress } from './within-deadline.ts'

/** The outcomes of an extension for one lot. One that is `lot-unfinished` has no auction yet, and gets it with that. */
export const lotExtensionOutcomes = [
  'extended',
  'auction-ended',
  'auction-cancelled',
  'too-many-repairs',
  'end-not-in-future',
  'lot-unfinished',
  'idempotency-key-reused',
  'overloaded',
  'store-unavailable',
] as const

/** What an extension of the sale did to one lot. Its end, if it was extended. */
export type LotExtended = {
  readonly lot: string
  readonly auctionId: AuctionId
  readonly outcome: (typeof lotExtensionOutcomes)[number]
  readonly endTime?: Moment
}

function outcomeOf({ code }: ExtendRefusal | CommonRefusal): LotExtended['outcome'] {
  if (code === 'auction-not-found') return 'lot-unfinished'
  // The rules of an extension by a time have no other error.
  return code === 'validation-failed' ? 'end-not-in-future' : code
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

/**
 * Extends those lots that do not include an extension. The ledger of each decides, and has it once.
 * @param mayHave whether lots may have it already: one read finds those, which is cheaper than an append of each
 */
export type ExtendLots = (
  saleId: SaleId,
  extension: ListedExtension,
  lots: readonly ExtendedLot[],
  progress: Pick<Progress, 'signal'>,
  mayHave: boolean,
) => Promise<readonly LotExtended[]>

/** The lots that are extended at the same time. */
const maxAtOnce = 50
/**
 * After each group, a rest as long as it took leaves half of the store's time to bids, up to this limit, which slow
 * stores reach: the whole extension has a deadline.
 */
const longestRestMs = 20

type Parts = {
  readonly lanes: Pick<AuctionLanes, 'submit'>
  readonly store: Pick<Store, 'findEntriesByKey'>
  readonly clock: Clock
}

export function createExtendLots({ lanes, store, clock }: Parts): ExtendLots {
  const keyOf = (saleId: SaleId, { sequence }: ListedExtension, { lot }: ExtendedLot) =>
    requestKeyOf('extend-lot', { caller: String(saleId), key: `${sequence}/${lot}` })

  async function extendLot(saleId: SaleId, extension: ListedExtension, lot: ExtendedLot): Promise<LotExtended> {
    const { seconds, reason, editor, atMs } = extension
    const { lot: number, auctionId } = lot
    const key = keyOf(saleId, extension, lot)
    const command = { type: 'extend', byMs: seconds * 1000, reason, editor } as const
    try {
      const extended = await lanes.submit(auctionId, command, key, atMs)
      if (!extended.ok) return { lot: number, auctionId, outcome: outcomeOf(extended.refusal) }
      return { lot: number, auctionId, outcome: 'extended', endTime: momentAt(extended.value.event.endMs) }
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error
      return { lot: number, auctionId, outcome: 'store-unavailable' }
    }
  }

  return async (saleId, extension, lots, { signal }, mayHave) => {
    const open = lots.filter(({ throughSequence }) => throughSequence < extension.sequence)
    const done: LotExtended[] = []
    for (const group of inGroups(open, maxAtOnce)) {
      if (signal.aborted) break
      const startMs = clock.nowMs()
      const keys = mayHave ? group.map((lot) => keyOf(saleId, extension, lot)) : []
      const found = await store.findEntriesByKey(keys, { auctionIds: group.map(({ auctionId }) => auctionId), signal })
      const endOf = new Map(
        found.map(({ auctionId, event }) => [auctionId, event.type === 'extended' ? event.endMs : undefined]),
      )
      const extended = group.map((lot) => {
        const endMs = endOf.get(lot.auctionId)
        if (endMs === undefined) return extendLot(saleId, extension, lot)
        return { lot: lot.lot, auctionId: lot.auctionId, outcome: 'extended' as const, endTime: momentAt(endMs) }
      })
      done.push(...(await Promise.all(extended)))
      if (done.length < open.length) await pause(clock, Math.min(clock.nowMs() - startMs, longestRestMs))
    }
    return done
  }
}
