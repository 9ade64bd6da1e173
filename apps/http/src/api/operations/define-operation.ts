import type { IncomingMessage } from 'node:http'
import { isoOf } from '@auction/domain/moment'
import { allErrorsOf, type ObjectSchema } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import type { CallSignal } from '@auction/domain/store'
import type { FastifyRequest } from 'fastify'
import type { Problem } from '../../host/answers/problem.ts'
import { callerOf } from '../../host/security/callers.ts'
import { endOfTick } from '../../host/server/end-of-tick.ts'
import { asksForEvents } from '../../host/streams/event-streams.ts'
import type { UseCaseName } from '../answers/refusals.ts'
import { problemOf, validationProblem } from '../answers/refusals.ts'
import { hiddenBidder, maySeeBids } from '../callers/viewer.ts'
import { jsonBodyOf } from '../requests/json-body.ts'
import { type IfMatch, parseIfMatch, parseLastEventId, parseParameters, parseRetryKey } from '../requests/parameters.ts'
import type { DataSchema, Definition, Handler, Operation, OperationParts } from './operation.ts'

/** Defines an operation of the API: its route, permission, documentation and examples, which tests send. */
export function defineOperation<
  const Name extends UseCaseName,
  Data extends DataSchema,
  Fields = undefined,
  Parameters extends ObjectSchema = never,
  Query extends ObjectSchema = never,
>(definition: Definition<Name, Parameters, Query, Fields, Data>): Operation {
  const { name, method, parameters, query, body, actingUser, isConditional, success, follow, operationId } = definition

  /** Creates the handler: parse the request, check the user, call the use case, convert a refusal to a problem. */
  function connect({ service, clock, live, requesterOf, viewerOf }: OperationParts): Handler {
    return async (request, reply) => {
      const caller = callerOf(request)
      const { arrivedAtMs = clock.nowMs() } = request.raw
      // First the JSON text, then fields, parameters and headers, whose errors are returned together.
      const json = body && jsonBodyOf(request, body.isOptional)
      if (json?.ok === false) return json
      const retry = body ? parseRetryKey(request, caller.storedAs) : nothing
      const inPath = parameters ? parseParameters(parameters, request.params) : nothing
      const inQuery = query ? parseParameters(query, request.query) : nothing
      const fields = body && json ? body.parse(json.value, arrivedAtMs) : nothing
      const ifMatch = isConditional ? parseIfMatch(request) : nothing
      const isStreamed = follow !== undefined && asksForEvents(request)
      const lastEventId = isStreamed && success.stream?.isResumable ? parseLastEventId(request) : nothing
      if (!(retry.ok && inPath.ok && inQuery.ok && fields.ok && ifMatch.ok && lastEventId.ok)) {
        return refused(validationProblem(allErrorsOf(retry, ifMatch, lastEventId, inPath, inQuery, fields)))
      }
      if (isStreamed) {
        const asked = { parameters: inPath.value, query: inQuery.value }
        const problem = await follow(live, asked, lastEventId.value, request, reply)
        return problem === undefined ? 'answered' : refused(problem)
      }
      if (isConditional && ifMatch.value === undefined) return refused(preconditionRequired)
      // The cast: the field is a user id.
      const user = actingUser && { field: actingUser, id: fields.value[actingUser] as number }
      const bound = body ? requesterOf(caller, user) : unbound
      const viewer = viewerOf(caller)
      const requester = definition.requester?.(bound, fields.value, viewer) ?? bound
      if (!requester.ok) return requester
      const bidder = definition.askedBidder?.(inQuery.value)
      if (bidder !== undefined && !maySeeBids(viewer, bidder)) return refused(hiddenBidder)
      if (definition.batched) await endOfTick()
      const input = {
        retry: retry.value,
        parameters: inPath.value,
        query: inQuery.value,
        fields: fields.value,
        viewer,
        signal: new RequestSignal(request),
        arrivedAtMs,
        requesterId: requester.value,
        storedCaller: caller.storedAs,
        ifMatch: ifMatch.value as IfMatch, // Checked above, for operations that read it.
      }
      // Read first, so that the data is at least as new.
      const now = method === 'GET' ? { now: isoOf(clock.nowMs()) } : undefined
      const result = await definition.call((await service)[name], input)
      if (result.ok)
        return accepted({ ...definition.answer(result.value, input), ...now, isRepeated: result.isRepeated })
      return refused(problemOf(result.refusal))
    }
  }

  return { ...definition, name: operationId ?? name, connect }
}

/** Node destroys a request without a response when its connection ends. A class, as a getter in a literal costs a hidden class each time. */
class RequestSignal implements CallSignal {
  private readonly request: IncomingMessage

  constructor({ raw }: FastifyRequest) {
    this.request = raw
  }

  get aborted(): boolean {
    return this.request.destroyed
  }
}

const preconditionRequired: Problem = {
  code: 'precondition-required',
  message: 'The request needs an If-Match header with the ETag of the resource, as the last read returned it.',
}

const unbound = accepted(undefined)

// For parts that the operation does not declare. The type is `never`, so no code can use it.
const nothing = accepted(undefined as never)
