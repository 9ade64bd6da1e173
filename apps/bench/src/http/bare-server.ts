import Fastify from 'fastify'

// The least that a Fastify server can do for a POST: its body is parsed, and the answer is a constant.
const { PORT, LOG_LEVEL, ANSWER } = process.env
if (PORT === undefined || ANSWER === undefined) throw new Error('PORT and ANSWER must be set')

const app = Fastify({ logger: LOG_LEVEL === 'info' ? { level: 'info' } : false })

app.post('/api/Bids', (_request, reply) => {
  reply.code(201).type('application/json; charset=utf-8').send(ANSWER)
})

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
