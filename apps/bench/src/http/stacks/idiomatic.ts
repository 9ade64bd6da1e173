import jwt from '@fastify/jwt'
import rateLimit from '@fastify/rate-limit'
import Fastify from 'fastify'
import * as v from 'valibot'
import { Bid, Claims, createHighestBids, permission, responseSchema } from './rules.ts'

// A typical application of Fastify and its plugins, as in their documentation: a token, a permission, a limit per
// caller, a validated body, and a serialized response. It stores no bids.
const { PORT, JWT_SECRET = '' } = process.env

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: v.InferOutput<typeof Claims>
  }
}

const app = Fastify()
await app.register(jwt, { secret: JWT_SECRET })
await app.register(rateLimit, {
  max: 1_000_000_000,
  timeWindow: '1 minute',
  hook: 'preHandler',
  keyGenerator: (request) => request.user.sub,
})
app.setValidatorCompiler<v.GenericSchema>(({ schema }) => (data) => {
  const parsed = v.safeParse(schema, data)
  return parsed.success ? { value: parsed.output } : { error: new Error(parsed.issues[0].message) }
})

const placeBid = createHighestBids()
app.post<{ Body: Bid }>(
  '/api/Bids',
  {
    schema: { body: Bid, response: { 201: responseSchema } },
    onRequest: async (request, reply) => {
      await request.jwtVerify()
      const claims = v.parse(Claims, request.user)
      if (!claims.permissions.includes(permission)) return reply.code(403).send(new Error(`needs ${permission}`))
    },
  },
  async (request, reply) => {
    const bid = placeBid(request.body)
    if (bid === undefined) return reply.code(409).send(new Error('the amount is too low'))
    reply.code(201).header('location', `/api/Bids/${bid.id}`)
    return { success: true, message: `Bid ${bid.id} was placed.`, data: bid }
  },
)
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
