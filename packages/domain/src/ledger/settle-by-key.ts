import { isSameCorrection } from '../auction/correcting.ts'
import type { Decisions } from '../auction/decide.ts'
import type { Entry } from '../auction/entry.ts'
import { withOutcome } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { type AmountMinor, type Currency, type Decimal, toDecimal } from '../values/money.ts'
import { refused, repeated } from '../values/result.ts'
import {
  type CommandRefusal,
  fail,
  isKeyed,
  type KeyedCommand,
  type PendingCommand,
  refusedByRules,
  settle,
} from './pending-command.ts'

type KeyStore = Pick<Store, 'findEntriesByKey'>

/** Refuses a command unless its key already has an entry, which is then its result. The round does not wait for that lookup. */
export function refuse(store: KeyStore, pending: PendingCommand, refusal: CommandRefusal): void {
  if (!isKeyed(pending)) {
    settle(pending, refused(refusal))
    return
  }
  pending.state = refusedByRules
  void settleByKey(store, [pending]).then(() => settle(pending, refused(refusal)))
}

/**
 * Settles the commands of one auction whose key already has an entry: with that entry if the request is the same, otherwise with a
 * refusal. Other commands are unchanged. If the lookup fails, the commands fail and have changed nothing.
 */
export async function settleByKey(store: KeyStore, keyed: readonly KeyedCommand[]): Promise<void> {
  let found: readonly Entry[]
  try {
    const auctionIds = keyed.slice(0, 1).map(({ auctionId }) => auctionId)
    const keys = keyed.map(({ requestKey }) => requestKey)
    found = await store.findEntriesByKey(keys, { auctionIds })
  } catch (error) {
    for (const pending of keyed) fail(pending, withOutcome(error, 'nothing-changed'))
    return
  }
  const made = new Map(found.map((entry) => [entry.requestKey, entry]))
  for (const pending of keyed) {
    const entry = made.get(pending.requestKey)
    if (entry === undefined) continue
    const isSame = entry.auctionId === pending.auctionId && isResultOf(entry, pending.command)
    settle(pending, isSame ? repeated(entry) : refused({ code: 'idempotency-key-reused' }))
  }
}

type Keyed = KeyedCommand['command']

/** For each type of command: whether an entry is the result of the same request. */
const comparisons: {
  readonly [Type in Keyed['type']]: (
    entry: Entry<Decisions[Type]['event']>,
    command: Extract<Keyed, { readonly type: Type }>,
  ) => boolean
} = {
  'place-bid': ({ event, currency }, { bidderId, amount, maximumAmount }) =>
    event.bidderId === bidderId &&
    isSameAmount(event.amountMinor, amount, currency) &&
    isSameAmount(event.maximumMinor, maximumAmount, currency),
  'buy-now': ({ event }, { buyerId }) => event.buyerId === buyerId,
  cancel: ({ event }, { reason }) => event.reason === reason,
  extend: ({ event }, { endTime, reason }) => event.endMs === endTime.epochMs && event.reason === reason,
  withdraw: ({ event }, { bidderId, isBlocked, reason }) =>
    event.bidderId === bidderId &&
    (event.isBlocked === true) === (isBlocked === true) &&
    (event.isUnblocked === true) === (isBlocked === false) &&
    event.reason === reason,
  'end-early': ({ event }, { reason }) => event.reason === reason,
  'lower-reserve': ({ event, currency }, { reservePrice, reason }) =>
    isSameAmount(event.reservePriceMinor, reservePrice, currency) && event.reason === reason,
  correct: ({ event, currency }, { correction }) => isSameCorrection(event, correction, currency),
}

function isResultOf(entry: Entry, command: Keyed): boolean {
  // The cast: a key contains the operation, so its entry has an event of the command's type.
  const isSame = comparisons[command.type] as (entry: Entry, command: Keyed) => boolean
  return isSame(entry, command)
}

/** The decimals of an entry are exact, those of a request may be not. */
const isSameAmount = (stored: AmountMinor | undefined, sent: Decimal | undefined, currency: Currency): boolean =>
  sent === (stored === undefined ? undefined : toDecimal(stored, currency))
