import type { Attempt } from '@auction/testing/history'
import type { CloseCommand, Command, RepairCommand } from '../../src/auction/commands.ts'
import type { Entry } from '../../src/auction/entry.ts'
import { type RefusalRow, refusals } from '../../src/auction/refusals.ts'

/** How many seeds the short form of the simulation runs. They have every kind of answer and entry. */
export const shortLength = 100

/** The answers to commands, besides the refusals of their rules. */
const common = ['accepted', 'auction-not-found', 'idempotency-key-reused', 'overloaded', 'store-unavailable', 'unknown']

const commands = {
  'place-bid': 'place-bid',
  'buy-now': 'buy-now',
  cancel: 'cancel-auction',
  correct: 'correct-auction',
} as const satisfies Record<Exclude<Command, RepairCommand | CloseCommand>['type'], Attempt['type']>

/** The clients correct no auction that often, and repair none. */
const unmet = [
  'buy-now: bidder-blocked',
  'correct-auction: auction-repaired',
  'correct-auction: too-many-corrections',
  'place-bid: bidder-blocked',
]

/** Every answer that clients must get: a new refusal of the rules is one of them. */
export const answerKinds: readonly string[] = [
  ...Object.entries(commands).flatMap(([command, type]) =>
    [...common, ...codesOf(command)].map((code) => `${type}: ${code}`).filter((kind) => !unmet.includes(kind)),
  ),
  'create-auction: accepted',
  'create-auction: idempotency-key-reused',
  'create-auction: store-unavailable',
  'create-auction: unknown',
  'create-auction: validation-failed',
  'list-auctions: listed',
  'list-auctions: unknown',
  'place-bid: validation-failed',
  'read-auction: auction-not-found',
  'read-auction: read',
  'read-auction: unknown',
].sort()

function codesOf(command: string): readonly string[] {
  const rows: Readonly<Record<string, RefusalRow>> = refusals
  return Object.entries(rows).flatMap(([code, { of = [], isInternal }]) =>
    isInternal !== true && of.some((each) => each === command) ? [code] : [],
  )
}

export const entryKinds: readonly string[] = [
  'bid-placed',
  'bid-placed, moves the end',
  'bid-placed, the leader replies',
  'bid-placed, the leader replies, moves the end',
  'bid-placed, with an automatic raise',
  'bid-placed, with an automatic raise, moves the end',
  'bought',
  'cancelled',
  'cancelled with bids',
  'cancelled with bids, forced',
  'cancelled, forced',
  'closed: no-bids',
  'closed: reserve-not-met',
  'closed: sold',
  'corrected: description',
  'corrected: metadata',
  'corrected: terms',
  'corrected: title',
  'maximum-raised',
  'maximum-raised, with an automatic raise',
  'maximum-raised, with an automatic raise, moves the end',
]

export const answerKindOf = ({ type, answer }: Attempt): string =>
  `${type}: ${answer.outcome === 'refused' ? answer.code : answer.outcome}`

/** The rules that an entry covers. */
export function entryKindOf({ event, state }: Entry): string {
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { automatic, bidderId, extendedEndMs } = event
      const isOwn = automatic?.bidderId === bidderId
      const reply = automatic === undefined ? '' : isOwn ? ', with an automatic raise' : ', the leader replies'
      return `${event.type}${reply}${extendedEndMs === undefined ? '' : ', moves the end'}`
    }
    case 'bought':
    case 'extended':
    case 'withdrawn':
    case 'ended-early':
    case 'reserve-lowered':
      return event.type
    case 'cancelled':
      return `${event.type}${state.bidCount > 0 ? ' with bids' : ''}${event.isForced ? ', forced' : ''}`
    case 'corrected':
      return `corrected: ${Object.keys(event).filter((name) => ['title', 'description', 'metadata', 'terms'].includes(name))}`
    case 'closed':
      return `closed: ${event.result.outcome === 'unsold' ? event.result.reason : event.result.outcome}`
    default:
      return event satisfies never
  }
}
