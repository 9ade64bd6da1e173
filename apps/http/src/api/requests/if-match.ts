import { type Parsed, validationFailed } from '@auction/domain/parsing'
import { accepted, refused } from '@auction/domain/result'
import type { FastifyRequest } from 'fastify'

/** The entity tags of an `If-Match` (RFC 9110, section 13.1.1), or `*` for any state of an existing resource. */
export type IfMatch = '*' | readonly string[]

const tag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const tags = new RegExp(`^${tag}(?:[ \\t]*,[ \\t]*${tag})*$`)

/** Reads the `If-Match` header; undefined without one. Node joins repeated headers to a list. */
export function parseIfMatch({ headers }: FastifyRequest): Parsed<IfMatch | undefined> {
  const given = headers['if-match']
  if (given === undefined || given === '*') return accepted(given)
  if (tags.test(given)) return accepted(given.match(new RegExp(tag, 'g')) ?? [])
  return refused(validationFailed({ pointer: '/If-Match', message: 'must be * or ETags of the resource, in quotes' }))
}
