import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/** Warns once if an untrusted proxy seems to forward requests, because its clients then share the limits of one address. */
export function warnOfForwarded(app: FastifyInstance, logger: Logger): void {
  let isWarned = false
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (!isWarned && headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      logger.warn(
        'A request has the header X-Forwarded-For, which is ignored because TRUST_PROXY is not set. If a proxy sends it, all clients of the proxy share the limits of one address; name the proxy in TRUST_PROXY.',
      )
    }
    done()
  })
}
