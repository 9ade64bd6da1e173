import { jwtPermissionChecker } from '@auction/adapters/jwt'
import type { Clock } from '@auction/domain/ports/clock'
import { createAuctionUseCase } from '@auction/domain/use-cases/create-auction'
import { listAuctionsUseCase } from '@auction/domain/use-cases/list-auctions'
import { listBidsUseCase } from '@auction/domain/use-cases/list-bids'
import { placeBidUseCase } from '@auction/domain/use-cases/place-bid'
import { readAuctionUseCase } from '@auction/domain/use-cases/read-auction'
import { readBidUseCase } from '@auction/domain/use-cases/read-bid'
import { type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import { addProblemToReplies } from '../answers/problem.ts'
import type { Configuration, TokenKey } from '../configuration/read-configuration.ts'
import { addJsonBodyParser, bodyLimitBytes } from '../requests/json-body.ts'
import type { Admit } from '../routes/admit.ts'
import { addAuctionRoutes } from '../routes/auctions.ts'
import { addBidRoutes } from '../routes/bids.ts'
import { admission } from '../security/admission.ts'
import { callerIdentification } from '../security/callers.ts'
import { rateLimiter } from '../security/rate-limit.ts'
import { addCallerToRequests } from '../security/request-caller.ts'
import { tokenVerifier } from '../security/token-verifier.ts'
import { userBinding } from '../security/user-binding.ts'
import { addConnectionHandlers, onClientError } from './connection-errors.ts'
import { createConnections } from './connections.ts'
import { errorHandler } from './errors.ts'
import { closeServerWith } from './http-server.ts'
import { requestLifecycle } from './lifecycle.ts'
import { refuseOtherMethods } from './other-methods.ts'
import { requestIds } from './request-ids.ts'
import type { Store } from './store.ts'
import { createUnreadAnswers } from './unread-answers.ts'

export type ServerParts = {
  readonly configuration: Configuration & { readonly tokenKey: TokenKey }
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
}

/** The server, composed: everything that answers a request is made here, for production and for tests. It does not listen. */
export async function buildServer({ configuration, store, clock, logger }: ServerParts): Promise<FastifyInstance> {
  const nextRequestId = requestIds()
  const connections = createConnections(configuration.connectionLimits, logger)
  const lifecycle = requestLifecycle(logger)
  const handleError = errorHandler(logger)

  const app = fastify({
    // One line a request is written by the lifecycle; Fastify's own child loggers would cost more than the request does.
    logger: false,
    genReqId: nextRequestId,
    bodyLimit: bodyLimitBytes,
    // Paths match whatever their letter case. Ids of any length reach their own check.
    routerOptions: { caseSensitive: false, maxParamLength: 20_000 },
    serverFactory: connections.createServer,
    // The lifecycle answers in the envelope.
    return503OnClosing: false,
    clientErrorHandler: onClientError(connections, nextRequestId),
    frameworkErrors: (error, request, reply) => {
      lifecycle.open(request, reply)
      handleError(error, request, reply)
    },
  })
  lifecycle.addTo(app)
  addConnectionHandlers(app, connections, nextRequestId)
  closeServerWith(app)
  app.setErrorHandler(handleError)
  addJsonBodyParser(app)
  const closeMethods = refuseOtherMethods(app)

  const unreadAnswers = createUnreadAnswers(configuration.connectionLimits, logger)
  app.decorate('unreadAnswers', unreadAnswers)
  addCallerToRequests(app)
  addProblemToReplies(app)
  const { tokenKey, tokens, permissionValues, rateLimit } = configuration
  const checker = jwtPermissionChecker({ claims: tokens.permissionClaims, values: permissionValues })
  const identifyCaller = callerIdentification(await tokenVerifier(app, tokenKey, tokens, logger), checker)
  const admitCaller = admission(identifyCaller, await rateLimiter(app, rateLimit), permissionValues)
  const admit: Admit = (permission) => [admitCaller(permission), unreadAnswers.refuse]
  const refuseOtherUser = userBinding(configuration)

  const ports = { ...store, clock }
  addAuctionRoutes(app, {
    admit,
    refuseOtherUser,
    createAuction: createAuctionUseCase(ports),
    readAuction: readAuctionUseCase(ports),
    listAuctions: listAuctionsUseCase(ports),
    clock,
  })
  addBidRoutes(app, {
    admit,
    refuseOtherUser,
    placeBid: placeBidUseCase(ports),
    readBid: readBidUseCase(ports),
    listBids: listBidsUseCase(ports),
  })
  closeMethods()
  return app
}
