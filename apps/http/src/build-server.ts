import type { Clock } from '@auction/domain'
import { addProblems } from '@auction/host/responses'
import {
  createAdmission,
  createCallerIdentification,
  createPeerAddress,
  createRateLimits,
  createTokenVerifier,
  signToken,
  type TokenKey,
  trustProxyOption,
} from '@auction/host/security'
import {
  addLifecycle,
  allowOrigins,
  createConnections,
  createOverloadGate,
  createRequestsInFlight,
  refuseOverload,
  requestIdOf,
  warnOfForwarded,
} from '@auction/host/server'
import { addEventStreams } from '@auction/host/streams'
import { fastify } from 'fastify'
import type { Logger } from 'pino'
import { createUserBinding, createViewers } from './api/callers/caller.ts'
import { createClaimsReader } from './api/callers/claims.ts'
import { closeDueRegularly } from './api/closing.ts'
import { addDocuments, addPage } from './api/documents.ts'
import { createErrorHandler } from './api/errors.ts'
import { createLive } from './api/live/live.ts'
import type { HttpObserver } from './api/observability/instrument.ts'
import { addOperations } from './api/operations/define-operation.ts'
import { operations } from './api/operations/table.ts'
import type { Readiness } from './api/readiness.ts'
import { addBodyParser, bodyLimitBytes } from './api/requests/json-body.ts'
import { problemUrn } from './api/responses/refusals.ts'
import type { ServedService } from './api/served-service.ts'
import { addWebhooks, type WebhookParts } from './api/webhooks/webhooks.ts'
import type { Configuration } from './configuration/configuration.ts'
import { settingNames } from './configuration/settings.ts'

type ServerParts = {
  readonly configuration: Configuration & { readonly tokenKey: TokenKey }
  /** Outlives the server; its creator closes it after the server. It may be a promise until the store is open. */
  readonly service: ServedService | Promise<ServedService>
  /** The deliveries of this service, if there are endpoints of webhooks. */
  readonly delivery?: WebhookParts['delivery']
  readonly clock: Clock
  readonly logger: Logger
  readonly readiness: Readiness
  readonly httpObserver?: HttpObserver | undefined
}

type PeerAddress = ReturnType<typeof createPeerAddress>

export type BuiltServer = Awaited<ReturnType<typeof buildServer>>

/** Creates the server with what comes before its hooks: connections, overload and errors. */
function createApp({ configuration, clock, logger, readiness, httpObserver }: ServerParts, addressOf: PeerAddress) {
  const { connectionLimits, maxRequestsAtOnce } = configuration
  const connections = createConnections({
    limits: connectionLimits,
    addressOf,
    clock,
    logger,
    problemUrn,
    names: settingNames,
    observer: httpObserver,
  })
  const inFlight = createRequestsInFlight(logger, connections.pauseMsOf, httpObserver)
  const gate = createOverloadGate(maxRequestsAtOnce, inFlight.inWork)
  const { isAboveShare } = connections
  const handleError = createErrorHandler(logger, readiness)

  const app = fastify({
    // The server writes one line when a request ends. Fastify's child loggers would cost more than the request.
    logger: false,
    // Valibot validates requests. By default, Fastify would load Ajv, which takes a fifth of the startup time.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    genReqId: requestIdOf,
    bodyLimit: bodyLimitBytes,
    trustProxy: trustProxyOption(configuration.trustedProxies),
    // Paths are not case-sensitive. Long ids reach validation.
    routerOptions: { caseSensitive: false, maxParamLength: 20_000 },
    serverFactory: (handle) =>
      connections.createServer(
        refuseOverload(handle, { gate, isAboveShare, logger, problemUrn, names: settingNames, observer: httpObserver }),
      ),
    // The lifecycle sends the 503 in the envelope.
    return503OnClosing: false,
    // HEAD shares the GET routes, and Node omits the body. Fastify's HEAD routes would send a 304 with a length of 0.
    exposeHeadRoutes: false,
    clientErrorHandler: connections.onClientError,
    frameworkErrors: (error, request, reply) => {
      // These errors run no hooks.
      inFlight.open(request, reply)
      handleError(error, request, reply)
    },
  })
  app.setErrorHandler(handleError)
  return { app, inFlight }
}

/** Composes the server, for production and for tests. It does not listen. */
export async function buildServer(parts: ServerParts) {
  const { configuration, service, delivery, clock, logger, readiness, httpObserver } = parts
  const { connectionLimits } = configuration
  const addressOf = createPeerAddress(configuration.trustedProxies)
  const { app, inFlight } = createApp(parts, addressOf)

  // These apply to every request. Hooks run in the order in which they are added.
  await allowOrigins(app, configuration.corsOrigins)
  const lifecycle = addLifecycle(app, inFlight, readiness)
  if (configuration.trustedProxies === undefined) warnOfForwarded(app, logger, settingNames)
  const { viewerOf, publicViewer } = createViewers(configuration.pseudonymSecret)
  // These hooks run before those of closings, and at the end after the server has closed.
  const { abandonDeliveries } = addWebhooks(app, {
    endpoints: configuration.webhooks,
    delivery,
    clock,
    publicViewer,
    onEndpoint: httpObserver?.onEndpoint,
  })
  // Fastify closes only servers on which it listens itself. An error means that the server has never listened.
  app.addHook('onClose', (_app, done) => void app.server.close(() => done()))
  addProblems(app, problemUrn)
  addBodyParser(app)
  httpObserver?.addTo?.(app)

  app.addHook('onClose', async () => readiness.close())
  const rateLimit = { ...configuration.rateLimit, redisKeyPrefix: 'auction-service:rate-limit:' }
  const limits = await createRateLimits(app, rateLimit, logger, settingNames)
  app.decorateRequest('caller', undefined)
  const verifyToken = await createTokenVerifier(app, configuration.tokenKey, configuration.tokens, logger, settingNames)
  const callers = createCallerIdentification(verifyToken, createClaimsReader(configuration))
  const admitCaller = createAdmission(callers, limits, configuration.permissionValues)

  // Streams get half of the share, even if more connections are free: a stream is never idle, so it could not be closed
  // for others later.
  const maxStreamsPerAddress = Math.ceil(connectionLimits.maxConnectionsPerAddress / 2)
  const streamLimits = { ...configuration.streamLimits, maxStreamsPerAddress, addressOf }
  const streams = addEventStreams(app, streamLimits, httpObserver?.onStream)
  addOperations(app, operations, admitCaller, configuration.hasAnonymousReads, {
    service,
    clock,
    live: createLive({ service, clock, streams, publicViewer, onEvent: httpObserver?.onEvent }),
    userBinding: createUserBinding(configuration),
    viewerOf,
    readiness,
    lifecycle,
  })
  addDocuments(app, limits.documents, configuration.hasAnonymousReads)
  if (configuration.hasPage) await addPage(app)

  closeDueRegularly(app, async () => (await service).closeDue(), readiness, logger, httpObserver?.onClosingRun)
  return { app, lifecycle, streams, abandonDeliveries, signToken: (claims: object) => signToken(app, claims) }
}

function refuseSchemas(): never {
  throw new Error('a route must not have a JSON Schema: it would not be applied')
}
