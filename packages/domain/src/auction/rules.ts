import * as v from 'valibot'
import { isoOf, type Moment } from '../values/moment.ts'
import { type Currency, type Decimal, notInCurrency, toMinor } from '../values/money.ts'
import { type FieldError, pointerTo } from '../values/validation.ts'
import type { CommonFields } from './common-fields.ts'

// The rules of the fields of an auction that concern several fields. Corrections need them, and not the schemas.

export type RuleError = { readonly path: readonly (string | number)[]; readonly message: string }

/** Whether fields are valid so far, by their paths. A rule is checked if the fields that it needs are. */
export type AreValid = (...paths: readonly string[]) => boolean

/** The errors that a rule finds. Those that it reports make its fields invalid for later rules. */
export type Rule<Fields> = {
  /**
   * The fields that the rule needs, by their paths. It is checked if they are valid. Its error is that of the first.
   */
  readonly needs: readonly [path: string, ...paths: readonly string[]]
  readonly errorIn: (fields: Fields) => string | undefined
}

/** The rules of a format about several fields. */
export type Rules<Fields> = {
  readonly each: readonly Rule<Fields>[]
  /** Further errors, after those of each rule. */
  readonly moreIn?: (fields: Fields, areValid: AreValid) => readonly RuleError[]
}

type WithAmount<Field extends string> = { readonly [Name in Field]?: Decimal | null | undefined }

/** Checks that an optional amount is exact in the currency. */
export const isExact = <Field extends string>(
  field: Field,
  message = notInCurrency,
): Rule<WithAmount<Field> & { readonly currency: Currency }> => ({
  needs: [field, 'currency'],
  errorIn: ({ [field]: amount, currency }) =>
    amount == null || toMinor(amount, currency) !== undefined ? undefined : message(amount, currency),
})

/** Checks the order of two optional amounts. */
export const isOrdered = <Field extends string, Other extends string>(
  field: Field,
  other: Other,
  isRight: (amount: Decimal, other: Decimal) => boolean,
  message: string,
): Rule<WithAmount<Field | Other>> => ({
  needs: [field, other],
  errorIn: ({ [field]: amount, [other]: second }) =>
    amount == null || second == null || isRight(amount, second) ? undefined : message,
})

export const endsAfterStart: Rule<Pick<CommonFields, 'startTime' | 'endTime'>> = {
  needs: ['endTime', 'startTime'],
  errorIn: ({ startTime, endTime }) =>
    endTime.epochMs > startTime.epochMs ? undefined : 'must be at least 1 millisecond after startTime',
}

export const paddlesNeedRegister: Rule<Pick<CommonFields, 'showPaddles' | 'registerId'>> = {
  needs: ['showPaddles', 'registerId'],
  errorIn: ({ showPaddles, registerId }) =>
    showPaddles === true && registerId == null ? 'needs a registerId: a register has the paddles' : undefined,
}

/** The errors of the rules whose fields are valid, once per field. `invalid` has the paths of those that are not. */
function ruleErrors<Fields>(rules: Rules<Fields>, fields: Fields, invalid: Set<string>): readonly RuleError[] {
  const areValid: AreValid = (...paths) => !paths.some((path) => invalid.has(path))
  const errors: RuleError[] = []
  for (const { needs, errorIn } of rules.each) {
    const message = areValid(...needs) ? errorIn(fields) : undefined
    if (message === undefined) continue
    invalid.add(needs[0])
    errors.push({ path: needs[0].split('.'), message })
  }
  return [...errors, ...(rules.moreIn?.(fields, areValid) ?? [])]
}

/** The rules that concern several fields. They walk the issues of the schemas once, because an input may have many. */
export const checkedBy = <Fields>(rules: Rules<Fields>) =>
  v.rawCheck<Fields>(({ dataset, addIssue }) => {
    const invalid = new Set<string>()
    for (const { path: [first, second] = [] } of dataset.issues ?? []) {
      invalid.add(String(first?.key))
      invalid.add(`${first?.key}.${second?.key}`)
    }
    const fields = dataset.value as Fields // Each rule reads fields that are valid.
    for (const { path, message } of ruleErrors(rules, fields, invalid))
      addIssue({ message, path: issuePath(fields, path) as [v.IssuePathItem, ...v.IssuePathItem[]] }) // Never empty.
  })

/** The path of an issue, which contains each value on the way. */
function issuePath(fields: unknown, path: RuleError['path']): readonly v.IssuePathItem[] {
  let input: unknown = fields
  return path.map((key) => {
    const value: unknown = Object(input)[key]
    const item = { type: 'unknown', origin: 'value', input, key, value } as const
    input = value
    return item
  })
}

/** The errors of fields that are valid one by one. */
export const errorsOfFields = <Fields>(rules: Rules<Fields>, parsed: Fields): readonly FieldError[] =>
  ruleErrors(rules, parsed, new Set()).map(({ path, message }) => ({ pointer: pointerTo(path.map(String)), message }))

/** The error of an end that is not after `nowMs`. */
export function pastEndError(endTime: Moment, nowMs: number): FieldError | undefined {
  if (endTime.epochMs > nowMs) return undefined
  return { pointer: '/endTime', message: `must be in the future; the current time is ${isoOf(nowMs)}` }
}
