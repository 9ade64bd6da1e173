import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { PlaceBidRefusal } from '@auction/domain'
import { type RefusalKind, refusals } from '@auction/domain/auction'
import { isStoreUnavailable } from '@auction/domain/errors'
import { parseNewAuction, parseNewBid } from '@auction/domain/parsing'
import { openAuctions } from './auctions.ts'

const auctions = await openAuctions('shop.sqlite')

type Answer = { readonly status: number; readonly body: object }

async function sell(lot: unknown): Promise<Answer> {
  const fields = parseNewAuction(lot, Date.now())
  const created = fields.ok ? await auctions.createAuction(fields.value) : fields
  return created.ok ? { status: 201, body: { lot: created.value.id } } : refused(created.refusal)
}

async function offer(bid: unknown): Promise<Answer> {
  const fields = parseNewBid(bid)
  const placed = fields.ok ? await auctions.placeBid(fields.value) : fields
  return placed.ok ? { status: 201, body: { offer: placed.value.id } } : refused(placed.refusal)
}

const refused = (refusal: PlaceBidRefusal): Answer => ({
  status: statuses[refusals[refusal.code].kind],
  body: refusal,
})

// A later version of the domain may add codes, and each has one of these kinds.
const statuses: Record<RefusalKind, number> = {
  invalid: 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  precondition: 412,
  busy: 503,
}

async function answerTo(request: IncomingMessage): Promise<Answer> {
  try {
    if (request.url === '/lots') return await sell(await json(request))
    if (request.url === '/offers') return await offer(await json(request))
    return { status: 404, body: { code: 'not-found' } }
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 400, body: { code: 'malformed-json' } }
    if (isStoreUnavailable(error)) return { status: 503, body: { code: error.code, outcome: error.outcome } }
    console.error(error)
    return { status: 500, body: { code: 'internal' } }
  }
}

const server = createServer(async (request, response) => {
  const { status, body } = await answerTo(request)
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
})
server.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => console.log('The shop is open.'))

process.once('SIGINT', () => {
  server.close(() => auctions.close().then(() => console.log('The shop is closed.')))
})
