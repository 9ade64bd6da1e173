import type { Attempt } from '@auction/testing/history'
import type { Command } from '../../src/auction/commands.ts'
import type { Closed } from '../../src/auction/life-events.ts'
import type { RefusalRow } from '../../src/auction/life-refusals.ts'
import { refusals } from '../../src/auction/refusals.ts'
import type { DirectoryEntry, Entry, RegisterEntry, RegisterListed } from '../../src/store/store.ts'

/** The responses to commands, besides the refusals of their rules. */
const common = ['accepted', 'auction-not-found', 'idempotency-key-reused', 'overloaded', 'store-unavailable', 'unknown']

const commands = {
  'place-bid': 'place-bid',
  'buy-now': 'buy-now',
  cancel: 'cancel-auction',
  correct: 'correct-auction',
  extend: 'extend-auction',
  withdraw: 'withdraw-bidder',
  'end-auction': 'end-auction',
  'lower-reserve': 'lower-reserve',
} as const satisfies Record<Exclude<Command['type'], 'close' | 'withdraw-own-bid'>, Attempt['type']>

/** Repairs share these responses: each is rare for one kind of them. */
const repairs: readonly string[] = ['extend-auction', 'withdraw-bidder', 'end-auction', 'lower-reserve']

/** The responses that only auctions have whose prices fall. */
export const responsesOfFalling: readonly string[] = [
  ...['buy-now: price-is-higher', 'buy-now: validation-failed', 'place-bid: bids-not-taken'],
  ...['cancel-auction: auction-started', 'correct-auction: auction-started', 'lower-reserve: not-in-format'],
]

/** The responses that only auctions with sealed bids have. */
export const responsesOfSealed: readonly string[] = [
  ...['accepted', 'auction-ended', 'auction-cancelled', 'auction-not-started', 'no-bids-of-bidder'].map(
    (kind) => `withdraw-own-bid: ${kind}`,
  ),
  ...['cancel-auction: auction-started', 'correct-auction: auction-started'],
  ...['buy-now: not-in-format', 'lower-reserve: not-in-format'],
]

/** The responses that only requests for registers have, and for auctions with one. */
export const responsesOfRegisters: readonly string[] = [
  ...['place-bid: not-admitted', 'place-bid: above-limit', 'buy-now: not-admitted', 'buy-now: above-limit'],
  ...['accepted', 'idempotency-key-reused', 'overloaded', 'store-unavailable', 'unknown'].flatMap((kind) => [
    ...[`create-register: ${kind}`, `set-bidders: ${kind}`],
  ]),
  // 20,000 bidders would take too long.
  ...['register-not-found', 'paddle-taken', 'precondition-failed', 'validation-failed'].map(
    (kind) => `set-bidders: ${kind}`,
  ),
]

/** No English auction has these, or the clients correct and repair no auction that often. */
const unmet: readonly string[] = [
  ...[...responsesOfFalling, ...responsesOfRegisters],
  'buy-now: not-in-format',
  'correct-auction: too-many-corrections',
  ...repairs.map((type) => `${type}: too-many-repairs`),
]

/** Every response that clients must get: a new refusal of the rules is one of them. */
export const responseKinds: readonly string[] = [
  ...Object.entries(commands).flatMap(([command, type]) =>
    [...(repairs.includes(type) ? ['accepted'] : common), ...codesOf(command)]
      .map((code) => `${type}: ${code}`)
      .filter((kind) => !unmet.includes(kind)),
  ),
  ...common.slice(1).map((code) => `repair: ${code}`),
  'create-auction: accepted',
  'create-auction: idempotency-key-reused',
  'create-auction: store-unavailable',
  'create-auction: unknown',
  'create-auction: validation-failed',
  'list-auctions: listed',
  'list-auctions: unknown',
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
  'closed: sold, early',
  'corrected: description',
  'corrected: metadata',
  'corrected: terms',
  'corrected: title',
  'ended-early',
  'ended-early after the end',
  'extended',
  'extended after the end',
  'maximum-raised',
  'maximum-raised, with an automatic raise',
  'maximum-raised, with an automatic raise, moves the end',
  'reserve-lowered',
  'reserve-lowered by the owner',
  'reserve-lowered, removed',
  'reserve-lowered, with an automatic raise',
  'withdrawn',
  'withdrawn, blocked',
  'withdrawn, no bids left',
  'withdrawn, no bids left, blocked',
  'withdrawn, unblocked',
]

export function responseKindOf({ type, response }: Attempt): string {
  const kind = response.outcome === 'refused' ? response.code : response.outcome
  return `${repairs.includes(type) && common.indexOf(kind) > 0 ? 'repair' : type}: ${kind}`
}

/** The entries of registers and of their directory. */
export const entryKindsOfRegisters: readonly string[] = [
  'bidders-set',
  'bidders-set, several',
  'register-created: everyone',
  'register-created: everyone, claims',
  'register-created: listed',
  'register-created: listed, claims',
  'register-listed',
]

export function registerKindOf({ event }: RegisterEntry | DirectoryEntry<RegisterListed>): string {
  if (event.type === 'register-created') return `${event.type}: ${event.admits}${event.claims ? ', claims' : ''}`
  return `${event.type}${event.type === 'bidders-set' && event.bidders.length > 1 ? ', several' : ''}`
}

/** The rules that an entry covers. */
export function entryKindOf({ atMs, event, state }: Entry): string {
  switch (event.type) {
    case 'bid-placed':
    case 'maximum-raised': {
      const { automatic, bidderId, extendedEndMs } = event
      const isOwn = automatic?.bidderId === bidderId
      const reply = automatic === undefined ? '' : isOwn ? ', with an automatic raise' : ', the leader replies'
      return `${event.type}${reply}${extendedEndMs === undefined ? '' : ', moves the end'}`
    }
    case 'bought':
    case 'purchased':
    case 'sealed-bid':
    case 'sealed-withdrawal':
      return event.type
    case 'cancelled':
      return `${event.type}${(state.bidCount ?? 0) > 0 ? ' with bids' : ''}${event.isForced ? ', forced' : ''}`
    case 'corrected':
      return `corrected: ${Object.keys(event).filter((name) => ['title', 'description', 'metadata', 'terms'].includes(name))}`
    case 'closed':
      return `closed: ${resultKindOf(event.result)}`
    case 'extended':
      return `extended${atMs >= event.previousEndMs ? ' after the end' : ''}`
    case 'ended-early':
      return `ended-early${event.endMs === event.previousEndMs ? ' after the end' : ''}`
    case 'withdrawn': {
      if (event.isUnblocked) return 'withdrawn, unblocked'
      return `withdrawn${state.leader === null ? ', no bids left' : ''}${event.isBlocked ? ', blocked' : ''}`
    }
    case 'reserve-lowered': {
      const { reservePriceMinor, automatic } = event
      if (automatic !== undefined) return 'reserve-lowered, with an automatic raise'
      if (event.by === 'owner') return 'reserve-lowered by the owner'
      return `reserve-lowered${reservePriceMinor === 0 ? ', removed' : ''}`
    }
    default:
      return event satisfies never
  }
}

function resultKindOf(result: Closed['result']): string {
  if (result.outcome === 'unsold') return result.reason
  return result.isEndedEarly ? 'sold, early' : 'sold'
}
