/** Neither is there a key set that may be used, nor can one be fetched. */
export class IssuerUnavailableError extends Error {
  override readonly name = 'IssuerUnavailableError'
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('the key set can not be had')
    this.retryAfterSeconds = retryAfterSeconds
  }
}
