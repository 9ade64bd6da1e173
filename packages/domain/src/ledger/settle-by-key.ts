import { withOutcome } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { refused, repeated } from '../values/result.ts'
import type { LedgerKind, LedgerTypes } from './kind.ts'
import {
  fail,
  isKeyed,
  type KeyedCommand,
  type PendingCommand,
  type RefusalOfCommand,
  refusedByRules,
  settle,
} from './pending-command.ts'

export type KeyContext<Kind extends LedgerTypes> = {
  readonly kind: Pick<LedgerKind<Kind>, 'isResultOf'>
  readonly store: Pick<Store<Kind['entry']>, 'findEntriesByKey'>
}

/**
 * Refuses a command unless its key already has an entry, which is then its result. The round does not wait for that
 * lookup.
 */
export function refuse<Kind extends LedgerTypes>(
  context: KeyContext<Kind>,
  pending: PendingCommand<Kind>,
  refusal: RefusalOfCommand<Kind>,
): void {
  if (!isKeyed(pending)) {
    settle(pending, refused(refusal))
    return
  }
  pending.state = refusedByRules
  void settleByKey(context, [pending]).then(() => settle(pending, refused(refusal)))
}

/**
 * Settles the commands of one auction whose key already has an entry: with that entry if the request is the same,
 * otherwise with a refusal. Other commands are unchanged. If the lookup fails, the commands fail and have changed
 * nothing.
 */
export async function settleByKey<Kind extends LedgerTypes>(
  { kind, store }: KeyContext<Kind>,
  keyed: readonly KeyedCommand<Kind>[],
): Promise<void> {
  let found: readonly Kind['entry'][]
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
    try {
      const isSame = entry.auctionId === pending.auctionId && kind.isResultOf(entry, pending.command)
      settle(pending, isSame ? repeated(entry) : refused({ code: 'idempotency-key-reused' }))
    } catch (error) {
      // A bid that cannot be opened cannot be compared.
      fail(pending, error)
    }
  }
}
