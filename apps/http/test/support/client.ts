import { deskAuction } from '../../src/operations/example-data.ts'
import { expectAsDocumented } from '../contract/expect-as-documented.ts'
import type { TestServer } from './server.ts'
import { tokenOf } from './tokens.ts'

/** An answer, read whole. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; of no use where the body is none. */
  readonly body: Body
}

// What a test expects of an answer stands in the test, so here a body may be anything.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Body = any

type Bytes = string | Uint8Array<ArrayBuffer>

export type Client = {
  send(
    method: string,
    path: string,
    options?: { readonly headers?: Headers | Readonly<Record<string, string>>; readonly body?: Bytes },
  ): Promise<Answer>
  get(path: string): Promise<Answer>
  /** Sends a body as it is, or as JSON when it is no text and no bytes. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>
  createAuction(fields?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
  placeBid(fields?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
  buyNow(fields?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Cancels the first auction, without a body where no fields are given. */
  cancelAuction(fields?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

/** An auction that runs when tests start, and a bid that is right for it when it is the first auction. */
export const newAuction = deskAuction
export const newBid = { auctionId: 1, bidderId: 2, amount: 100 }
export const newPurchase = { buyerId: 2 }

/** Sends requests with a token, or with none when it is empty. Each answer has to be one that the OpenAPI document declares. */
export function clientOf({ url }: Pick<TestServer, 'url'>, token: string | undefined = tokenOf('anna')): Client {
  const authorization = token === '' ? undefined : `Bearer ${token}`
  const own = authorization === undefined ? {} : { authorization }

  const send: Client['send'] = async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...own, ...Object.fromEntries(new Headers(headers)) },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const { status, headers: answered } = response
    expectAsDocumented({ method, path, status, headers: answered, text })
    return {
      status,
      headers: answered,
      text,
      body: isJson(text) ? JSON.parse(text) : undefined,
    }
  }

  const post: Client['post'] = (path, body, headers = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    return send('POST', path, {
      headers: { 'content-type': 'application/json', ...headers },
      // The cast: bytes of a test are never shared memory.
      body: isRaw ? (body as Bytes) : JSON.stringify(body),
    })
  }

  return {
    send,
    get: (path) => send('GET', path),
    post,
    createAuction: (fields = {}, headers) => post('/api/Auctions', { ...newAuction, ...fields }, headers),
    placeBid: (fields = {}, headers) => post('/api/Bids', { ...newBid, ...fields }, headers),
    buyNow: (fields = {}, headers) => post('/api/Auctions/1/Purchase', { ...newPurchase, ...fields }, headers),
    cancelAuction: (fields, headers) =>
      fields === undefined
        ? send('POST', '/api/Auctions/1/Cancellation', headers && { headers })
        : post('/api/Auctions/1/Cancellation', fields, headers),
  }
}

/** A client that sends no token. */
export const anonymousOf = (server: Pick<TestServer, 'url'>): Client => clientOf(server, '')

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What a problem's answer must be, whatever else it says. */
export const problem = (status: number, code: string, members: object = {}) => ({
  status,
  body: { success: false, status, code, type: `urn:auction-service:problem:${code}`, ...members },
})

/** Where the faults of a 400 are. */
export const pointersOf = ({ body }: Answer): readonly string[] =>
  body.errors.map(({ pointer }: { readonly pointer: string }) => pointer)
