import { createJwtPermissionChecker } from '@auction/adapters/jwt'
import type { Clock } from '@auction/domain/clock'
import type { AuctionService } from '@auction/domain/service'
import { type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import { addProblemToReplies } from '../answers/problem.ts'
import type { Configuration, TokenKey } from '../configuration/read-configuration.ts'
import { trustProxyOption } from '../configuration/trusted-proxies.ts'
import { addDocuments } from '../documents/add-documents.ts'
import { type Admit, addOperations } from '../operations/add-operations.ts'
import { addJsonBodyParser, bodyLimitBytes } from '../requests/json-body.ts'
import { createTick } from '../requests/tick.ts'
import { createAdmission } from '../security/admission.ts'
import { createCallerIdentification } from '../security/callers.ts'
import { createIdentify } from '../security/identity.ts'
import { createRateLimit } from '../security/rate-limit/rate-limit.ts'
import { addCallerToRequests } from '../security/request-caller.ts'
import { createTokenVerifier } from '../security/token-verifier.ts'
import { createUserBinding } from '../security/user-binding.ts'
import { closeDueRegularly } from './closing.ts'
import { addConnectionHandlers, onClientError } from './connection-errors.ts'
import { createConnections } from './connections.ts'
import { allowOrigins } from './cross-origin.ts'
import { createErrorHandler } from './errors.ts'
import { createReadiness, type Ping } from './health.ts'
import { closeServerWith } from './http-server.ts'
import { createLifecycle } from './lifecycle.ts'
import { answerOtherMethods } from './other-methods.ts'
import { createOverloadGate, refuseOverload } from './overload.ts'
import { createRequestIds } from './request-ids.ts'
import { createUnreadAnswers } from './unread-answers.ts'
import type { ServerWatch } from './watch.ts'

export type ServerParts = {
  readonly configuration: Configuration & { readonly tokenKey: TokenKey }
  /** Outlives the server: whoever made it closes it then. */
  readonly service: AuctionService
  readonly clock: Clock
  readonly logger: Logger
  /** Whether the server is ready follows from it. */
  readonly ping: Ping
  readonly watch?: ServerWatch | undefined
}

/** The server, composed: everything that answers a request is made here, for production and for tests. It does not listen. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { configuration, service, clock, logger, ping, watch } = parts
  const requestIds = createRequestIds()
  const lifecycle = createLifecycle(logger, watch)
  const gate = createOverloadGate({
    maxAtOnce: configuration.maxRequestsAtOnce,
    inWork: lifecycle.inWork,
    nowMs: () => performance.now(),
  })
  const connections = createConnections(
    configuration.connectionLimits,
    logger,
    (handle) => refuseOverload(handle, gate, requestIds, logger, watch),
    watch,
  )
  const handleError = createErrorHandler(logger)

  const app = fastify({
    // One line a request is written by the lifecycle; Fastify's own child loggers would cost more than the request does.
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
      lifecycle.open(request, reply)
      handleError(error, request, reply)
    },
  })
  await allowOrigins(app, configuration.corsOrigins)
  lifecycle.addTo(app, connections)
  app.decorate('lifecycle', lifecycle)
  const readiness = createReadiness(ping, logger)
  app.decorate('readiness', readiness)
  addConnectionHandlers(app, connections, requestIds, watch)
  closeServerWith(app)
  app.setErrorHandler(handleError)
  addJsonBodyParser(app)
  watch?.addTo?.(app)
  const closeMethods = answerOtherMethods(app)

  const unreadAnswers = createUnreadAnswers(configuration.connectionLimits, logger, watch)
  app.decorate('unreadAnswers', unreadAnswers)
  addCallerToRequests(app)
  addProblemToReplies(app)
  const { tokenKey, tokens, permissionValues } = configuration
  const checker = createJwtPermissionChecker({ claims: tokens.permissionClaims, values: permissionValues })
  const callers = createCallerIdentification(await createTokenVerifier(app, tokenKey, tokens, logger), checker)
  const rateLimit = await createRateLimit(app, configuration.rateLimit, logger)
  const admitCaller = createAdmission(createIdentify(callers, rateLimit), rateLimit, permissionValues)
  const admit: Admit = (permission) => [admitCaller(permission), unreadAnswers.refuse]
  const refuseOtherUser = createUserBinding(configuration)

  addOperations(app, admit, {
    service,
    clock,
    refuseOtherUser,
    endOfTick: createTick(),
    readiness,
    lifecycle,
  })
  addDocuments(app, rateLimit.countDocument)
  closeMethods()
  closeDueRegularly(app, service.closeDue, logger, watch)
  return app
}

function refuseSchemas(): never {
  throw new Error(
    'routes have no JSON schemas here: what they take is parsed by valibot, and what they answer is typed',
  )
}
