import { type ClientOptions, createConnection, newKey, type ReadOptions, type WriteOptions } from './connection.ts'
import { wholeText } from './errors.ts'
import { type AuctionEvent, createEventFeed, createStateFeed, type FollowedState } from './feeds.ts'
import type { Body, Query, Schemas } from './operations.ts'
import { type Read, registerMethods, type Write } from './registers.ts'
import { saleMethods } from './sales.ts'
import { type StreamOptions, streamOf } from './streams.ts'

export { type ClientOptions, newKey, type ReadOptions, type WriteOptions } from './connection.ts'
export { AuctionClientError, orThrow } from './errors.ts'
export { type FallingPrice, priceAt } from './falling.ts'
export type { AuctionEvent, FollowedState, SaleEvent } from './feeds.ts'
export { amountOf, editableAmount, exponentOf, formatAmount, minorOf, parseAmount } from './money.ts'
export type { Body, Data, OperationName, Query, Refusal, Result, ResultOf, Schemas, Success } from './operations.ts'
export { pages } from './pages.ts'
export type { StreamOptions, StreamState } from './streams.ts'
export { verifyWebhook, type WebhookMessage, type WebhookRefusal } from './webhooks.ts'

/** An auction as a read returns it. */
export type Auction = Schemas['AuctionView']
export type Bid = Schemas['Bid']

export type AuctionClient = ReturnType<typeof createAuctionClient>

/**
 * A client of the service, with a method for each operation. A method returns a result, and rejects only if the outcome is unknown or
 * unexpected: with an `AuctionClientError`, also for an id that is not one, or with the reason of the caller's signal. It sends a request again after broken connections,
 * 429 and 503, until the signal is aborted, or for two minutes.
 */
