import Fastify from 'fastify'
import { answerSchema, type Bid } from './rules.ts'

// The least that Fastify can do for a bid: it parses the body, and serializes the answer by a schema. The answer is one of the
// service's to a bid, with the same headers.
const { PORT, ANSWER = '' } = process.env
type Answer = { readonly headers: Readonly<Record<string, string>>; readonly body: { readonly data: object } }
const { headers, body } = JSON.parse(ANSWER) as Answer // As startStack gets it.

const app = Fastify({ logger: false })
app.post<{ Body: Bid }>('/api/Bids', { schema: { response: { 201: answerSchema } } }, (request, reply) => {
  const { auctionId, bidderId, amount } = request.body
  const data = { ...body.data, auctionId, bidderId, amount }
  reply
    .code(201)
    .headers(headers)
    .send({ ...body, data })
})
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
