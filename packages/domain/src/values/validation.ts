import type { Result } from './result.ts'

/** An error of an input: its position and the rule that it breaks. */
export type FieldError = {
  /** A JSON Pointer (RFC 6901); `""` is the whole input. */
  readonly pointer: string
  readonly message: string
}

/** The refusal of an invalid input. It lists only the first errors, to limit the size of the response. */
export type ValidationFailed = {
  readonly code: 'validation-failed'
  /** Up to `maxErrors`. */
  readonly errors: readonly FieldError[]
  /** The number of errors that are not listed. */
  readonly moreErrors: number
}

const maxErrors = 20

export const validationFailed = (...errors: readonly FieldError[]): ValidationFailed => failedWith(errors, 0)

const failedWith = (errors: readonly FieldError[], uncounted: number): ValidationFailed => ({
  code: 'validation-failed',
  errors: errors.slice(0, maxErrors),
  moreErrors: Math.max(0, errors.length - maxErrors) + uncounted,
})

export type Parsed<Value> = Result<Value, ValidationFailed>

/** Combines the refusals of several parts of one input. */
export function allErrorsOf(...parts: readonly Parsed<unknown>[]): ValidationFailed {
  const refusals = parts.flatMap((part) => (part.ok ? [] : [part.refusal]))
  const uncounted = refusals.reduce((count, { moreErrors }) => count + moreErrors, 0)
  return failedWith(
    refusals.flatMap(({ errors }) => errors),
    uncounted,
  )
}

export type UnknownFields = {
  readonly path: readonly string[]
  readonly names: readonly string[]
  readonly rule: string
}

/** A refusal with errors and unknown names, of which a request may have thousands. */
export const withUnknownNames = (
  errors: readonly FieldError[],
  names: readonly string[],
  rule: string,
): ValidationFailed => withUnknownFields(errors, [{ path: [], names, rule }])

export function withUnknownFields(errors: readonly FieldError[], unknown: readonly UnknownFields[]): ValidationFailed {
  const listed = [...errors]
  let unlisted = 0
  for (const { path, names, rule } of unknown) {
    const shown = names.slice(0, Math.max(0, maxErrors - listed.length))
    listed.push(...shown.map((name) => ({ pointer: pointerTo([...path, shortened(name)]), message: rule })))
    unlisted += names.length - shown.length
  }
  return failedWith(listed, unlisted)
}

const maxNameLength = 100

/** Shortens a name of the client for a message: up to 100 UTF-16 units, without splitting a surrogate pair. */
export const shortened = (name: string): string =>
  name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength).replace(/[\ud800-\udbff]$/, '')}…`

/** A JSON Pointer (RFC 6901): a slash before each token, with `~0` for `~` and `~1` for `/`. */
export const pointerTo = (path: readonly string[]): string =>
  path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/**
 * A program passed an invalid value, such as a user id of 0. Invalid input of clients is a refusal instead. Every
 * function that converts a number or a string to a value throws it.
 */
export class InvalidValueError extends RangeError {
  override readonly name = 'InvalidValueError'
  readonly code = 'invalid-value'
}

export const isInvalidValue = (error: unknown): error is InvalidValueError => hasCode(error, 'invalid-value')

/** Whether an error has a code. The class does not matter, because a program may load this package twice. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
