import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@auction/client'

/** Creates a server that calls `onMessage` with the id and the content of each valid message, and responds when that is done. */
export function createReceiver(secret, onMessage) {
  return createServer(async (request, response) => {
    const verified = await verifyWebhook(secret, request.headers, await buffer(request))
    if (!verified.ok) {
      response.writeHead(401).end()
      return
    }
    const { id, message } = verified.data
    try {
      await onMessage(id, message)
      response.writeHead(204).end()
    } catch {
      // The service posts the message again.
      response.writeHead(500).end()
    }
  })
}
