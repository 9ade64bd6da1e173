/** The known outcome of a write after its store failed. */
export type Outcome = 'unknown' | 'nothing-changed'

/**
 * The store is unavailable or did not respond. Stores and use cases throw it. `outcome` is valid only if a use case throws it, because
 * a store does not know the effect of earlier calls.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  readonly code = 'store-unavailable'
  readonly outcome: Outcome

  constructor(message: string, options: { readonly cause?: unknown; readonly outcome?: Outcome } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {})
    this.outcome = options.outcome ?? 'unknown'
  }
}

/** Checks the code instead of the class, because a program may load this package twice. */
export const isStoreUnavailable = (error: unknown): error is StoreUnavailableError =>
  error instanceof Error && 'code' in error && error.code === 'store-unavailable'

/** Adds the outcome to a StoreUnavailableError. Returns any other error unchanged. */
export const withOutcome = (error: unknown, outcome: Outcome): unknown =>
  isStoreUnavailable(error) ? new StoreUnavailableError(error.message, { cause: error, outcome }) : error
