import type { ObjectSchema } from '@auction/domain/parsing'
import { type ProblemHeader, titleOf } from '@auction/host/responses'
import * as v from 'valibot'
import type { Operation } from '../operations/operation.ts'
import { clientCode, type ProblemCode, problemCodes, problemType, problemUrn } from '../responses/refusals.ts'
import { capitalized } from './names.ts'

/** The codes that an operation can return, ordered by status. */
export function problemsOf(operation: Operation): readonly ProblemCode[] {
  // The cast: an operation's refusals are typed by their codes.
  const codes = new Set<ProblemCode>([...always, ...(Object.keys(operation.refusals) as ProblemCode[])])
  const { body, parameters, query } = operation.schemas
  if (operation.route.permissions !== undefined) for (const code of ofAdmission) codes.add(code)
  if (body !== undefined) for (const code of ofBodies) codes.add(code)
  if ((body ?? parameters ?? query) !== undefined) codes.add('validation-failed')
  return problemCodes.filter((code) => codes.has(code))
}

const always: readonly ProblemCode[] = ['bad-request', 'request-timeout', 'headers-too-large', 'internal']
const ofAdmission: readonly ProblemCode[] = [
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'store-unavailable',
  'issuer-unavailable',
  'overloaded',
]
const ofBodies: readonly ProblemCode[] = [
  'malformed-json',
  'payload-too-large',
  'unsupported-media-type',
  'idempotency-key-reused',
]

export const problemSchemaName = (code: ProblemCode): string => `${capitalized(code)}Problem`

/** The failure envelope of a problem, with the members of its code. */
export function problemSchema(code: ProblemCode): ObjectSchema {
  const type = problemType(code)
  const seenAs = clientCode(code)
  return v.object({
    success: v.literal(false),
    message: v.pipe(v.string(), v.description('A message for people.')),
    type: v.literal(`${problemUrn}${seenAs}`),
    title: v.literal(titleOf(type, seenAs)),
    status: v.literal(type.status),
    code: v.pipe(v.literal(seenAs), v.description('A stable code for programs.')),
    ...type.members,
  })
}

export const headersOf = (codes: readonly ProblemCode[]): readonly ProblemHeader[] => [
  ...new Set(codes.flatMap((code) => problemType(code).headers ?? [])),
]
