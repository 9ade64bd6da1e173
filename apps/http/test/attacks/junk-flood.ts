import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { tokenOf } from '../support/tokens.ts'

/** The requests that the thread sends until it is terminated. */
export type JunkFloodOrder = {
  readonly url: string
  readonly connections: number
  readonly headers: Readonly<Record<string, string>>
  readonly localAddress: string
}

const { url, connections, headers, localAddress }: JunkFloodOrder = workerData
// More connections than MAX_REQUESTS_AT_ONCE may be an overload.
const refusals: readonly unknown[] = connections > 512 ? [401, 429, 503] : [401, 429]
// A valid token, with a different signature each time.
const signed = tokenOf('anna').replace(/[^.]*$/, '')
let refused = 0

async function sendJunk(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress })
  for (;;) {
    const authorization = `Bearer ${signed}${randomBytes(32).toString('base64url')}`
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(url, { agent, headers: { authorization, ...headers } }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode))
      })
      sent.on('error', reject).end()
    })
    if (!refusals.includes(status)) throw new Error(`a junk token returned ${status}`)
    refused += 1
    // All connections are now in use.
    if (refused === connections) parentPort?.postMessage('reached')
  }
}

await Promise.all(Array.from({ length: connections }, sendJunk))
