import { UnreadableStoredError } from '@auction/domain/errors'
import type { Entry, StoredAuction } from '@auction/domain/store'
import { storedVersion } from '@auction/domain/stored'

/** The JSON of an auction: of its description, which lists do not read, and of all fields without a column. */
export function auctionJson(auction: StoredAuction): { readonly data: string; readonly description: string | null } {
  const { id: _, requestKey: __, ownerId: ___, productId: ____, createdAtMs: _____, description, ...rest } = auction
  return {
    data: JSON.stringify({ version: storedVersion, ...rest }),
    description: description === undefined ? null : JSON.stringify(description),
  }
}

/** The JSON of the fields of an entry without a column. */
export const dataOf = ({ currency, event, state }: Entry): string =>
  JSON.stringify({ version: storedVersion, currency, event, state })

type Row = { readonly id: unknown; readonly auctionId?: unknown }

/** @throws UnreadableStoredError that names the row and the column */
export function parseJson(kind: 'auction' | 'entry', { id, auctionId }: Row, column: string, text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    // The error has no cause, which would contain a part of the text and so perhaps a reserve or a maximum.
    const what = auctionId === undefined ? { id } : { id, auctionId }
    throw new UnreadableStoredError(kind, what, `an invalid field ${column}: it is not JSON`)
  }
}
