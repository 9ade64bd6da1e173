import { type LedgerEntry, ledgerEntryFields } from '../ledger/entry.ts'
import { StoredCurrency } from '../values/currency.ts'
import type { UserId } from '../values/ids.ts'
import type { AuctionEvent, Repair } from './events.ts'
import type { EntryOf } from './formats/format.ts'
import { type AnyTypes, type FormatName, formatOf, formats } from './formats/formats.ts'
import type { AuctionState } from './state.ts'

/** The fields of an entry of an auction of a format. */
export const entryFieldsOf = (name: FormatName) => ({
  ...ledgerEntryFields,
  currency: StoredCurrency,
  event: formats[name].stored.event,
  state: formats[name].stored.state,
})

/**
 * One entry of an auction's ledger: an event and the state after it. Inserting the entry commits the command. One entry
 * is enough to know who leads, at which price, and whether the auction is over.
 */
export type AuctionEntry<Event extends AuctionEvent = AuctionEvent> = EntryOf<Event, AuctionState>

/** An entry of a ledger of another kind, of whose event and state nothing is known here. */
type EntryOfOtherKind = LedgerEntry & { readonly kind: string }

/**
 * The user whose `listBidderEntries` has the entry: who placed the bid, or bought; with secret bids, `apartOf` the user.
 * Undefined for other entries, and for those of other kinds of ledgers, of whose events and states nothing is known.
 */
export const bidderOf = (given: AuctionEntry | EntryOfOtherKind): UserId | undefined => {
  if (given.kind !== undefined) return undefined
  const entry = given as AuctionEntry // By its kind.
  const format = formatOf(entry.state)
  const actorId = format.actorOf(entry.event)
  if (actorId === undefined || !format.isListed(entry.event)) return undefined
  return format.keepsBidsApart ? apartOf(actorId) : actorId
}

/**
 * The negative id under which stores find the secret bids of a user: in the list of the others, they would take time, which
 * would show how many there are. The cast: no user has a negative id.
 */
export const apartOf = (userId: UserId): UserId => -userId as UserId

/** The bid or the purchase of an entry, as its user receives it. Undefined for other entries. */
export const bidOf = (entry: AuctionEntry): AnyTypes['bid'] | undefined => formatOf(entry.state).requestIn(entry)

/** The bids of an entry, the first one first. */
export const bidsOf = (entry: AuctionEntry): readonly AnyTypes['bid'][] => formatOf(entry.state).bidsIn(entry)

/**
 * A bid of an entry as it is in a later state: withdrawn, or as it was placed.
 * @param standing of the later state, if bids are shown that the service placed
 */
export function bidIn(
  withdrawn: NonNullable<AuctionState['repairs']>['withdrawn'],
  entry: AuctionEntry,
  bid: AnyTypes['bid'],
  standing?: AnyTypes['standing'],
): AnyTypes['bid'] {
  if (withdrawn === undefined) return bid
  const format = formatOf(entry.state)
  const actorId = format.actorOf(entry.event)
  const isWithdrawn = withdrawn.some(
    ({ bidderId, throughSequence }) =>
      entry.sequence <= throughSequence && (bidderId === bid.bidderId || bidderId === actorId),
  )
  const isReplaced = standing !== undefined && format.isReplaced?.(bid, standing) === true
  return isWithdrawn || isReplaced ? { ...bid, isWithdrawn: true } : bid
}

const repairs: readonly string[] = ['extended', 'withdrawn', 'ended-early']

export const isRepairEntry = (entry: AuctionEntry): entry is AuctionEntry<Repair> =>
  repairs.includes(entry.event.type) || formatOf(entry.state).repairs?.includes(entry.event.type) === true
