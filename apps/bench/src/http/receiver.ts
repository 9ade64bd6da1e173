import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { freePort } from '../resources.ts'
import type { Defer } from '../scope.ts'

/** `none` closes the connection of each message. */
type Answer = 'accepted' | 'later' | 'none'

/** An endpoint of webhooks in this process, which accepts messages at first. */
export async function startReceiver(defer: Defer) {
  let answer: Answer = 'accepted'
  let accepted = 0
  let last: { readonly headers: IncomingHttpHeaders; readonly body: string } | undefined
  const waiting: ServerResponse[] = []
  const atCount = new Map<number, () => void>()

  function respond(response: ServerResponse): void {
    if (answer === 'later') return void waiting.push(response)
    if (answer === 'none') return void response.destroy()
    response.writeHead(204).end()
    accepted += 1
    atCount.get(accepted)?.()
  }

  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', () => {
      last = { headers: request.headers, body }
      respond(response)
    })
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  defer(() => server.close().closeAllConnections())
  return {
    url: `http://127.0.0.1:${port}/`,
    /** The number of accepted messages so far. */
    accepted: () => accepted,
    lastMessage: () => last,
    /** Answers the waiting messages and those that follow. */
    answer(next: Answer): void {
      answer = next
      for (const response of waiting.splice(0)) respond(response)
    },
    /** Resolves when it has accepted this number of messages in total. */
    async received(count: number): Promise<void> {
      if (accepted >= count) return
      const { promise, resolve } = Promise.withResolvers<void>()
      atCount.set(count, resolve)
      await promise
    },
  }
}
