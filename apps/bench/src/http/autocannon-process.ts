import autocannon from 'autocannon'
import { type LoadReport, loadReportOf, type NumberedOrder } from './load.ts'

async function obey(order: NumberedOrder): Promise<LoadReport> {
  const { origin, connections, seconds, request, callers, firstDollars } = order
  let sent = 0

  /** The next request, in the name of the next caller. */
  function next(prepared: autocannon.Request): autocannon.Request {
    const caller = callers[sent % callers.length]
    if (caller === undefined) throw new RangeError('there is no caller')
    const dollars = firstDollars + sent
    sent += 1
    const headers = { ...prepared.headers, authorization: `Bearer ${caller.token}` }
    if (request === 'read') return { ...prepared, path: `/api/Auctions/${caller.auctionId}`, headers }
    const body = `{"auctionId":${caller.auctionId},"bidderId":2,"amount":${dollars}.99}`
    return { ...prepared, body, headers }
  }

  const result = await autocannon({
    url: `${origin}/api/Bids`,
    method: request === 'bid' ? 'POST' : 'GET',
    headers: { ...order.headers, ...(request === 'bid' && { 'content-type': 'application/json' }) },
    requests: [{ setupRequest: next }],
    connections,
    duration: seconds,
  })
  return loadReportOf({
    requests: result['2xx'] + result.non2xx,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    refused: result.non2xx,
    failed: result.errors,
  })
}

process.once('message', (order) => {
  // What autocannon.ts sends, and nothing else does.
  obey(order as NumberedOrder).then((report) => {
    process.send?.(report)
    process.disconnect()
  })
})
