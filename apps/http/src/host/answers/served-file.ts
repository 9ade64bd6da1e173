import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import acceptNegotiator from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RateLimit } from '../security/rate-limit/rate-limit.ts'
import { commonHeaders, sendProblem } from './problem.ts'
import { namesTag, sendTagged, type Tagged, tagged } from './success.ts'

export type TextFile = { readonly text: string; readonly headers: Readonly<Record<string, string>> }

/** A file in each encoding, with one entity tag each (RFC 9110, section 8.8.3.3). Hashed and compressed only once. */
export type ServedFile = { readonly identity: Tagged; readonly gzip: Tagged }

const gzip = promisify(gzipWithCallback)

export async function prepareFile({ text, headers }: TextFile): Promise<ServedFile> {
  // The same for every client, until the next release.
  const all = { ...commonHeaders, 'cache-control': 'no-cache', ...headers }
  const body = Buffer.from(text)
  return { identity: tagged(body, all), gzip: tagged(await gzip(body), { ...all, 'content-encoding': 'gzip' }) }
}

/** Sends the file in the encoding that the client prefers, 304 if the client has it, or 429 if it exceeded the rate limit, if any. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
  limit?: RateLimit,
): Promise<FastifyReply> {
  const encoding = acceptNegotiator.negotiate(request.headers['accept-encoding'] ?? '', ['gzip', 'identity'])
  const served = file[encoding ?? 'identity']
  const exceeded = namesTag(request, served.tag) ? undefined : await limit?.(request, reply)
  if (exceeded !== undefined) return sendProblem(reply, exceeded)
  return sendTagged(request, reply, served, 'Accept-Encoding')
}
