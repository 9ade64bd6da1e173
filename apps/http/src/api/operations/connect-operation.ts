import type { Clock } from '@auction/domain'
import { allErrorsOf, type ObjectSchema, type Parsed } from '@auction/domain/parsing'
import { accepted, type Result, refused } from '@auction/domain/result'
import type { CallSignal } from '@auction/domain/store'
import type { FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { Problem } from '../../host/answers/problem.ts'
import { callerOf } from '../../host/security/caller.ts'
import { problemOf, validationProblem } from '../answers/refusal.ts'
import { jsonBodyOf } from '../requests/json-body.ts'
import { parsePathParameters } from '../requests/path-parameters.ts'
import { parseQuery } from '../requests/query.ts'
import { parseRetryKey } from '../requests/retry-key.ts'
import type { DataSchema, Definition, Handler, Input, OperationParts, UseCaseName } from './operation.ts'

/** Creates the handler of an operation: parse the request, check the user, call the use case, convert a refusal to a problem. */
export function connectOperation<
  Name extends UseCaseName,
  Parameters extends v.ObjectEntries,
  Query extends ObjectSchema,
  Fields,
  Data extends DataSchema,
>(definition: Definition<Name, Parameters, Query, Fields, Data>, parts: OperationParts): Handler {
  const { name, permission, actingUser, needsRequester, batched, run } = definition
  const { service, clock, userBinding, permissionValues, endOfTick } = parts
  const scope = permissionValues[permission]
  const useCase = service[name]
  const readInput = inputReader(definition, clock)

  return async (request) => {
    const input = readInput(request)
    if (!input.ok) return input
    const { fields } = input.value
    const caller = callerOf(request)
    if (actingUser !== undefined) {
      // The field is a user id.
      const user = { field: actingUser, id: fields[actingUser] as number }
      const problem = userBinding.refuseOtherUser(caller, user, permission)
      if (problem !== undefined) return refused(problem)
    }
    const requester = needsRequester ? userBinding.requesterOf(caller, permission) : noRequester
    if (!requester.ok) return requester
    const { value: requesterId } = requester
    if (batched) await endOfTick()
    const result = await run(useCase, requesterId === undefined ? input.value : { ...input.value, requesterId })
    return result.ok ? result : refused(problemOf(result.refusal, scope))
  }
}

/** Reads the input of an operation: first the JSON text, then fields, parameters and headers, whose errors are returned together. */
function inputReader<
  Name extends UseCaseName,
  Parameters extends v.ObjectEntries,
  Query extends ObjectSchema,
  Fields,
  Data extends DataSchema,
>({ parameters, query, body }: Definition<Name, Parameters, Query, Fields, Data>, clock: Clock) {
  type Read = Omit<Input<Parameters, Query, Fields>, 'viewer' | 'signal' | 'requesterId'>
  const readParameters = parameters && ((request: FastifyRequest) => parsePathParameters(parameters, request.params))
  const readQuery = query && ((request: FastifyRequest) => parseQuery(query, request.query))

  return (request: FastifyRequest): Result<Input<Parameters, Query, Fields>, Problem> => {
    const viewer = callerOf(request)
    const json = body && jsonBodyOf(request, body.isOptional)
    if (json?.ok === false) return refused(json.problem)
    const read: { readonly [Part in keyof Read]: Parsed<Read[Part]> } = {
      retry: body ? parseRetryKey(request, viewer.storedAs) : nothing,
      parameters: readParameters?.(request) ?? nothing,
      query: readQuery?.(request) ?? nothing,
      fields: body && json ? body.parse(json.value, clock.nowMs()) : nothing,
    }
    if (read.retry.ok && read.parameters.ok && read.query.ok && read.fields.ok) {
      return accepted({
        retry: read.retry.value,
        parameters: read.parameters.value,
        query: read.query.value,
        fields: read.fields.value,
        viewer,
        signal: signalOf(request),
        requesterId: undefined,
      })
    }
    return refused(validationProblem(allErrorsOf(read.retry, read.parameters, read.query, read.fields)))
  }
}

/** Node destroys a request without a response when its connection ends. */
const signalOf = ({ raw }: FastifyRequest): CallSignal => ({
  get aborted() {
    return raw.destroyed
  },
})

const noRequester = accepted(undefined)

// For parts that the operation does not declare. The type is `never`, so no code can use it.
const nothing = accepted(undefined as never)
