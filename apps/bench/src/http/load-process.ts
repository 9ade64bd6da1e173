import { Client } from 'undici'
import { runClosedLoop } from '../measure/closed-loop.ts'
import { sampleOf } from '../measure/sample.ts'
import type { LoadOrder, LoadReport } from './load-generator.ts'

// Connections stay open from one order to the next, as those of busy clients do.
const connections = new Map<string, readonly Client[]>()
// Whole dollars, to which cents are added. They rise over all orders, so that every bid is accepted.
let lastDollars = 1

function connectionsTo({ origin, callers }: LoadOrder): readonly Client[] {
  const open = connections.get(origin) ?? callers.map(() => new Client(origin, { pipelining: 1 }))
  connections.set(origin, open)
  return open
}

async function obey(order: LoadOrder): Promise<LoadReport> {
  const clients = connectionsTo(order)
  const senders = order.callers.map(({ token, auctionId }, index) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return { client: clients[index], headers, auctionId }
  })

  function senderAt(index: number) {
    const { client, headers, auctionId } = senders[index] ?? {}
    if (client === undefined || headers === undefined) throw new RangeError(`there is no sender ${index}`)
    return { client, headers, auctionId }
  }

  async function sendBid(index: number) {
    const { client, headers, auctionId } = senderAt(index)
    lastDollars += 1
    const body = `{"auctionId":${auctionId},"bidderId":2,"amount":${lastDollars}.99}`
    const answer = await client.request({ method: 'POST', path: '/api/Bids', headers, body })
    const text = await answer.body.text()
    if (answer.statusCode !== 201) throw new Error(`a bid was answered ${answer.statusCode}: ${text}`)
    return 'accepted' as const
  }

  async function readAuction(index: number) {
    const { client, headers, auctionId } = senderAt(index)
    const answer = await client.request({ method: 'GET', path: `/api/Auctions/${auctionId}`, headers })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`a read was answered ${answer.statusCode}: ${text}`)
    return 'accepted' as const
  }

  const { seconds, request } = order
  const result = await runClosedLoop(request === 'bid' ? sendBid : readAuction, {
    clients: senders.length,
    warmupSeconds: 0,
    seconds,
  })
  const trouble = result.firstFailure === undefined ? undefined : String(result.firstFailure)
  return { sample: sampleOf(result, seconds), requests: result.answeredInAll, trouble }
}

process.on('message', (order) => {
  // What load-generator.ts sends, and nothing else does.
  obey(order as LoadOrder).then((report) => process.send?.(report))
})
process.on('disconnect', () => process.exit())
