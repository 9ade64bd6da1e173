import { type BidId, bidIdOf, type UserId } from '../../../values/ids.ts'
import type { AmountMinor } from '../../../values/money.ts'
import { paddleOf } from '../../admission.ts'
import type { EntryOf, Tally } from '../format.ts'
import type { SealedEvent, SealedState } from './state.ts'

/** The bid of a bidder that counts: the last one. */
export type CountedBid = {
  readonly bidId: BidId
  readonly bidderId: UserId
  readonly amountMinor: AmountMinor
  /** The sequence of the bid with which the bidder reached the amount. The same amount again keeps it. */
  readonly sinceSequence: number
  readonly paddle?: string
}

type Entry = Pick<EntryOf<SealedEvent, SealedState>, 'id' | 'sequence' | 'event'>

/** The bids that count, by bidder. Its size is limited by the number of bidders. */
export type SealedTally = Tally<Entry> & { readonly bids: ReadonlyMap<UserId, CountedBid> }

/** A tally of the opened entries of one ledger, which follow one another without a gap. */
export function createTally(): SealedTally {
  const bids = new Map<UserId, CountedBid>()
  let through = 0
  return {
    bids,
    get sequence() {
      return through
    },
    add({ id, sequence, event }) {
      if (sequence !== through + 1) throw new Error(`entry ${sequence} does not follow entry ${through}`)
      through = sequence
      if (event.type === 'sealed-withdrawal' || event.type === 'withdrawn') bids.delete(event.bidderId)
      if (event.type !== 'sealed-bid') return
      if (!('amountMinor' in event)) throw new Error(`the bid of entry ${id} is not opened`)
      const { bidderId, amountMinor } = event
      const before = bids.get(bidderId)
      const sinceSequence = before?.amountMinor === amountMinor ? before.sinceSequence : sequence
      bids.set(bidderId, { bidId: bidIdOf(id), bidderId, amountMinor, sinceSequence, ...paddleOf(event) })
    },
    hasBids: (bidderId) => bids.has(bidderId),
  }
}
