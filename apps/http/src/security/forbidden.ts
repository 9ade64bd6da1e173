import type { Problem } from '../answers/problem.ts'

/** A 403, with the scope that the operation takes (RFC 6750, section 3). */
export function forbidden(scope: string | undefined, message: string): Problem {
  const parameter = scope === undefined ? '' : `, scope="${scope}"`
  return {
    code: 'forbidden',
    message,
    headers: { 'www-authenticate': `Bearer error="insufficient_scope"${parameter}` },
  }
}
