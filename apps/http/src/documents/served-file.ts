import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import acceptNegotiator from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { commonHeaders } from '../answers/common-headers.ts'
import { sendProblem } from '../answers/problem.ts'
import { namesTag, sendTagged, type Tagged, tagged } from '../answers/tagged.ts'
import type { LimitDocuments } from '../security/rate-limit/document-limit.ts'

export type TextFile = { readonly text: string; readonly headers: Readonly<Record<string, string>> }

/**
 * A file as it is served, in each encoding with a tag of its own (RFC 9110, section 8.8.3.3). All of it is made once: nobody who asks
 * again and again makes the server hash or compress.
 */
export type ServedFile = { readonly identity: Tagged; readonly gzip: Tagged }

const gzip = promisify(gzipWithCallback)

export async function prepareFile({ text, headers }: TextFile): Promise<ServedFile> {
  // For everybody the same, until the next release.
  const all = { ...commonHeaders, 'cache-control': 'no-cache', ...headers }
  const body = Buffer.from(text)
  return {
    identity: tagged(body, all),
    gzip: tagged(await gzip(body), { ...all, 'content-encoding': 'gzip' }),
  }
}

/** Sends a file in the encoding that the client likes best, unless it has it or asks too often. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: ServedFile,
  limit: LimitDocuments,
): FastifyReply {
  const encoding = acceptNegotiator.negotiate(request.headers['accept-encoding'] ?? '', ['gzip', 'identity'])
  const served = file[encoding ?? 'identity']
  const exceeded = namesTag(request, served.tag) ? undefined : limit(request, reply)
  if (exceeded !== undefined) return sendProblem(reply, exceeded)
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'Accept-Encoding' : `${others}, Accept-Encoding`)
  sendTagged(request, reply, served)
  reply.server.unreadAnswers.noteShared(reply)
  return reply
}
