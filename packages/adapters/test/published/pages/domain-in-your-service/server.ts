import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { refusals } from '@auction/domain/auction'
import { isStoreUnavailable } from '@auction/domain/errors'
import { refusalJson } from '@auction/domain/json'
import { parseNewAuction, parseNewBid } from '@auction/domain/parsing'
import { openAuctions } from './auctions.ts'

const auctions = await openAuctions('shop.sqlite')
const statuses = { invalid: 400, forbidden: 403, 'not-found': 404, conflict: 409, precondition: 412, busy: 503 }

async function resultOf(path: string | undefined, input: unknown) {
  const fields = path === '/lots' ? parseNewAuction(input, Date.now()) : parseNewBid(input)
  if (!fields.ok) return fields
  return 'auctionId' in fields.value ? auctions.placeBid(fields.value) : auctions.createAuction(fields.value)
}

async function respondTo(request: IncomingMessage) {
  try {
    const result = await resultOf(request.url, await json(request))
    if (result.ok) return { status: 201, body: { id: result.value.id } }
    return { status: statuses[refusals[result.refusal.code].kind], body: refusalJson(result.refusal) }
  } catch (error) {
    if (error instanceof SyntaxError) return { status: 400, body: { code: 'malformed-json' } }
    if (isStoreUnavailable(error)) return { status: 503, body: { code: error.code, outcome: error.outcome } }
    console.error(error)
    return { status: 500, body: { code: 'internal' } }
  }
}

const server = createServer(async (request, response) => {
  const { status, body } = await respondTo(request)
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`)
})
server.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => console.log('The shop is open.'))
process.once('SIGINT', () => server.close(() => auctions.close().then(() => console.log('The shop is closed.'))))
