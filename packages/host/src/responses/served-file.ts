import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import acceptNegotiator from '@fastify/accept-negotiator'
import type { FastifyInstance } from 'fastify'
import type { RateLimit } from '../security/rate-limit.ts'
import { addOtherMethods } from '../server/other-methods.ts'
import { commonHeaders, sendProblem } from './problem.ts'
import { sendTagged, type Tagged, tagged } from './success.ts'

export type TextFile = { readonly text: string; readonly headers: Readonly<Record<string, string>> }

export const css = { 'content-type': 'text/css; charset=utf-8' }
export const javascript = { 'content-type': 'text/javascript; charset=utf-8' }

/** The headers of a page that uses only what its policy names. */
export const pageWith = (policy: string): TextFile['headers'] => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
})

/** A file in each encoding, each with its own entity tag (RFC 9110, section 8.8.3.3). */
type ServedFile = { readonly identity: Tagged; readonly gzip: Tagged }

const gzip = promisify(gzipWithCallback)

async function prepareFile({ text, headers }: TextFile): Promise<ServedFile> {
  // The file is the same for every client until the next release.
  const all = { ...commonHeaders, 'cache-control': 'no-cache', ...headers }
  const body = Buffer.from(text)
  return { identity: tagged(body, all), gzip: tagged(await gzip(body), { ...all, 'content-encoding': 'gzip' }) }
}

/**
 * Serves a file, which is read on its first request, in the encoding that the client prefers. The response is 304 if
 * the client has it, or 429 if it exceeded the rate limit, if any.
 */
export function serveFile(
  app: FastifyInstance,
  url: string,
  operation: string,
  read: () => Promise<TextFile>,
  limit?: RateLimit,
): void {
  let prepared: Promise<ServedFile> | undefined

  async function prepare(): Promise<ServedFile> {
    try {
      return await prepareFile(await read())
    } catch (error) {
      prepared = undefined
      throw error
    }
  }

  const methods = ['GET', 'HEAD']
  addOtherMethods(app, url, { methods })
  app.route({
    method: methods,
    url,
    config: { operation },
    async handler(request, reply) {
      prepared ??= prepare()
      const encoding = acceptNegotiator.negotiate(request.headers['accept-encoding'] ?? '', ['gzip', 'identity'])
      const served = (await prepared)[encoding ?? 'identity']
      const exceeded = await limit?.(request, reply)
      if (exceeded !== undefined) return sendProblem(reply, exceeded)
      return sendTagged(request, reply, served, 'Accept-Encoding')
    },
  })
}
