/** What is known of a write whose store could not be asked. */
export type Outcome = 'unknown' | 'nothing-changed'

/**
 * A store could not be asked, or did not answer. Stores throw it from any operation, as do use cases. Its `outcome` counts only
 * where a use case throws it: a store sees one call, and can't know what the calls before it have done.
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

/** Told by its code, since a program may hold this package twice. */
export const isStoreUnavailable = (error: unknown): error is StoreUnavailableError =>
  error instanceof Error && 'code' in error && error.code === 'store-unavailable'

/** The error with what the use case knows of the outcome. An error that nobody expects stays what it is. */
export const withOutcome = (error: unknown, outcome: Outcome): unknown =>
  isStoreUnavailable(error) ? new StoreUnavailableError(error.message, { cause: error, outcome }) : error
