import Fastify from 'fastify'
import { type Bid, responseSchema } from './rules.ts'

// The minimum work of Fastify for a bid: it parses the body, and serializes the response by a schema. Responses are
// those of the service, with the same headers.
const { PORT, RESPONSE = '', LIST = '{}' } = process.env
type ApiResponse<Body> = { readonly headers: Readonly<Record<string, string>>; readonly body: Body }
const { headers, body } = JSON.parse(RESPONSE) as ApiResponse<{ readonly data: object }> // The values that startStack passes.
const list = JSON.parse(LIST) as ApiResponse<object>

const app = Fastify({ logger: false })
app.post<{ Body: Bid }>('/api/Bids', { schema: { response: { 201: responseSchema } } }, (request, reply) => {
  const { auctionId, bidderId, amount } = request.body
  const data = { ...body.data, auctionId, bidderId, amount }
  reply
    .code(201)
    .headers(headers)
    .send({ ...body, data })
})
app.get('/api/Auctions', (_request, reply) => reply.headers(list.headers).send(list.body))
await app.listen({ host: '127.0.0.1', port: Number(PORT) })