export function createAuctionClient(options: ClientOptions) {
  const connection = createConnection(options)
  const { clock } = connection

  const read: Read = (path, query = {}, options) =>
    connection.call({ method: 'GET', path: path + searchOf(query) }, options)

  const write: Write = (path, body, { key = newKey(), method = 'POST', ifMatch, ...options } = {}) => {
    const isText = typeof body === 'string'
    const given = { 'content-type': isText ? 'text/csv' : 'application/json', 'idempotency-key': key }
    const headers = ifMatch === undefined ? given : { ...given, 'if-match': ifMatch }
    return connection.call({ method, path, headers, body: isText ? body : JSON.stringify(body) }, { ...options, key })
  }

  return {
    createAuction: (fields: Body<'createAuction'>, options?: WriteOptions) =>
      write<'createAuction'>('api/Auctions', fields, options),
    relistAuction: async (id: number, relisting: Body<'relistAuction'>, options?: WriteOptions) =>
      write<'relistAuction'>(`api/Auctions/${wholeText(id)}/Relisting`, relisting, options),
    makeOffer: async (id: number, offer: Body<'makeOffer'>, options?: WriteOptions) =>
      write<'makeOffer'>(`api/Auctions/${wholeText(id)}/Offers`, offer, options),
    placeBid: (bid: Body<'placeBid'>, options?: WriteOptions) => write<'placeBid'>('api/Bids', bid, options),
    placeBidOnAuction: async (id: number, bid: Body<'placeBidOnAuction'>, options?: WriteOptions) =>
      write<'placeBidOnAuction'>(`api/Auctions/${wholeText(id)}/Bids`, bid, options),
    buyNow: async (id: number, purchase: Body<'buyNow'>, options?: WriteOptions) =>
      write<'buyNow'>(`api/Auctions/${wholeText(id)}/Purchase`, purchase, options),
    cancelAuction: async (id: number, cancellation: Body<'cancelAuction'> = {}, options?: WriteOptions) =>
      write<'cancelAuction'>(`api/Auctions/${wholeText(id)}/Cancellation`, cancellation, options),
    withdrawBidder: async (id: number, withdrawal: Body<'withdrawBidder'>, options?: WriteOptions) =>
      write<'withdrawBidder'>(`api/Auctions/${wholeText(id)}/Withdrawal`, withdrawal, options),
    extendAuction: async (id: number, extension: Body<'extendAuction'>, options?: WriteOptions) =>
      write<'extendAuction'>(`api/Auctions/${wholeText(id)}/Extension`, extension, options),
    endAuction: async (id: number, closing: Body<'endAuction'>, options?: WriteOptions) =>
      write<'endAuction'>(`api/Auctions/${wholeText(id)}/Closing`, closing, options),
    lowerReserve: async (id: number, reduction: Body<'lowerReserve'>, options?: WriteOptions) =>
      write<'lowerReserve'>(`api/Auctions/${wholeText(id)}/Reserve`, reduction, options),
    /** `ifMatch` is the `etag` of a read, or `*`. */
    async correctAuction(
      id: number,
      correction: Body<'correctAuction'>,
      { ifMatch, key = newKey(), ...options }: WriteOptions & { readonly ifMatch: string },
    ) {
      const type = 'application/merge-patch+json'
      const headers = { 'content-type': type, 'idempotency-key': key, 'if-match': ifMatch }
      const request = {
        method: 'PATCH',
        path: `api/Auctions/${wholeText(id)}`,
        headers,
        body: JSON.stringify(correction),
      } as const
      return connection.call<'correctAuction'>(request, { ...options, key })
    },

    ...registerMethods(read, write),
    ...saleMethods(connection, read, write),
    readAuction: async (id: number, query?: Query<'readAuction'>, options?: ReadOptions) =>
      read<'readAuction'>(`api/Auctions/${wholeText(id)}`, query, options),
    listAuctions: (query?: Query<'listAuctions'>, options?: ReadOptions) =>
      read<'listAuctions'>('api/Auctions', query, options),
    readBid: async (id: number, options?: ReadOptions) => read<'readBid'>(`api/Bids/${wholeText(id)}`, {}, options),
    listBids: async (id: number, query?: Query<'listBids'>, options?: ReadOptions) =>
      read<'listBids'>(`api/Auctions/${wholeText(id)}/Bids`, query, options),
    listBidsOfBidder: (query: Query<'listBidsOfBidder'>, options?: ReadOptions) =>
      read<'listBidsOfBidder'>('api/Bids', query, options),
    listEvents: async (id: number, query?: Query<'listEvents'>, options?: ReadOptions) =>
      read<'listEvents'>(`api/Auctions/${wholeText(id)}/Events`, query, options),
    listRepairs: async (id: number, options?: ReadOptions) =>
      read<'listRepairs'>(`api/Auctions/${wholeText(id)}/Repairs`, {}, options),
    followAuctions: (ids: readonly number[], options?: ReadOptions) =>
      read<'followAuctions'>('api/Auctions/Events', { ids }, options),
    readLiveness: (options?: ReadOptions) => read<'readLiveness'>('livez', {}, options),
    readReadiness: (options?: ReadOptions) => read<'readReadiness'>('readyz', {}, options),

    /**
     * Every event of an auction, once and in order, until its result. Connects again forever. Begins with a `snapshot`, or after the
     * `sequence` of the last event that the caller has.
     */
    events: (
      id: number,
      { after, ...options }: StreamOptions & { readonly after?: number | undefined } = {},
    ): AsyncGenerator<AuctionEvent, void> => streamOf(connection, createEventFeed(id, after, clock.note), options),
    /** The newest states of up to 100 auctions by one connection, now and whenever one changes, until all have a result. */
    follow: (ids: readonly number[], options: StreamOptions = {}): AsyncGenerator<FollowedState, void> =>
      streamOf(connection, createStateFeed(ids, clock.note), options),
    /** The time of the server in milliseconds since 1970, by its responses. Count down to `effectiveEndTime` by it. */
    now: (): number => clock.nowMs(),
    /** Notes a `now` of the service that came by another way, such as from another tab. */
    noteTime: (now: string): void => clock.note(now),
  }
}

function searchOf(query: object): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))
  return sent.length === 0 ? '' : `?${search}`
}
