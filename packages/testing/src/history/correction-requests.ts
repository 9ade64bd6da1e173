import type { Auction, Corrected } from '@auction/domain/auction'
import { type AmountMinor, type Currency, toDecimal, toMinor } from '@auction/domain/money'
import { type CorrectionOf, show } from '../history.ts'
import { problemOfTerms } from './rules.ts'

/** The name of a stored term in requests. */
export const fieldOf = (stored: string): string =>
  stored === 'incrementBasisPoints' ? 'incrementPercent' : stored.replace(/Minor$/, '')

/** A stored term as it is in requests: amounts, by their names, are decimals. */
function sentAs(name: string, value: unknown, currency: Currency): unknown {
  if (name.endsWith('Minor')) return toDecimal(value as AmountMinor, currency)
  if (name === 'incrementBasisPoints') return Number(value) / 100
  if (!Array.isArray(value)) return value
  const items: readonly object[] = value // The steps of increments.
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).map(([key, inner]) => [fieldOf(key), sentAs(key, inner, currency)])),
  )
}

/** The text of a request for a correction. */
export const askedFor = ({ auctionId, editor, requesterId: _, ...correction }: CorrectionOf): string =>
  `auction ${auctionId} by ${editor}: ${show(correction)}`

/** The text of the request that an entry records. */
export function recordedAs({ title, description, metadata, terms, editor }: Corrected, auction: Recorded): string {
  const { id: auctionId, currency } = auction
  const sent = Object.entries(terms?.result ?? {}).map(([name, value]): [string, unknown] => [
    fieldOf(name),
    sentAs(name, value, currency),
  ])
  const values = new Map(sent)
  const named = terms?.fields.map((name) => [name, values.get(name) ?? null]) ?? []
  const correction = { title, description, metadata: metadata?.patch, ...Object.fromEntries(named) }
  return askedFor({ auctionId, editor, ...correction })
}

type Recorded = { readonly id: Auction['id']; readonly currency: Currency }

/** Who corrects an auction. */
export const correctorOf = ({ requesterId }: Pick<CorrectionOf, 'requesterId'>, ownerId: number): 'owner' | 'staff' =>
  requesterId === ownerId ? 'owner' : 'staff'

/** Returns whether a correction names terms, and not only texts or metadata. */
export const changesTerms = ({ auctionId: _, editor: __, requesterId: ___, ...correction }: CorrectionOf): boolean =>
  Object.keys(correction).some((name) => !['title', 'description', 'metadata'].includes(name))

/** Whether an auction with these terms would be invalid after a correction, at any of the possible times. */
export function wouldBeInvalid(auction: Auction, correction: CorrectionOf, latestMs: number): boolean {
  const { auctionId: _, editor: __, requesterId: ___, title, description, metadata, ...given } = correction
  const stored = Object.entries(given).map(([name, value]): [string, unknown] => {
    if (typeof value !== 'number') return [name, value ?? undefined]
    return [`${name}Minor`, toMinor(value, auction.currency)]
  })
  const isInexact = stored.some(([name, value]) => name.endsWith('Minor') && value === undefined)
  const removed = Object.entries(given).flatMap(([name, value]) => (value === null ? [`${name}Minor`, name] : []))
  const terms = Object.entries({ ...auction, ...Object.fromEntries(stored) }).filter(
    ([name]) => !removed.includes(name),
  )
  const { startTime, endTime } = correction
  return (
    isInexact ||
    (startTime !== undefined && latestMs >= auction.startTime.epochMs) ||
    (endTime !== undefined && latestMs >= endTime.epochMs) ||
    problemOfTerms(Object.fromEntries(terms) as Auction) !== undefined // The terms of the auction, with others in their place.
  )
}
