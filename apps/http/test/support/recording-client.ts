import { type Answer, type Client, clientOf } from './client.ts'
import type { TestServer } from './server.ts'

/** A response, with its headers, as one text. */
export type Received = { readonly where: string; readonly text: string }

type RecordingClient = { readonly client: Client; readonly received: Received[] }

/** A client that keeps all response bodies and headers. */
export function createRecordingClient(server: Pick<TestServer, 'url'>, token: string): RecordingClient {
  const received: Received[] = []
  const own = clientOf(server, token)
  const remember = async (where: string, answered: Promise<Answer>): Promise<Answer> => {
    const answer = await answered
    received.push({ where, text: `${answer.text} ${JSON.stringify([...answer.headers])}` })
    return answer
  }
  const send: Client['send'] = (method, path, options) => remember(`${method} ${path}`, own.send(method, path, options))
  const post: Client['post'] = (path, body, headers) =>
    remember(`POST ${path} ${JSON.stringify(body)}`, own.post(path, body, headers))
  const patch: Client['patch'] = (path, body, headers) =>
    remember(`PATCH ${path} ${JSON.stringify(body)}`, own.patch(path, body, headers))
  return {
    received,
    client: {
      send,
      post,
      patch,
      get: (path) => send('GET', path),
      createAuction: (...values) => remember('create', own.createAuction(...values)),
      placeBid: (...values) => remember('bid', own.placeBid(...values)),
      buyNow: (...values) => remember('buy', own.buyNow(...values)),
      cancelAuction: (...values) => remember('cancel', own.cancelAuction(...values)),
    },
  }
}
