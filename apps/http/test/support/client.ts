import { deskAuction } from '../../src/api/operations/example-data.ts'
import { expectAsDocumented } from '../contract/expect-as-documented.ts'
import type { TestServer } from './server.ts'
import { tokenOf } from './tokens.ts'

/** A response with its whole body. */
export type ApiResponse = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON, if it is JSON. */
  readonly body: Body
}

// Each test checks the members that it reads.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Body = any

/** The bid in the response to a placed bid, as reads and lists have it: without the leader. */
export function bidIn({ body }: ApiResponse): Body {
  const { leaderId: _, youLead: __, yourMaximum: ___, yourPseudonym: ____, ...bid } = body.data
  return bid
}

type Bytes = string | Uint8Array<ArrayBuffer>

export type Client = {
  send(
    method: string,
    path: string,
    options?: { readonly headers?: Headers | Readonly<Record<string, string>>; readonly body?: Bytes },
  ): Promise<ApiResponse>
  get(path: string): Promise<ApiResponse>
  /** Sends a string or bytes unchanged, and other values as JSON. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>
  put(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>
  /** Sends a merge patch. */
  patch(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>
  createAuction(fields?: object, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>
  placeBid(fields?: object, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>
  buyNow(fields?: object, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>
  /** Sends no body if `fields` is undefined. */
  cancelAuction(fields?: object, headers?: Readonly<Record<string, string>>): Promise<ApiResponse>
}

/** An auction that is active when a test starts. */
export const newAuction = deskAuction
/** Fields of an auction that is active now, for processes, which use the real clock. */
export function runningNow() {
  const hourMs = 60 * 60 * 1000
  return {
    cancellableUntilEnd: true,
    startTime: new Date(Date.now() - hourMs).toISOString(),
    endTime: new Date(Date.now() + hourMs).toISOString(),
  }
}

/** A valid first bid on `newAuction`. */
export const newBid = { auctionId: 1, bidderId: 2, amount: 100 }
export const newPurchase = { buyerId: 2 }

/**
 * Sends requests with a token, or without one if it is empty. Bids, purchases and cancellations are for `auctionId`. Checks that the
 * OpenAPI document declares each response.
 */
export function clientOf({ url }: Pick<TestServer, 'url'>, token = tokenOf('anna'), auctionId = 1): Client {
  const authorization = token === '' ? undefined : `Bearer ${token}`
  const own = authorization === undefined ? {} : { authorization }

  const send: Client['send'] = async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...own, ...Object.fromEntries(new Headers(headers)) },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const { status, headers: received } = response
    expectAsDocumented({ method, path, status, headers: received, text })
    return { status, headers: received, text, body: isJson(text) ? JSON.parse(text) : undefined }
  }

  const sendBody =
    (method: string, mediaType: string): Client['post'] =>
    (path, body, headers = {}) => {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array
      return send(method, path, {
        headers: { 'content-type': mediaType, ...headers },
        // The bytes of a test are never shared memory.
        body: isRaw ? (body as Bytes) : JSON.stringify(body),
      })
    }
  const post = sendBody('POST', 'application/json')

  return {
    send,
    get: (path) => send('GET', path),
    post,
    put: sendBody('PUT', 'application/json'),
    patch: sendBody('PATCH', 'application/merge-patch+json'),
    createAuction: (fields = {}, headers) => post('/api/Auctions', { ...newAuction, ...fields }, headers),
    placeBid: (fields = {}, headers) => post('/api/Bids', { ...newBid, auctionId, ...fields }, headers),
    buyNow: (fields = {}, headers) =>
      post(`/api/Auctions/${auctionId}/Purchase`, { ...newPurchase, ...fields }, headers),
    cancelAuction: (fields, headers) =>
      fields === undefined
        ? send('POST', `/api/Auctions/${auctionId}/Cancellation`, headers && { headers })
        : post(`/api/Auctions/${auctionId}/Cancellation`, fields, headers),
  }
}

/** A client for one auction. */
export type AuctionClient = Client & {
  readonly id: number
  /** Reads the auction. */
  read(): Promise<Body>
  /** Lists its bids, the newest first. */
  bids(): Promise<readonly Body[]>
  /** The same auction, as another caller. */
  as(token: string): AuctionClient
}

let callers = 0

/** A caller that no other test uses, so that its limits and its idempotency keys are separate. */
export const newCaller = (claims: object = {}): string => tokenOf(`caller ${++callers}`, claims)

/** Creates an auction on a server that tests share. */
export async function openAuction(
  server: Pick<TestServer, 'url'>,
  fields: object = {},
  token = newCaller(),
): Promise<AuctionClient> {
  const { status, text, body } = await clientOf(server, token).createAuction(fields)
  if (status !== 201) throw new Error(text)
  return auctionClient(server, body.data.id, token)
}

function auctionClient(server: Pick<TestServer, 'url'>, id: number, token: string): AuctionClient {
  const client = clientOf(server, token, id)
  return {
    ...client,
    id,
    read: async () => (await client.get(`/api/Auctions/${id}`)).body.data,
    bids: async () => (await client.get(`/api/Auctions/${id}/Bids?limit=100`)).body.data.items,
    as: (other) => auctionClient(server, id, other),
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

/** The members of a problem response that every test checks. */
export const problem = (status: number, code: string, members: object = {}) => ({
  status,
  body: { success: false, status, code, type: `urn:auction-service:problem:${code}`, ...members },
})

/** The pointers of the errors of a 400. */
export const pointersOf = ({ body }: ApiResponse): readonly string[] =>
  body.errors.map(({ pointer }: { readonly pointer: string }) => pointer)
