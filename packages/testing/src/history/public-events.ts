import { correctedFields } from '@auction/domain'
import type { Corrected } from '@auction/domain/auction'
import type { Entry } from '@auction/domain/store'
import { isOwn, type ShownEvent } from './formats/format.ts'
import { formatOf } from './formats/formats.ts'
import type { LedgerState, Timeline } from './ledger-states.ts'
import { blockIn } from './life.ts'
import { repairIn } from './repairs.ts'

/** The sequence is that of the entry among those that everybody may see. */
type Shown = { readonly entry: Entry; readonly sequence: number; readonly event: ShownEvent }

/** What each entry shows to everybody who may read the auction, by a second implementation. */
export function shownBy({ states }: Timeline): readonly Shown[] {
  return states.flatMap((state, index) => {
    const before = states[index - 1]
    if (state.head === undefined || before === undefined || before.isClosed) return []
    const event = eventOf(state.head, state, before)
    return event === undefined ? [] : [{ entry: state.head, sequence: state.sequence, event }]
  })
}

function eventOf(entry: Entry, state: LedgerState, before: LedgerState): ShownEvent | undefined {
  const { auctionId, atMs, event, currency } = entry
  const { sequence } = state
  const { saleId, lot } = state.auction
  const recorded = { auctionId, sequence, atMs, ...(saleId !== undefined && { saleId, lot }) }
  if (entry.state.phase === 'closed') {
    const status = event.type === 'cancelled' ? 'Cancelled' : 'Ended'
    return { ...recorded, type: 'ended', status, result: entry.state.result, currency, metadata: state.texts.metadata }
  }
  if (event.type === 'corrected') {
    return { ...recorded, type: 'corrected', fields: correctedNames(event), by: event.by }
  }
  const shown = isOwn(entry) ? formatOf(state.auction).publicEvent(entry, before.head) : repairShown(event)
  return shown && { ...recorded, currency, ...valuesAfter(entry, state), ...shown }
}

function valuesAfter(entry: Entry, { auction, head, endMs }: LedgerState): object {
  // A repair after the end has the last time before it.
  const shownMs = repairIn(entry) !== undefined && entry.atMs + 1 === endMs ? endMs : entry.atMs
  const isActive = shownMs >= auction.startTime.epochMs && shownMs < endMs
  const { figures, byTime } = formatOf(auction)
  const moving = byTime?.figuresAt(auction, head, shownMs)
  const { format } = auction
  const times = { nextPriceTime: moving?.nextPriceTime?.epochMs, effectiveEndTime: endMs }
  return { format, ...figures(auction, head, isActive), ...moving, ...times }
}

/** The parts of a repair that everybody sees, without the editor. */
function repairShown(event: Entry['event']): ShownEvent | undefined {
  const by = 'staff'
  switch (event.type) {
    case 'withdrawn': {
      const { type, reason, bidderId } = event
      return { type, by, reason, bidderId, isBlocked: blockIn(event) }
    }
    case 'extended':
    case 'ended-early': {
      const { type, reason, previousEndMs } = event
      return { type, by, reason, previousEndTime: previousEndMs }
    }
    default:
      return undefined
  }
}

/** The fields of a correction, in the order of those of a new auction. */
const correctedNames = (event: Corrected): readonly string[] => {
  const names = [...Object.keys(event), ...(event.terms?.fields ?? [])]
  return correctedFields.filter((name) => names.includes(name))
}
