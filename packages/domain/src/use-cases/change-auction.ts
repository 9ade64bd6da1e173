import type { AuctionView } from '../auction/view.ts'
import type { Clock } from '../clock.ts'
import { arrivalOf } from '../ledger/lanes.ts'
import { requireChecked } from '../values/checked.ts'
import type { AuctionId, UserId } from '../values/ids.ts'
import { type KeyedOperation, type RequestKey, type RetryKey, requestKeyOf } from '../values/request-key.ts'
import type { Result } from '../values/result.ts'
import { requireEditor, requireId, requireObject } from './check-arguments.ts'

/** Returns the auction after the change. The same `retry` makes it once. `arrivedAtMs` is as for `PlaceBid`. */
export type ChangeAuction<Request, Refusal> = (
  request: Request,
  retry?: RetryKey,
  arrivedAtMs?: number,
) => Promise<Result<AuctionView, Refusal>>

/** What the arguments of a change are: how errors name them, and the member that a parser has checked. */
const changes = {
  'buy-now': { what: 'a purchase', fields: 'purchase', parser: 'parsePurchase' },
  'cancel-auction': { what: 'a cancellation', fields: 'cancellation', parser: 'parseCancellation', isOptional: true },
  'correct-auction': { what: 'a correction', fields: 'correction', parser: 'parseCorrection', hasEditor: true },
  'extend-auction': { what: 'an extension', fields: 'extension', parser: 'parseExtension', hasEditor: true },
  'withdraw-bidder': { what: 'a withdrawal', fields: 'withdrawal', parser: 'parseWithdrawal', hasEditor: true },
  'end-auction': { what: 'an early end', fields: 'earlyEnd', parser: 'parseEarlyEnd', hasEditor: true },
  'withdraw-own-bid': { what: 'an own withdrawal', fields: 'withdrawal', parser: 'parseOwnWithdrawal' },
  'lower-reserve': { what: 'a lower reserve', fields: 'reduction', parser: 'parseReserveReduction', hasEditor: true },
} as const satisfies { readonly [operation in KeyedOperation]?: object }

type ChangeRequest = {
  readonly auctionId: AuctionId
  readonly requesterId?: UserId | undefined
  readonly editor?: string
}

/**
 * A use case that changes an auction. Programs in JavaScript can pass any arguments.
 * @param make makes the change, with the stored form of its key, and when its request had arrived
 * @throws InvalidValueError that names the first invalid argument; nothing was changed
 */
export function changeUseCase<Request extends ChangeRequest, Refusal>(
  operation: keyof typeof changes,
  clock: Pick<Clock, 'nowMs'>,
  make: (request: Request, key: RequestKey | undefined, atMs: number) => Promise<Result<AuctionView, Refusal>>,
): ChangeAuction<Request, Refusal> {
  const change = changes[operation]
  const { what, parser } = change
  return async (request, retry, arrivedAtMs) => {
    requireObject(request, what)
    const { auctionId, requesterId, editor } = request
    requireId(auctionId, `auctionId of ${what}`)
    if (requesterId !== undefined) requireId(requesterId, `requesterId of ${what}`)
    const fields: unknown = Object(request)[change.fields]
    if (fields !== undefined || !('isOptional' in change)) requireChecked(fields, what, parser)
    if ('hasEditor' in change) requireEditor(editor, what)
    const key = retry === undefined ? undefined : requestKeyOf(operation, retry)
    return make(request, key, arrivalOf(arrivedAtMs, clock))
  }
}
