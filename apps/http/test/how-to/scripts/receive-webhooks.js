import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** Creates a server that calls `onMessage` with the id and the content of each valid message, and responds when that is done. */
export function createReceiver(secret, onMessage) {
  const webhook = new Webhook(secret)
  return createServer(async (request, response) => {
    let message
    try {
      message = webhook.verify(await text(request), request.headers)
    } catch {
      response.writeHead(401).end()
      return
    }
    try {
      await onMessage(request.headers['webhook-id'], message)
      response.writeHead(204).end()
    } catch {
      // The service posts the message again.
      response.writeHead(500).end()
    }
  })
}
