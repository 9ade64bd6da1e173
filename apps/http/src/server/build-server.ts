import { createJwtPermissionChecker } from '@auction/adapters/jwt'
import type { Clock } from '@auction/domain/clock'
import type { AuctionService } from '@auction/domain/service'
import { type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import { addProblemToReplies } from '../answers/problem.ts'
import type { Configuration, TokenKey } from '../configuration/read-configuration.ts'
import { addJsonBodyParser, bodyLimitBytes } from '../requests/json-body.ts'
import type { Admit } from '../routes/admit.ts'
import { addAuctionRoutes } from '../routes/auctions.ts'
import { addBidRoutes } from '../routes/bids.ts'
import { createAdmission } from '../security/admission.ts'
import { createCallerIdentification } from '../security/callers.ts'
import { createRateLimiter } from '../security/rate-limit.ts'
import { addCallerToRequests } from '../security/request-caller.ts'
import { createTokenVerifier } from '../security/token-verifier.ts'
import { createUserBinding } from '../security/user-binding.ts'
import { closeDueRegularly } from './closing.ts'
import { addConnectionHandlers, onClientError } from './connection-errors.ts'
import { createConnections } from './connections.ts'
import { createErrorHandler } from './errors.ts'
import { closeServerWith } from './http-server.ts'
import { createLifecycle } from './lifecycle.ts'
import { refuseOtherMethods } from './other-methods.ts'
import { createRequestIds } from './request-ids.ts'
import { createUnreadAnswers } from './unread-answers.ts'
import type { ServerWatch } from './watch.ts'

export type ServerParts = {
  readonly configuration: Configuration & { readonly tokenKey: TokenKey }
  /** Outlives the server: whoever made it closes it then. */
  readonly service: AuctionService
  readonly clock: Clock
  readonly logger: Logger
  readonly watch?: ServerWatch | undefined
}

/** The server, composed: everything that answers a request is made here, for production and for tests. It does not listen. */
export async function buildServer(parts: ServerParts): Promise<FastifyInstance> {
  const { configuration, service, clock, logger, watch } = parts
  const nextRequestId = createRequestIds()
  const connections = createConnections(configuration.connectionLimits, logger, watch)
  const lifecycle = createLifecycle(logger, watch)
  const handleError = createErrorHandler(logger)

  const app = fastify({
    // One line a request is written by the lifecycle; Fastify's own child loggers would cost more than the request does.
    logger: false,
    genReqId: nextRequestId,
    bodyLimit: bodyLimitBytes,
    // Paths match whatever their letter case. Ids of any length reach their own check.
    routerOptions: { caseSensitive: false, maxParamLength: 20_000 },
    serverFactory: connections.createServer,
    // What compiles JSON schemas takes a quarter of the start to load, and no route has one.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    // The lifecycle answers in the envelope.
    return503OnClosing: false,
    clientErrorHandler: onClientError(connections, nextRequestId, watch),
    frameworkErrors: (error, request, reply) => {
      lifecycle.open(request, reply)
      handleError(error, request, reply)
    },
  })
  lifecycle.addTo(app)
  addConnectionHandlers(app, connections, nextRequestId, watch)
  closeServerWith(app)
  app.setErrorHandler(handleError)
  addJsonBodyParser(app)
  watch?.addTo?.(app)
  const closeMethods = refuseOtherMethods(app)

  const unreadAnswers = createUnreadAnswers(configuration.connectionLimits, logger, watch)
  app.decorate('unreadAnswers', unreadAnswers)
  addCallerToRequests(app)
  addProblemToReplies(app)
  const { tokenKey, tokens, permissionValues, rateLimit } = configuration
  const checker = createJwtPermissionChecker({ claims: tokens.permissionClaims, values: permissionValues })
  const identifyCaller = createCallerIdentification(await createTokenVerifier(app, tokenKey, tokens, logger), checker)
  const admitCaller = createAdmission(identifyCaller, await createRateLimiter(app, rateLimit), permissionValues)
  const admit: Admit = (permission) => [admitCaller(permission), unreadAnswers.refuse]
  const refuseOtherUser = createUserBinding(configuration)

  addAuctionRoutes(app, { admit, refuseOtherUser, service, clock })
  addBidRoutes(app, { admit, refuseOtherUser, service })
  closeMethods()
  closeDueRegularly(app, service.closeDue, logger, watch)
  return app
}

function refuseSchemas(): never {
  throw new Error(
    'routes have no JSON schemas here: what they take is parsed by valibot, and what they answer is typed',
  )
}
