/**
 * A program passed an invalid value, such as a user id of 0. Invalid input of clients is a refusal instead. Every function that
 * converts a number or a string to a value throws it.
 */
export class InvalidValueError extends RangeError {
  override readonly name = 'InvalidValueError'
  readonly code = 'invalid-value'
}

/** Checks the code instead of the class, because a program may load this package twice. */
export const isInvalidValue = (error: unknown): error is InvalidValueError =>
  error instanceof Error && 'code' in error && error.code === 'invalid-value'
