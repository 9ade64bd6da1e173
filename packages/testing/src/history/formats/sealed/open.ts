import { toAmountMinor } from '@auction/domain/money'
import type { History, Violation } from '../../../history.ts'
import { isOwn } from '../format.ts'

/** The ledger with the amounts of its sealed bids. One that does not open is that of another bid, or damaged (2). */
export function openedLedger({ ledger, sealer }: History) {
  const violations: Violation[] = []
  const opened = ledger.map((entry) => {
    if (!isOwn(entry) || !('sealed' in entry.event)) return entry
    if (sealer === undefined) throw new Error('a history with sealed bids needs a sealer, which opens them')
    const { id: entryId, auctionId, event } = entry
    const { key, sealed, ...others } = event
    const { bidderId } = others
    try {
      const amountMinor = sealer.open({ key, sealed }, { auctionId, entryId, bidderId })
      return { ...entry, event: { ...others, amountMinor } }
    } catch (error) {
      violations.push({ invariant: 2, message: `entry ${entryId} of auction ${auctionId} does not open: ${error}` })
      return { ...entry, event: { ...others, amountMinor: toAmountMinor(0) } }
    }
  })
  return { ledger: opened, violations }
}
