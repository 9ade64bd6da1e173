/**
 * Code has made a value that can't be one, such as a user id of 0: a mistake of the program, where what a client sends wrong is a
 * refusal. Every function that makes a value of a number or a text throws it.
 */
export class InvalidValueError extends RangeError {
  override readonly name = 'InvalidValueError'
  readonly code = 'invalid-value'
}

/** Told by its code, since a program may hold this package twice. */
export const isInvalidValue = (error: unknown): error is InvalidValueError =>
  error instanceof Error && 'code' in error && error.code === 'invalid-value'
