import type { RetryKey } from '@auction/domain/request-key'
import { allFaultsOf, type Parsed } from '@auction/domain/validation'
import type { FastifyRequest } from 'fastify'
import type { Problem } from '../answers/problem.ts'
import { validationProblem } from '../answers/refusal.ts'
import { jsonBodyOf } from '../requests/json-body.ts'
import { parseRetryKey } from '../requests/retry-key.ts'

/** What a POST asks for. */
type Command<Fields> = { readonly fields: Fields; readonly retry: RetryKey | undefined }
type CommandReading<Fields> =
  | { readonly ok: true; readonly command: Command<Fields> }
  | { readonly ok: false; readonly problem: Problem }

/** Reads a POST: first the JSON, then its fields and the header `Idempotency-Key`; the header's fault is told first. */
export function readCommand<Fields>(
  request: FastifyRequest,
  caller: string,
  parseFields: (input: unknown) => Parsed<Fields>,
): CommandReading<Fields> {
  const body = jsonBodyOf(request)
  if (!body.ok) return body
  const fields = parseFields(body.value)
  const retry = parseRetryKey(request, caller)
  if (fields.ok && retry.ok) return { ok: true, command: { fields: fields.value, retry: retry.value } }
  return { ok: false, problem: validationProblem(allFaultsOf(retry, fields)) }
}
