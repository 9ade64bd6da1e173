import Fastify from 'fastify'

// The least that a Fastify server has to load and to compile before it answers.
const { PORT } = process.env
if (PORT === undefined) throw new Error('PORT must be set')

const app = Fastify({ logger: false })
app.post('/api/Bids', (_request, reply) => {
  reply.code(201).send({})
})

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
