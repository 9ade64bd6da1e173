import type { IncomingMessage } from 'node:http'
import { isoOf } from '@auction/domain/moment'
import { allErrorsOf, type ObjectSchema } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import type { CallSignal } from '@auction/domain/store'
import { callerOf } from '@auction/host/security'
import type { FastifyRequest } from 'fastify'
import { problemOf, validationProblem } from '../answers/refusals.ts'
import { jsonBodyOf } from '../requests/json-body.ts'
import { parseParameters, parseRetryKey } from '../requests/parameters.ts'
import type { AnswerOf, DataSchema, Definition, Handled, Handler, Operation, OperationParts } from './operation.ts'

/** Defines an operation of the API: its route, documentation, schemas, code, and examples, which tests send. */
export function defineOperation<
  Data extends DataSchema,
  Fields = undefined,
  Parameters extends ObjectSchema = never,
  Query extends ObjectSchema = never,
  HeaderValue = never,
  Returned extends Handled<AnswerOf<Fields, Data>> = never,
>(definition: Definition<Parameters, Query, HeaderValue, Fields, Data, Returned>): Operation {
  const { route, docs, schemas, refusals, examples } = definition
  const { parameters, query, header, body } = schemas

  /** Creates the handler: parse the request, run the code of the operation, convert a refusal to a problem. */
  function connect({ service, clock, live, userBinding, viewerOf }: OperationParts): Handler {
    return async (request, reply) => {
      const caller = callerOf(request)
      const { arrivedAtMs = clock.nowMs() } = request.raw
      // Checks the JSON text first, then fields, parameters and headers, whose errors are returned together.
      const json = body && jsonBodyOf(request, body)
      if (json?.ok === false) return json
      const retry = body ? parseRetryKey(request, caller.storedAs) : nothing
      const inHeader = header ? header.parse(request) : nothing
      const inPath = parameters ? parseParameters(parameters, request.params) : nothing
      const inQuery = query ? parseParameters(query, request.query) : nothing
      const path = inPath.ok ? inPath.value : undefined
      const fields = body && json ? body.parse(json.value, { arrivedAtMs, path }) : nothing
      if (!(retry.ok && inHeader.ok && inPath.ok && inQuery.ok && fields.ok)) {
        return refused(validationProblem(allErrorsOf(retry, inHeader, inPath, inQuery, fields)))
      }
      // The clock is read first, so that the data is at least as new.
      const now = route.method === 'GET' ? isoOf(clock.nowMs()) : undefined
      const handled: Handled = await definition.handle({
        input: {
          parameters: inPath.value,
          query: inQuery.value,
          header: inHeader.value,
          body: fields.value,
          retry: retry.value,
        },
        caller,
        viewer: viewerOf(caller),
        userBinding,
        service: await service,
        live,
        signal: new RequestSignal(request),
        arrivedAtMs,
        request,
        reply,
      })
      if (handled === 'answered') return handled
      if (handled.ok) return now === undefined ? handled : accepted({ ...handled.value, now })
      const { refusal } = handled
      return refused('message' in refusal ? refusal : problemOf(refusal))
    }
  }

  return { route, docs, schemas, refusals, examples, connect }
}

/**
 * Node destroys a request without a response when its connection ends. This is a class, because a getter in a literal
 * costs a hidden class each time.
 */
class RequestSignal implements CallSignal {
  private readonly request: IncomingMessage

  constructor({ raw }: FastifyRequest) {
    this.request = raw
  }

  get aborted(): boolean {
    return this.request.destroyed
  }
}

// The value of parts that the operation does not declare. Its type is `never`, so no code can use it.
const nothing = accepted(undefined as never)
