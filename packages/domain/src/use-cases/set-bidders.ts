import type { Clock } from '../clock.ts'
import type { Guard } from '../ledger/kind.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import type { Overloaded } from '../ledger/pending-command.ts'
import { admissionOf, type Bidder, type BidderLists, type Claims } from '../register/bidder-list.ts'
import type { Register } from '../register/events.ts'
import type { BidderChanges } from '../register/fields.ts'
import {
  biddersOf,
  type RegisterLanes,
  type RegisterRefusal,
  type RegisterTypes,
  registerLedger,
  type SetBiddersCommand,
} from '../register/register-ledger.ts'
import { UnsupportedByStoreError } from '../store/errors.ts'
import type { TimeLimit } from '../time-limit.ts'
import { type Checked, requireChecked } from '../values/checked.ts'
import { ledgerIdOf, type RegisterId } from '../values/ids.ts'
import { type RequestKey, type RetryKey, requestKeyOf } from '../values/request-key.ts'
import { accepted, type Result, refused } from '../values/result.ts'
import { requireEditor, requireId, requireObject } from './check-arguments.ts'
import type { BidderView } from './read-registers.ts'
import type { WithdrawEverywhere, WithdrawnEverywhere } from './withdraw-everywhere.ts'
import { withinDeadline } from './within-deadline.ts'

export type SetBiddersRequest = {
  readonly registerId: RegisterId
  readonly bidders: Checked<BidderChanges>
  /** Who changes them: 1 to 100 characters, stored with the change. */
  readonly editor: string
  /** What the token of the first bidder says of them, if they change their own entry. */
  readonly claims?: Claims | undefined
  /**
   * Whether the first bidder is as the caller expects. If not, the change is refused with `precondition-failed`. If
   * omitted, the caller expects nothing.
   */
  readonly isExpected?: ((view: BidderView) => boolean) | undefined
  /** Set if nothing is to be changed: the result is the one that the change would have now. */
  readonly isTrial?: boolean
}
export type BiddersChanged = {
  /** The first bidder after the change. */
  readonly view: BidderView
  /** The whole entries after the change. */
  readonly bidders: readonly Bidder[]
  /** Per open auction, if the bids of the bidder were to be withdrawn. */
  readonly withdrawn: WithdrawnEverywhere | undefined
}
/** Sets the entries of bidders, all or none. Bidders who are listed so already stay unchanged, which is a success. */
export type SetBidders = (
  request: SetBiddersRequest,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<BiddersChanged, RegisterRefusal | Overloaded>>

type SetBiddersParts = {
  readonly lanes: Pick<RegisterLanes, 'submit'>
  readonly lists: BidderLists
  /** Undefined if the store cannot find the bids of a bidder. */
  readonly withdrawEverywhere: WithdrawEverywhere | undefined
  readonly clock: Clock
  /** The limit from request to response. */
  readonly limit: TimeLimit
}

/**
 * Sets entries of a register. When the returned promise resolves, no bid that arrives later, at any process that shares
 * the store, is accepted of a bidder whom it refuses.
 * @throws InvalidValueError that names an invalid arrival, id, list or editor; nothing was changed
 * @throws StoreUnavailableError whose `outcome` states whether the change may be stored
 * @throws UnsupportedByStoreError if bids are to be withdrawn and the store has no `listBidderEntries`
 */
export function setBiddersUseCase(parts: SetBiddersParts): SetBidders {
  const { clock, limit } = parts
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, 'a change of bidders')
    const { registerId, bidders, editor } = request
    requireId(registerId, 'registerId of a change of bidders')
    requireChecked(bidders, 'a change of bidders', 'parseBidders')
    requireEditor(editor, 'a change of bidders')
    if (bidders.withdrawal !== undefined && parts.withdrawEverywhere === undefined)
      throw new UnsupportedByStoreError('the store cannot find the bids of a bidder: it has no listBidderEntries')
    const key = retry === undefined ? undefined : requestKeyOf('set-bidders', retry)
    const atMs = arrivalOf(arrivedAtMs, clock)
    const startedAtMs = clock.nowMs()
    return withinDeadline(limit, async ({ submitting }) => {
      const set = await change(parts, request, key, atMs, submitting)
      if (!set.ok) return set
      const done = await withdrawn(parts, request, startedAtMs, set.isRepeated === true)
      return { ...set, value: { ...set.value, withdrawn: done } }
    })
  }
}

async function change(
  { lists, lanes }: SetBiddersParts,
  { registerId, bidders, editor, claims, isExpected, isTrial }: SetBiddersRequest,
  key: RequestKey | undefined,
  atMs: number,
  submitting: () => void,
): Promise<Result<Omit<BiddersChanged, 'withdrawn'>, RegisterRefusal>> {
  const list = await lists.current(registerId)
  const { register } = list ?? {}
  if (list === undefined || register === undefined) return refused({ code: 'register-not-found', registerId })
  const command: SetBiddersCommand = { type: 'set-bidders', ...bidders, currency: register.currency, editor }
  const entries = biddersOf(command)
  const [bidder] = entries
  const changedAt = (sequence: number) => ({
    view: { register, bidder, admission: admissionOf(register, bidder, sequence, claims?.get(registerId)) },
    bidders: entries,
  })
  const ledgerId = ledgerIdOf(registerId)
  if (isTrial !== true) submitting()
  const decided =
    isTrial === true
      ? registerLedger.decide({ id: ledgerId }, unused, { ...command, list }, atMs)
      : await lanes.submit(ledgerId, command, key, atMs, guardFor(lists, register, command, { isExpected, claims }))
  if (!decided.ok)
    return decided.refusal.code === 'same-bidders' ? accepted(changedAt(list.sequence)) : refused(decided.refusal)
  return { ...decided, value: changedAt('sequence' in decided.value ? decided.value.sequence : list.sequence) }
}

async function withdrawn(
  { lists, withdrawEverywhere }: SetBiddersParts,
  { registerId, bidders, editor, isTrial }: SetBiddersRequest,
  startedAtMs: number,
  isRepeated: boolean,
): Promise<WithdrawnEverywhere | undefined> {
  const [first] = bidders.bidders
  if (bidders.withdrawal === undefined || first === undefined || isTrial === true) return undefined
  const { bidderId } = first
  // Staff may have admitted the bidder since the first try of the request.
  if (isRepeated && (await lists.current(registerId))?.find(bidderId)?.status !== 'refused') return undefined
  return withdrawEverywhere?.({ registerId, bidderId, reason: bidders.withdrawal.reason, editor, startedAtMs })
}

/** The rules for bidders need no state. */
const unused = registerLedger.initialState({ id: ledgerIdOf(1 as RegisterId) })

/** Decides on the list of exactly the head before, of which the lane reads what it lacks. */
const guardFor = (
  lists: BidderLists,
  register: Register,
  command: SetBiddersCommand,
  { isExpected, claims }: Pick<SetBiddersRequest, 'isExpected' | 'claims'>,
): Guard<RegisterTypes, SetBiddersCommand> => ({
  decide({ sequence }, byRules) {
    const list = lists.knownAt(register.id, sequence)
    if (list === undefined) return undefined
    const [first] = command.bidders
    const bidder = first && list.find(first.bidderId)
    const admission = admissionOf(register, bidder, sequence, claims?.get(register.id))
    if (isExpected?.({ register, bidder, admission }) === false) return refused({ code: 'precondition-failed' })
    return byRules({ ...command, list })
  },
  prepare: (sequence) =>
    lists.knownAt(register.id, sequence) === undefined ? lists.readTo(register.id, sequence) : undefined,
})
