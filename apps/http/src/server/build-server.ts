import type { Clock } from '@auction/domain/clock'
import { type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import { addProblemToReplies } from '../answers/problem.ts'
import type { Configuration, TokenKey } from '../configuration/configuration.ts'
import { trustProxyOption } from '../configuration/trusted-proxies.ts'
import { addDocuments } from '../documents/add-documents.ts'
import { addOperations } from '../operations/add-operations.ts'
import type { ServedService } from '../operations/operation.ts'
import { addJsonBodyParser, bodyLimitBytes } from '../requests/json-body.ts'
import { createTick } from '../requests/tick.ts'
import { addAdmission } from '../security/add-admission.ts'
import { createDocumentLimit } from '../security/rate-limit/document-limit.ts'
import { createUserBinding } from '../security/user-binding.ts'
import { closeDueRegularly } from './closing.ts'
import { addConnectionHandlers, onClientError } from './connections/connection-errors.ts'
import { createConnections } from './connections/connections.ts'
import { closeServerWith } from './connections/http-server.ts'
import { createPeerAddress } from './connections/peer-address.ts'
import { createUnreadAnswers } from './connections/unread-answers.ts'
import { allowOrigins } from './cross-origin.ts'
import { createErrorHandler } from './errors.ts'
import type { Readiness } from './health.ts'
import { addLifecycle } from './lifecycle.ts'
import { answerOtherMethods } from './other-methods.ts'
import { createOverloadGate } from './overload-gate.ts'
import { refuseOverload } from './refuse-overload.ts'
import { createRequestIds } from './request-ids.ts'
import { createRequestsUnderWay } from './under-way.ts'
import { warnOfForwarded } from './warn-of-forwarded.ts'
import type { ServerWatch } from './watch.ts'

export type ServerParts = {
  readonly configuration: Configuration & { readonly tokenKey: TokenKey }
  /** Outlives the server: whoever made it closes it then. Until the store is open, nothing but `closeDue` is called, which may wait. */
  readonly service: ServedService
  readonly clock: Clock
  readonly logger: Logger
  readonly readiness: Readiness
  readonly watch?: ServerWatch | undefined
}

/** The server, composed: everything that answers a request is made here, for production and for tests. It does not listen. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { configuration, service, clock, logger, readiness, watch } = parts
  const { connectionLimits, maxRequestsAtOnce } = configuration
  const requestIds = createRequestIds()
  const underWay = createRequestsUnderWay(logger, watch)
  const gate = createOverloadGate({
    maxAtOnce: maxRequestsAtOnce,
    inWork: underWay.inWork,
    nowMs: () => performance.now(),
  })
  const connections = createConnections({
    limits: connectionLimits,
    addressOf: createPeerAddress(configuration.trustedProxies),
    logger,
    guard: (handle) => refuseOverload(handle, gate, requestIds, logger, watch),
    watch,
  })
  const handleError = createErrorHandler(logger, readiness)

  const app = fastify({
    // One line a request is written when it ends; Fastify's own child loggers would cost more than the request does.
    logger: false,
    genReqId: requestIds.of,
    bodyLimit: bodyLimitBytes,
    trustProxy: trustProxyOption(configuration.trustedProxies),
    // Paths match whatever their letter case. Ids of any length reach their own check.
    routerOptions: { caseSensitive: false, maxParamLength: 20_000 },
    serverFactory: connections.createServer,
    // What compiles JSON schemas takes a quarter of the start to load, and no route has one.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    // The lifecycle answers in the envelope.
    return503OnClosing: false,
    // HEAD is routed with GET, and Node leaves the body out. Fastify's own routes for it would answer a 304 with a length of 0.
    exposeHeadRoutes: false,
    clientErrorHandler: onClientError(connections, requestIds, watch),
    frameworkErrors: (error, request, reply) => {
      // These pass no hook.
      underWay.open(request, reply)
      handleError(error, request, reply)
    },
  })

  // What every request goes through, whatever its route. Hooks run in the order in which they are added.
  await allowOrigins(app, configuration.corsOrigins)
  const lifecycle = addLifecycle(app, underWay, readiness)
  addConnectionHandlers(app, connections, requestIds, watch)
  if (configuration.trustedProxies === undefined) warnOfForwarded(app, logger)
  closeServerWith(app)
  app.setErrorHandler(handleError)
  addProblemToReplies(app)
  addJsonBodyParser(app)
  watch?.addTo?.(app)

  const unreadAnswers = createUnreadAnswers(connectionLimits, logger, watch)
  app.decorate('unreadAnswers', unreadAnswers)
  app.decorate('readiness', readiness)
  app.addHook('onClose', async () => readiness.close())
  const admitCaller = await addAdmission(app, configuration, logger)

  const answerRest = answerOtherMethods(app)
  addOperations(app, (permission) => [admitCaller(permission), unreadAnswers.refuse], {
    service,
    clock,
    userBinding: createUserBinding(configuration),
    permissionValues: configuration.permissionValues,
    endOfTick: createTick(),
    readiness,
    lifecycle,
  })
  addDocuments(app, createDocumentLimit(configuration.rateLimit))
  answerRest()

  closeDueRegularly(app, service.closeDue, readiness, logger, watch)
  return app
}

function refuseSchemas(): never {
  throw new Error(
    'routes have no JSON schemas here: what they take is parsed by valibot, and what they answer is typed',
  )
}
