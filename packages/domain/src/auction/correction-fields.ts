import * as v from 'valibot'
import { type Parsed, parseObject } from '../values/validation.ts'
import { Description, Title } from './new-auction.ts'

export const missingTexts = 'must contain a title, a description or both'

/** The JSON of a correction: a merge patch (RFC 7396), in which null removes a member. */
export const CorrectionFields = v.pipe(
  v.object({
    title: v.exactOptional(v.nullable(v.pipe(Title, v.description('The new title; null removes it.')))),
    description: v.exactOptional(
      v.nullable(v.pipe(Description, v.description('The new description; null removes it.'))),
    ),
  }),
  v.minEntries(1, missingTexts),
)

/** A parsed correction. */
export type NewCorrection = { readonly title?: string | null; readonly description?: string | null }

/** Parses the JSON of a correction strictly, and reports every error. */
export const parseCorrection = (input: unknown): Parsed<NewCorrection> => parseObject(CorrectionFields, input)
