import Fastify from 'fastify'

// The least that Fastify can do for a bid: it parses the body, and serializes the answer by a schema. What it answers is what
// the service has answered to a bid, header by header and member by member, but for the fields that the request names.
const { PORT, LOG_LEVEL, ANSWER } = process.env
if (PORT === undefined || ANSWER === undefined) throw new Error('PORT and ANSWER must be set')

type Bid = { readonly auctionId: number; readonly bidderId: number; readonly amount: number }
type Answer = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly success: true; readonly message: string; readonly data: object }
}
const { headers, body } = JSON.parse(ANSWER) as Answer // What startStack gives.

const bid = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    auctionId: { type: 'integer' },
    bidderId: { type: 'integer' },
    amount: { type: 'number' },
    timestamp: { type: 'string' },
  },
}
const envelope = {
  type: 'object',
  properties: { success: { type: 'boolean' }, message: { type: 'string' }, data: bid },
}

const app = Fastify({ logger: LOG_LEVEL === 'info' ? { level: 'info' } : false })

app.post<{ Body: Bid }>('/api/Bids', { schema: { response: { 201: envelope } } }, (request, reply) => {
  const { auctionId, bidderId, amount } = request.body
  reply
    .code(201)
    .headers(headers)
    .send({ ...body, data: { ...body.data, auctionId, bidderId, amount } })
})

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
