import { ledgerIdOf, type UserId } from '@auction/domain/ids'
import type { RegisterEntry } from '@auction/domain/store'
import { type History, show, type Violation } from '../../history.ts'
import { attemptsTo } from '../attempts.ts'
import { changesIn, linesOf, mayHaveMade, type RegisterTimeline, type RegisterTimelines } from './timelines.ts'

const mostBidders = 20_000

/** A finding, or false without one. */
type Finding = string | false

const asViolations = (of: string, findings: readonly Finding[]): readonly Violation[] =>
  findings.filter((finding) => finding !== false).map((finding) => ({ invariant: 9, message: `${of} ${finding}` }))

/** The ledgers of registers and their directory: each entry follows from those before it (9). */
export function checkRegisters(history: History, timelines: RegisterTimelines): readonly Violation[] {
  const lines = linesOf(history)
  return [
    ...lines.flatMap(({ id, sequence, atMs, event, state }, index) => {
      const { id: registerId, fields, createdAtMs, editor } = event
      const first = timelines.get(registerId)?.entries[0]
      const created = { type: 'register-created', ...fields, editor }
      return asViolations(`line ${id} of the directory`, [
        sequence !== index + 1 && `has sequence ${sequence} instead of ${index + 1}`,
        show(state) !== show({ count: index + 1, atMs }) && `has the state ${show(state)}`,
        lines.findIndex((line) => line.event.id === registerId) < index && 'lists a register again',
        atMs < (lines[index - 1]?.atMs ?? atMs) && `is at ${atMs}, before the previous line`,
        show(first?.event) !== show(created) && `lists ${show(created)}, but the register is ${show(first?.event)}`,
        first?.atMs !== createdAtMs && `was created at ${createdAtMs}, but the register at ${first?.atMs}`,
      ])
    }),
    ...[...timelines.values()].flatMap(checkLedger),
    ...checkExpected(history, timelines),
  ]
}

function checkLedger(timeline: RegisterTimeline): readonly Violation[] {
  const known = new Set<UserId>()
  let counts = { admitted: 0, pending: 0, refused: 0 }
  return timeline.entries.flatMap((entry, index) => {
    const { id, sequence, atMs, event, state } = entry
    const before = timeline.entries[index - 1]
    const findings: Finding[] = [
      sequence !== index + 1 && `has sequence ${sequence} instead of ${index + 1}`,
      (event.type === 'register-created') !== (index === 0) && `is ${event.type}, as entry ${index + 1}`,
      atMs < (before?.atMs ?? atMs) && `is at ${atMs}, before the previous entry`,
    ]
    if (event.type === 'bidders-set') {
      findings.push(...findingsOfChange(timeline, entry, event))
      for (const { bidderId, status } of event.bidders) {
        const was = timeline.listed(bidderId, sequence - 1)?.status
        counts = { ...counts, ...(was && { [was]: counts[was] - 1 }) }
        counts = { ...counts, [status]: counts[status] + 1 }
        known.add(bidderId)
      }
    }
    findings.push(
      known.size > mostBidders && `lists ${known.size} bidders`,
      show(state) !== show({ counts, atMs }) && `has the state ${show(state)} instead of ${show({ counts, atMs })}`,
    )
    return asViolations(`entry ${id} of register ${timeline.id}`, findings)
  })
}

function findingsOfChange(
  { listed, holderOf }: RegisterTimeline,
  { sequence, requestKey }: RegisterEntry,
  { bidders }: Extract<RegisterEntry['event'], { readonly type: 'bidders-set' }>,
): readonly Finding[] {
  const isNew = bidders.some(({ was: _, ...bidder }) => show(listed(bidder.bidderId, sequence - 1)) !== show(bidder))
  return [
    !isNew && requestKey === undefined && 'changes nothing, and has no key',
    ...bidders.flatMap(({ bidderId, was, paddle }, index): readonly Finding[] => {
      const before = listed(bidderId, sequence - 1)?.status
      const holder = paddle === undefined ? bidderId : (holderOf(paddle, sequence) ?? bidderId)
      return [
        was !== before && `has bidder ${bidderId} as ${was} before it instead of ${before}`,
        holder !== bidderId && `gives the paddle ${paddle} of bidder ${holder} to bidder ${bidderId}`,
        bidders.findIndex((other) => other.bidderId === bidderId) < index && `has bidder ${bidderId} twice`,
      ]
    }),
  ]
}

/** A change follows the status that one of its tries expected. */
function checkExpected(history: History, timelines: RegisterTimelines): readonly Violation[] {
  const attempts = attemptsTo(history, 'set-bidders')
  return changesIn(history).flatMap((change) => {
    const { id, auctionId, sequence, event } = change.entry
    const timeline = [...timelines.values()].find((each) => ledgerIdOf(each.id) === auctionId)
    const [first] = event.bidders
    if (timeline === undefined || first === undefined) return []
    const before = timeline.listed(first.bidderId, sequence - 1)?.status ?? 'none'
    const makers = attempts.filter(mayHaveMade(change, timeline))
    const isAny = makers.length === 0 || makers.some(({ change: { expected = before } }) => expected === before)
    const finding = `follows the status ${before} of bidder ${first.bidderId}, which no client expected`
    return asViolations(`entry ${id} of register ${auctionId}`, [!isAny && finding])
  })
}
