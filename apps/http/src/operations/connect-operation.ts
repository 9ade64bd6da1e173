import type { Clock } from '@auction/domain/clock'
import { accepted, type Result, refused } from '@auction/domain/result'
import type { CallSignal } from '@auction/domain/store'
import { allFaultsOf, type ObjectSchema, type Parsed } from '@auction/domain/validation'
import type { FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { Problem } from '../answers/problem.ts'
import { problemOf, validationProblem } from '../answers/refusal.ts'
import { jsonBodyOf } from '../requests/json-body.ts'
import { parsePathParameters } from '../requests/path-parameters.ts'
import { parseQuery } from '../requests/query.ts'
import { parseRetryKey } from '../requests/retry-key.ts'
import { callerOf } from '../security/request-caller.ts'
import type { Carry, DataSchema, Definition, Input, OperationParts, UseCaseName } from './operation.ts'

/** Puts an operation's parts in their order: parse, bind the caller to its user, call the use case, put its refusal into words. */
export function connectOperation<
  Name extends UseCaseName,
  Parameters extends v.ObjectEntries,
  Query extends ObjectSchema,
  Fields,
  Data extends DataSchema,
>(definition: Definition<Name, Parameters, Query, Fields, Data>, parts: OperationParts): Carry {
  const { name, permission, actingUser, needsRequester, gathered, run } = definition
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
      // A field of that name is the id of a user.
      const user = { field: actingUser, id: fields[actingUser] as number }
      const problem = userBinding.refuseOtherUser(caller, user, permission)
      if (problem !== undefined) return refused(problem)
    }
    const requester = needsRequester ? userBinding.requesterOf(caller, permission) : nobody
    if (!requester.ok) return requester
    const { value: requesterId } = requester
    if (gathered) await endOfTick()
    const result = await run(useCase, requesterId === undefined ? input.value : { ...input.value, requesterId })
    return result.ok ? result : refused(problemOf(result.refusal, scope))
  }
}

/** Reads what an operation declares: first the JSON text, then the fields, parameters and headers, whose faults are told together. */
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
    const json = body && jsonBodyOf(request, body)
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
    return refused(validationProblem(allFaultsOf(read.retry, read.parameters, read.query, read.fields)))
  }
}

/** Node destroys a request that has no answer yet when its connection ends. */
const signalOf = ({ raw }: FastifyRequest): CallSignal => ({
  get aborted() {
    return raw.destroyed
  },
})

const nobody = accepted(undefined)

// Of what an operation does not declare. Its type is none, so nothing can read it.
const nothing = accepted(undefined as never)
