import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../answers/problem.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { createBudget } from './budget.ts'
import { clientAddress } from './client-address.ts'

/** Counts a document that is sent, tells of it in the answer's headers, and returns the 429 if it is one too many. */
export type LimitDocuments = (request: FastifyRequest, reply: FastifyReply) => Problem | undefined

/**
 * Bounds how many documents an address gets, on this server alone, as what they cost is this server's. It is no part of the address's
 * budget for requests without a valid token: whoever reads must not make the tokens of neighbours wait.
 */
export function createDocumentLimit({ anonymousMax, windowSeconds }: Configuration['rateLimit']): LimitDocuments {
  const budget = createBudget({
    name: 'documents',
    max: anonymousMax,
    windowSeconds,
    keyOf: clientAddress,
    limit: `More than ${anonymousMax} documents for this address`,
  })
  return (request, reply) => budget.spend(clientAddress(request), reply)
}
