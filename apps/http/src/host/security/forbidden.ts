import type { HostProblem } from '../answers/problem.ts'

/** A 403, with the scope that the operation requires (RFC 6750, section 3). */
export function forbidden(scope: string | undefined, message: string): HostProblem {
  const parameter = scope === undefined ? '' : `, scope="${scope}"`
  return {
    code: 'forbidden',
    message,
    headers: { 'www-authenticate': `Bearer error="insufficient_scope"${parameter}` },
  }
}
