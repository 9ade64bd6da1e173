import type { IncomingMessage } from 'node:http'
import { isoOf } from '@auction/domain/moment'
import { allErrorsOf, type ObjectSchema } from '@auction/domain/parsing'
import { type Accepted, accepted, refused } from '@auction/domain/result'
import type { CallSignal } from '@auction/domain/store'
import { addVary, type Success, sendProblem, sendRead, sendSuccess, tagOf } from '@auction/host/responses'
import { type Admission, callerOf, isAnonymous } from '@auction/host/security'
import { addOtherMethods, createHeavyWork } from '@auction/host/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Permission } from '../../configuration/permissions.ts'
import { bodyLimitBytes, hasLongBody, mediaTypesOf, parseRetryKey, readBody } from '../requests/json-body.ts'
import { parseParameters } from '../requests/parameters.ts'
import { problemOf, validationProblem } from '../responses/refusals.ts'
import type {
  DataSchema,
  Definition,
  Handled,
  Handler,
  Operation,
  OperationParts,
  Requirement,
  ResponseOf,
} from './operation.ts'

export const allOf = (...names: readonly Permission[]): Requirement => ({
  names,
  conjunction: 'and',
  missingIn(granted) {
    for (const name of names) if (!granted.has(name)) return name
    return undefined
  },
})

/** The first is reported as missing if none is granted. */
export const anyOf = (...names: readonly Permission[]): Requirement => ({
  names,
  conjunction: 'or',
  missingIn(granted) {
    for (const name of names) if (granted.has(name)) return undefined
    return names[0]
  },
})

/** The response to the result of a use case. It also reports whether an earlier request with the same key made it. */
export const responseTo = <Value, Refused extends { readonly ok: false }, Response extends Success>(
  result: Accepted<Value> | Refused,
  respond: (value: Value) => Response,
) => (result.ok ? accepted({ ...respond(result.value), isRepeated: result.isRepeated }) : result)

/** A body of 1 MiB takes up to some 30 ms. */
const parseLong = createHeavyWork(20)
const tooManyLong = refused(problemOf({ code: 'overloaded' }))

/** Defines an operation of the API: its route, documentation, schemas, code, and examples, which tests send. */
export function defineOperation<
  Data extends DataSchema,
  Fields = undefined,
  Parameters extends ObjectSchema = never,
  Query extends ObjectSchema = never,
  HeaderValue = never,
  Returned extends Handled<ResponseOf<Fields, Data>> = never,
>(definition: Definition<Parameters, Query, HeaderValue, Fields, Data, Returned>): Operation {
  const { route, docs, schemas, refusals, examples } = definition
  const { parameters, query, header, body } = schemas

  /** Parses the text of JSON first, then fields, parameters and headers, whose errors are returned together. */
  function parse(request: FastifyRequest, arrivedAtMs: number) {
    const sent = body && readBody(request, body)
    if (sent?.ok === false) return sent
    const retry = body ? parseRetryKey(request, callerOf(request).storedAs) : nothing
    const inHeader = header ? header.parse(request) : nothing
    const inPath = parameters ? parseParameters(parameters, request.params) : nothing
    const inQuery = query ? parseParameters(query, request.query) : nothing
    const path = inPath.ok ? inPath.value : undefined
    const fields = body && sent ? body.parse(sent.value, { arrivedAtMs, path }) : nothing
    if (!(retry.ok && inHeader.ok && inPath.ok && inQuery.ok && fields.ok)) {
      return refused(validationProblem(allErrorsOf(retry, inHeader, inPath, inQuery, fields)))
    }
    return accepted({
      parameters: inPath.value,
      query: inQuery.value,
      header: inHeader.value,
      body: fields.value,
      retry: retry.value,
    })
  }

  /** Creates the handler: parse the request, run the code of the operation, convert a refusal to a problem. */
  function connect({ service, clock, live, userBinding, viewerOf }: OperationParts): Handler {
    return async (request, reply) => {
      const caller = callerOf(request)
      const { arrivedAtMs = clock.nowMs() } = request.raw
      const parsed = hasLongBody(request)
        ? await (parseLong(() => parse(request, arrivedAtMs)) ?? tooManyLong)
        : parse(request, arrivedAtMs)
      if (!parsed.ok) return parsed
      // The clock is read first, so that the data is at least as new.
      const now = route.method === 'GET' ? isoOf(clock.nowMs()) : undefined
      const handled: Handled = await definition.handle({
        input: parsed.value,
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
      if (handled === 'sent') return handled
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

/** Adds the routes of operations, and for their paths the other methods. */
export function addOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  admit: Admission,
  hasAnonymousReads: boolean,
  parts: OperationParts,
): void {
  for (const { route, schemas, connect } of operations) {
    const { name, method, path, permissions } = route
    const { body, stream, csv, isTagged } = schemas
    const isPublic = route.isPublic === true && hasAnonymousReads
    const handle = connect(parts)
    app.route({
      method: methodsOf(method),
      url: urlOf(path),
      config: { operation: name, mediaTypes: body && mediaTypesOf(body) },
      bodyLimit: body?.maxBytes ?? bodyLimitBytes,
      onRequest: permissions === undefined ? [] : admit({ isPublic, missingIn: permissions.missingIn }),
      // Fastify waits for the end of a returned reply. Without one, it would end CSV whose first line is not written
      // yet.
      handler: async (request, reply) => {
        // The same path has two representations.
        if (stream !== undefined || csv !== undefined) addVary(reply, 'Accept')
        const result = await handle(request, reply)
        if (result === 'sent') return csv === undefined ? undefined : reply
        if (!result.ok) sendProblem(reply, result.refusal)
        else if (isAnonymous(request)) sendRead(request, reply, result.value, 'public')
        else if (isTagged && method === 'GET') sendRead(request, reply, result.value, 'private')
        else if (isTagged) sendSuccess(reply.header('etag', result.value.tag ?? tagOf(result.value)), result.value)
        else sendSuccess(reply, result.value)
        return undefined
      },
    })
  }
  for (const [path, onPath] of Map.groupBy(operations, ({ route }) => route.path)) {
    const methods = onPath.flatMap(({ route }) => methodsOf(route.method))
    const patchType = onPath.find(({ route }) => route.method === 'PATCH')?.schemas.body?.mediaType
    addOtherMethods(app, urlOf(path), { methods, patchType })
  }
}

const methodsOf = (method: Operation['route']['method']): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** The path in the form of the router. Parameters are not empty, so a trailing slash does not match. */
const urlOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1(.+)')

// The value of parts that the operation does not declare. Its type is `never`, so no code can use it.
const nothing = accepted(undefined as never)
