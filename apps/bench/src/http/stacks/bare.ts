import Fastify from 'fastify'
import { answerSchema, type Bid } from './rules.ts'

// The minimum work of Fastify for a bid: it parses the body, and serializes the response by a schema. The response is one of the
// service to a bid, with the same headers.
const { PORT, ANSWER = '' } = process.env
type Answer = { readonly headers: Readonly<Record<string, string>>; readonly body: { readonly data: object } }
const { headers, body } = JSON.parse(ANSWER) as Answer // The value that startStack passes.

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
