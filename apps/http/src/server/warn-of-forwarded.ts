import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/** Warns once that a proxy seems to forward requests, where none is trusted: then its clients share the limits of one address. */
export function warnOfForwarded(app: FastifyInstance, logger: Logger): void {
  let isWarned = false
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!isWarned && headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      logger.warn(
        'A request has the header X-Forwarded-For, and TRUST_PROXY is not set: it is not believed. If a proxy sends it, all clients of the proxy share the limits of one address; name the proxy in TRUST_PROXY.',
      )
    }
    done()
  })
}
