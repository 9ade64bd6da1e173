import type { Auction } from '@auction/domain/auction'
import type { Entry } from '@auction/domain/store'
import { isOwn } from './formats/format.ts'
import { formatOf } from './formats/formats.ts'
import { isRemembered } from './life.ts'
import { expectedRepairs } from './repairs.ts'
import { hasAdmittingTerms, standingAfter } from './rules.ts'

/**
 * The state after an entry. The ledger's state omits its undefined fields.
 * @param withdrawn the standing after the withdrawal that the entry is
 */
export function expectedState(
  auction: Auction,
  entry: Entry,
  before: Entry | undefined,
  withdrawn: object | undefined,
): object {
  if (before !== undefined && isRemembered(entry, before)) return before.state
  const { atMs, event } = entry
  const format = formatOf(auction)
  const change = isOwn(entry) ? format.changeBy(auction, before, entry) : {}
  const next = {
    format: auction.format,
    version: isOfSecondVersion(auction) ? 2 : undefined,
    phase: 'open',
    ...(format.standingAfter?.(before, entry) ?? change.standing ?? withdrawn ?? standingAfter(format, before)),
    atMs,
    extendedEndMs: change.extendedEndMs ?? before?.state.extendedEndMs,
    corrections: expectedCorrections(entry, before),
    repairs: expectedRepairs(auction, entry, before, change.repairs),
  }
  switch (event.type) {
    case 'extended':
    case 'ended-early':
      return { ...next, extendedEndMs: event.endMs }
    case 'cancelled':
      return { ...next, phase: 'closed', result: { outcome: 'cancelled', reason: event.reason } }
    case 'closed':
      return { ...next, phase: 'closed', result: event.result }
    default:
      return change.result === undefined ? next : { ...next, phase: 'closed', result: change.result }
  }
}

const isOfSecondVersion = (auction: Auction): boolean =>
  auction.format !== undefined || hasAdmittingTerms(auction) || formatOf(auction).hasLaterTerms?.(auction) === true

function expectedCorrections({ id, atMs, event }: Entry, before: Entry | undefined): object | undefined {
  const earlier = before?.state.corrections
  if (event.type !== 'corrected') return earlier
  const title = event.title === undefined ? earlier?.title : event.title
  const descriptionIn = event.description === undefined ? earlier?.descriptionIn : id
  const metadata = event.metadata === undefined ? earlier?.metadata : event.metadata.result
  const terms = event.terms === undefined ? earlier?.terms : event.terms.result
  return { count: (earlier?.count ?? 0) + 1, atMs, title, descriptionIn, metadata, terms }
}
