import type { Sealer } from '../sealer.ts'
import type { AuctionEntry } from './entry.ts'
import { formatOf } from './formats/formats.ts'

/** An entry as it is stored. */
export const sealedEntry = (entry: AuctionEntry, sealer: Sealer): AuctionEntry => converted('seal', entry, sealer)

/** A stored entry with all that its event tells. @throws SealedError and KeyMissingError */
export const openedEntry = (entry: AuctionEntry, sealer: Sealer): AuctionEntry => converted('open', entry, sealer)

function converted(how: 'seal' | 'open', entry: AuctionEntry, sealer: Sealer): AuctionEntry {
  const { id: entryId, auctionId, event, state } = entry
  const result = formatOf(state)[how]?.(event, { auctionId, entryId }, sealer) ?? event
  return result === event ? entry : { ...entry, event: result }
}
