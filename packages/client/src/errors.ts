import type { Result } from './operations.ts'

/**
 * A request failed and may not be sent again, or a stream or a list was refused. Refusals of other requests are results, unless `orThrow`
 * throws them.
 * Identify it by `name`, because a program may load two copies of this package.
 */
export class AuctionClientError extends Error {
  override readonly name = 'AuctionClientError'
  /** The `code` of the problem, `no-response`, or `unreadable-response` if it is not of this API. */
  readonly code: string
  /** The status of the last response; 0 without one. */
  readonly status: number
  /** The problem as the service describes it, such as its `requestId`. */
  readonly problem: Readonly<Record<string, unknown>> | undefined
  /** The `Idempotency-Key` of a write whose outcome is unknown. Sent again with it, the write takes effect at most once. */
  readonly key: string | undefined

  constructor(response: FailedResponse, key?: string) {
    const { status, body, cause } = response
    const message = typeof body?.['message'] === 'string' ? body['message'] : messageOf(status)
    super(message, cause === undefined ? {} : { cause })
    this.code = typeof body?.['code'] === 'string' ? body['code'] : status === 0 ? 'no-response' : 'unreadable-response'
    this.status = status
    this.problem = body
    this.key = key
  }
}

/**
 * The success of a result, for programs that prefer exceptions: `orThrow(await client.readAuction(7)).data`.
 *
 * @throws AuctionClientError if the service refused the request
 */
export function orThrow<Some extends Result<unknown, { readonly status: number }>>(
  result: Some,
): Extract<Some, { readonly ok: true }> {
  // The cast: the compiler does not narrow a type parameter.
  if (result.ok) return result as Extract<Some, { readonly ok: true }>
  const { refusal } = result
  throw new AuctionClientError({ status: refusal.status, body: { ...refusal } })
}

/** The text of a number in a path. @throws AuctionClientError if it is not an id or a sequence, so that no text becomes another path */
export function wholeText(value: number, name = 'An id'): string {
  if (Number.isSafeInteger(value) && value >= 0) return String(value)
  // The value is not in the message, because it may be anything.
  const message = `${name} must be a whole number.`
  throw new AuctionClientError({ status: 400, body: { status: 400, code: 'validation-failed', message } })
}

type FailedResponse = {
  readonly status: number
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

function messageOf(status: number): string {
  if (status === 0) return 'The service does not respond.'
  if (isRedirect(status)) return 'The base URL redirects to another one, which the client does not follow.'
  return `The response with the status ${status} is not from this API.`
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400
