import type { Auction, Corrected } from '@auction/domain/auction'
import { type AmountMinor, type Currency, toDecimal, toMinor } from '@auction/domain/money'
import type { AuctionEntry } from '@auction/domain/store'
import { type CorrectionOf, show } from '../history.ts'
import type { Format } from './formats/format.ts'
import { formatOf } from './formats/formats.ts'
import { problemOfTerms } from './rules.ts'

/** The name of a stored term in requests. */
export const fieldOf = ({ renamed }: Format, stored: string): string =>
  renamed?.[stored]?.field ?? stored.replace(/Minor$/, '')

/** A stored term as it is in requests: amounts, by their names, are decimals. */
function sentAs(format: Format, name: string, value: unknown, currency: Currency): unknown {
  const renamed = format.renamed?.[name]
  if (renamed !== undefined) return renamed.toField(value)
  if (name.endsWith('Minor')) return toDecimal(value as AmountMinor, currency)
  if (typeof value !== 'object' || value === null) return value
  const inObject = (item: object) =>
    Object.fromEntries(
      Object.entries(item).map(([key, inner]) => [fieldOf(format, key), sentAs(format, key, inner, currency)]),
    )
  return Array.isArray(value) ? value.map(inObject) : inObject(value)
}

/** The text of a request for a correction. */
export const askedFor = ({ auctionId, editor, requesterId: _, ...correction }: CorrectionOf): string =>
  `auction ${auctionId} by ${editor}: ${show(correction)}`

/** The text of the request that an entry records. */
export function recordedAs({ auctionId, currency, event, state }: AuctionEntry<Corrected>): string {
  const { title, description, metadata, terms, editor } = event
  const format = formatOf(state)
  const sent = Object.entries(terms?.result ?? {}).map(([name, value]): [string, unknown] => [
    fieldOf(format, name),
    sentAs(format, name, value, currency),
  ])
  const values = new Map(sent)
  const named = terms?.fields.map((name) => [name, values.get(name) ?? null]) ?? []
  const correction = { title, description, metadata: metadata?.patch, ...Object.fromEntries(named) }
  return askedFor({ auctionId, editor, ...correction })
}

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
    // The cast: the terms of the auction, with others instead.
    problemOfTerms(Object.fromEntries(terms) as Auction) !== undefined
  )
}
