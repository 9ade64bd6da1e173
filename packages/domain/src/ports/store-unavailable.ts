/**
 * A store could not be asked, or did not answer. Adapters throw it from any operation; whether a write took effect is
 * then unknown. A use case that knows better says so in `outcome`.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  readonly outcome: 'unknown' | 'nothing-changed'

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly outcome?: 'unknown' | 'nothing-changed' } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : {})
    this.outcome = options.outcome ?? 'unknown'
  }
}

/** For the steps of a use case that come before its write: when the store can't be asked, nothing has been changed. */
export async function nothingChangedIfItFails<Value>(step: Promise<Value>): Promise<Value> {
  try {
    return await step
  } catch (error) {
    throw nothingChanged(error)
  }
}

/** The error of such a step, as it is thrown on. */
export const nothingChanged = (error: unknown): unknown =>
  error instanceof StoreUnavailableError
    ? new StoreUnavailableError(error.message, { cause: error, outcome: 'nothing-changed' })
    : error
