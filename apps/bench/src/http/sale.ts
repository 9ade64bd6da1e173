import { request } from 'node:http'
import { auctionFields, repeat } from '../bidding.ts'
import type { Defer } from '../scope.ts'
import { postFor, type Server, token } from './server.ts'

/** A lot of a sale, with its end in milliseconds since 1970. */
export type Lot = { readonly id: number; readonly endMs: number }

const endsPerSecond = 2
const lotsPerRequest = 100

const isoOf = (ms: number): string => new Date(ms).toISOString()

/**
 * Creates a sale. Its first lots end two a second, and as many others an hour later.
 * @param firstEndMs the first end, in milliseconds since 1970
 */
export async function createSale({ origin }: Server, endingLots: number, firstEndMs: number) {
  const { productId, ownerId, startingPrice, minimumBidIncrement, currency, startTime } = auctionFields
  const { id: saleId } = await postFor<{ readonly id: number }>(`${origin}/api/Sales`, 201, {
    ...{ title: 'Estate', currency, startTime, firstEndTime: isoOf(firstEndMs) },
    ...{ intervalSeconds: 1, lotsPerInterval: endsPerSecond },
    lotDefaults: { productId, ownerId, startingPrice, minimumBidIncrement },
  })
  async function addLots(first: number): Promise<readonly Lot[]> {
    const added: Lot[] = []
    for (let from = 0; from < endingLots; from += lotsPerRequest) {
      const length = Math.min(lotsPerRequest, endingLots - from)
      const sent = Array.from({ length }, (_, index) => ({ lot: `${first + from + index}`, title: 'Walnut desk' }))
      const { lots } = await postFor<Added>(`${origin}/api/Sales/${saleId}/Lots`, 200, { lots: sent })
      added.push(...lots.map(({ auctionId, endTime }) => ({ id: auctionId, endMs: Date.parse(endTime) })))
    }
    return added
  }
  return { saleId, ending: await addLots(1), open: await addLots(1 + 3_600 * endsPerSecond) }
}
type Added = { readonly lots: readonly { readonly auctionId: number; readonly endTime: string }[] }

/** What a stream of a sale shows of a lot. */
export type Line = { readonly id: number; readonly bidCount?: number; readonly outcome?: string }

/** Follows a sale with readers of servers in turn, and resolves when each has the lines of all lots. */
export async function followSale(
  servers: readonly Server[],
  saleId: number,
  readers: number,
  onLine: (reader: number, line: Line) => void,
  defer: Defer,
): Promise<void> {
  let count = 0
  await repeat(readers, () => {
    const reader = count++
    const { origin } = servers[reader % servers.length] as Server // There is at least one.
    return followAs(`${origin}/api/Sales/${saleId}/Events`, (line) => onLine(reader, line), defer)
  })
}

function followAs(url: string, onLine: (line: Line) => void, defer: Defer): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
  return new Promise((resolve, reject) => {
    let rest = ''
    const sent = request(url, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} responded with ${response.statusCode}`))
      response.setEncoding('utf8').on('data', (text: string) => {
        const frames = `${rest}${text}`.split('\n\n')
        rest = frames.pop() ?? ''
        for (const frame of frames) {
          if (frame.startsWith('event: lots\n')) for (const line of linesIn(frame)) onLine(line)
          if (frame.startsWith('event: ready\n')) resolve()
        }
      })
    })
    // The end of the measurement, too, is an error of the stream.
    sent.on('error', reject).end()
    defer(() => sent.destroy())
  })
}

const linesIn = (frame: string): readonly Line[] => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)).lots
