import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createAuctionClient } from '../src/client.ts'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  // The cast: a server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test.each([302, 307])(
  'a redirect by %i is an error of calls and streams, and its target gets nothing',
  async (status) => {
    const received: unknown[] = []
    const other = await serve(({ url, headers }, response) => {
      received.push([url, headers])
      response.end(JSON.stringify({ success: true, data: { id: 1 } }))
    })
    const baseUrl = await serve(({ url }, response) => response.writeHead(status, { location: other + url }).end())
    const client = createAuctionClient({ baseUrl, token: 'secret' })
    const error = { name: 'AuctionClientError', code: 'unreadable-response', status }
    await expect(client.placeBid({ auctionId: 7, bidderId: 2, amount: 105 })).rejects.toMatchObject(error)
    await expect(client.readAuction(7)).rejects.toMatchObject(error)
    await expect(client.events(7).next()).rejects.toMatchObject(error)
    await expect(client.follow([7]).next()).rejects.toMatchObject(error)
    expect(received).toEqual([])
  },
)
