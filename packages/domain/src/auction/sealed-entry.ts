import { isKeyMissing, SealedBidsUnavailableError, type Sealer } from '../sealer.ts'
import type { AuctionEntry } from './entry.ts'
import { formatOf } from './formats/formats.ts'

/** An entry as it is stored. */
export const sealedEntry = (entry: AuctionEntry, sealer: Sealer): AuctionEntry => converted('seal', entry, sealer)

/** A stored entry with all that its event tells. @throws SealedError and KeyMissingError */
export const openedEntry = (entry: AuctionEntry, sealer: Sealer): AuctionEntry => converted('open', entry, sealer)

/**
 * The same for a request, which another process may serve.
 * @throws SealedError, and SealedBidsUnavailableError without the key
 */
export function openedForRequest(entry: AuctionEntry, sealer: Sealer): AuctionEntry {
  try {
    return openedEntry(entry, sealer)
  } catch (cause) {
    if (!isKeyMissing(cause)) throw cause
    throw new SealedBidsUnavailableError(`this process lacks the key of bids of auction ${entry.auctionId}`, { cause })
  }
}

function converted(how: 'seal' | 'open', entry: AuctionEntry, sealer: Sealer): AuctionEntry {
  const { id: entryId, auctionId, event, state } = entry
  const result = formatOf(state)[how]?.(event, { auctionId, entryId }, sealer) ?? event
  return result === event ? entry : { ...entry, event: result }
}
