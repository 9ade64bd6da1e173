/** A service was called after it was closed. Nothing was changed, and the store was not asked. */
export class ServiceClosedError extends Error {
  override readonly name = 'ServiceClosedError'
  readonly code = 'service-closed'

  constructor() {
    super('the auction service is closed; nothing was changed')
  }
}

/** Told by its code, since a program may hold this package twice. */
export const isServiceClosed = (error: unknown): error is ServiceClosedError =>
  error instanceof Error && 'code' in error && error.code === 'service-closed'
