import { createServer } from 'node:http'
import { verifyWebhook } from '@auction/client'

/** No message is larger. */
const maxBytes = 64 * 1024

/** Creates a server that calls `onMessage` with the id and the content of each valid message, and responds when that is done. */
export function createReceiver(secret, onMessage) {
  return createServer(async (request, response) => {
    // Reading fails if the sender leaves. After a 500, the service posts a message again.
    const status = await receive(request).catch((error) => {
      if (request.complete) console.error(error)
      return 500
    })
    response.writeHead(status).end()
  })

  async function receive(request) {
    const chunks = []
    let bytes = 0
    for await (const chunk of request) {
      bytes += chunk.length
      // Leaving the loop closes the connection.
      if (bytes > maxBytes) return 413
      chunks.push(chunk)
    }
    const verified = await verifyWebhook(secret, request.headers, Buffer.concat(chunks))
    if (!verified.ok) return 401
    const { id, message } = verified.data
    await onMessage(id, message)
    return 204
  }
}
